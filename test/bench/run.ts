// `npm run bench`: what the client costs and how true its figures are, each part against a floor in the same run. Takes about
// twelve minutes. Machines are noisy: read the ratios. Each part runs alone as well: node test/bench/<part>.ts
import { benchCpu } from './cpu.ts'
import { benchDelay } from './delay.ts'
import { benchMemory } from './memory.ts'
import { benchScreen } from './screen.ts'
import { benchTruth } from './truth.ts'
import { benchTtft } from './ttft.ts'

const tries = 3

function title(text: string): void {
  process.stdout.write(`\n${text}\n`)
}

title('CPU a chunk, whole process')
await benchCpu([1, 32, 128, 512], 1)
await benchCpu([128], tries, true)
title('Added TTFT')
await benchTtft([1, 32, 128, 512], tries)
title('Delay of stamps, and chunks a second')
await benchDelay([
  { streams: 128, rate: 50, workers: [0, 1] },
  { streams: 512, rate: 50, workers: [0, 1, 2] },
  { streams: 1024, rate: 25, workers: [0, 1, 2] },
])
title('The screen')
await benchScreen(tries)
title('Memory')
await benchMemory([128, 1024])
title('Figures against what the server sent: difference')
await benchTruth(10)
process.exit(0)
