import { Command, Option } from 'commander'
import type { CliContext } from './context.ts'

/** Names that people already type for the same thing; the right one is documented. */
const synonyms: Readonly<Record<string, string>> = {
  '--base-url': '--url',
  '--input-len': '--contexts',
  '--max-concurrency': '--concurrency',
  '--output-len': '--max-tokens',
  '--no-tui': '--headless',
}

/** As commander takes them. Words after a flag with `...` belong to it up to the next flag; some flags can be repeated. */
type Flag = readonly [flags: string, description: string, repeat?: 'repeat']

const targetFlags: readonly Flag[] = [
  ['--url <url>', 'server to measure; also --base-url, or as the argument'],
  ['--host <host>', 'its host, when no url is given'],
  ['--port <port>', 'its port, when no url is given'],
  ['--model <id>', 'served model (default: the first that the server names)'],
  ['--api-key <key>', 'API key (default: $OPENAI_API_KEY)'],
  ['--api-key-file <file>', 'file that holds the API key'],
  ['--header <name: value>', 'header sent with every request; can be repeated', 'repeat'],
  ['--insecure', 'take any TLS certificate'],
  ['--engine <name>', 'treat the server as this engine instead of recognising it'],
  ['--endpoint <chat|completions>', 'endpoint that generates (default: chat)'],
  ['--extra-body <json>', 'JSON object added to every request'],
]

const matrixFlags: readonly Flag[] = [
  ['--contexts <lengths...>', 'context lengths in tokens, 8k,16k (default: 8k, doubled up to the limit)'],
  ['--concurrency <counts...>', 'simultaneous streams (default: 1,2,4,8,16,32,64,128)'],
  ['--prefill-contexts <lengths...>', 'context lengths of the prefill rows (default: as --contexts)'],
  ['--skip-prefill', 'measure no prefill rows'],
  ['--prefill-only', 'measure prefill rows only'],
  ['--prefill-samples <n>', 'cold samples for each prefill row (default: 2, above 64k 1)'],
  ['--repeat <n>', 'measure each cell n times, spread over the run, and pool (default: 1)'],
  ['--force', 'run cells that do not fit'],
  ['--kv-budget <tokens>', 'KV cache to plan with, instead of what the server tells'],
]

const cellFlags: readonly Flag[] = [
  ['--duration <time>', 'length of a measurement window (default: 30s)'],
  ['--max-tokens <tokens>', 'output tokens of a request (default: 4096)'],
  ['--prompts <unique|shared>', 'whether streams have prompts of their own (default: unique)'],
  ['--prompt-file <file>', 'text to make prompts from, cut or repeated to length'],
  ['--seed <n>', 'seed of prompts and stagger (default: 1)'],
  ['--temperature <t>', 'sampling temperature (default: the server’s)'],
  ['--respect-eos', 'let answers end by themselves'],
  ['--ready-timeout <time>', 'longest wait for all streams to run (default: by prefill speed, at least 30s)'],
  ['--drain-timeout <time>', 'longest wait for an idle server (default: 60s)'],
  ['--stall-timeout <time>', 'silence after which a stream is given up (default: 60s)'],
  ['--workers <n>', 'load threads (default: by streams and cores)'],
  ['--slo <limit>', 'ttft=1s or itl=50ms, counts the requests that hold it; can be repeated', 'repeat'],
]

const outputFlags: readonly Flag[] = [
  ['-o, --output <file>', 'result file, - for stdout (default: ./tokgrid-<model>-<time>.json)'],
  ['--events <file>', 'write the run’s events as JSON lines, - for stdout'],
  ['--headless', 'plain lines instead of the screen; also --no-tui'],
  ['--no-color', 'no colours'],
  ['--ascii', 'ASCII characters only'],
  ['--fps <n>', 'redraws a second, 1 to 10 (default: 5)'],
  ['--retry-invalid', 'measure cells that ended invalid or failed once more at the end'],
  ['--dry-run', 'show the planned matrix and end'],
  ['-y, --yes', 'do not ask before a long run'],
]

const runFlagNames = [...targetFlags, ...matrixFlags, ...cellFlags, ...outputFlags]

export type Commands = {
  readonly run: (raw: unknown, context: CliContext) => Promise<number>
  readonly demo: (raw: unknown, context: CliContext) => Promise<number>
  readonly simulate: (raw: unknown, context: CliContext) => Promise<number>
}

/** The command line: parses words, then calls one of `commands` and hands its exit code to `done`. */
export function buildProgram(commands: Commands, context: CliContext, done: (code: number) => void): Command {
  const program = new Command('tokgrid')
    .description(
      'Measures an LLM inference server over context length and concurrency, live, with evidence for every cell.',
    )
    .version(context.version)
    .helpCommand(false)
    .addHelpText('after', examples)
  const run = program.command('run', { isDefault: true }).argument('[url]', 'server to measure')
  addFlags(run.description('measure a server: prefill, then sustained decode'), runFlagNames)
  run.action(async (url: string | undefined, raw: Record<string, unknown>) => {
    done(await commands.run(withUrl(raw, url), context))
  })

  const demo = program.command('demo').description('the same against the built-in simulated server')
  addFlags(demo, [
    ...runFlagNames.filter(flag => !targetFlags.slice(0, 3).includes(flag)),
    ['--profile <name>', 'simulated server (default: qwen3.5-35b-a3b-h200)'],
    ['--speed <factor>', 'how many times as fast as the real one (default: 1)'],
    ['--full', 'the whole matrix with full windows instead of a short one'],
  ])
  demo.action(async (raw: Record<string, unknown>) =>
    done(await commands.demo(withUrl(raw, undefined), context)),
  )

  const simulate = program.command('simulate').description('a simulated SGLang server on a local port')
  addFlags(simulate, [
    ['--port <port>', 'port to listen on, 0 for any (default: 30000)'],
    ['--profile <name>', 'simulated server (default: qwen3.5-35b-a3b-h200)'],
    ['--speed <factor>', 'how many times as fast as the real one (default: 1)'],
    ['--seed <n>', 'seed of everything random (default: 1)'],
    ['--api-key <key>', 'key that clients have to send'],
    ['--admin-api-key <key>', 'key that flushing and aborting need, and no other will do'],
    ['--dialect <name>', 'version of SGLang to imitate: v0.4, v0.5.9 or v0.5.20 (default: v0.5.20)'],
    ['--dp <n>', 'data-parallel ranks (default: as the profile)'],
    ['--stream-interval <n>', 'output tokens from one chunk to the next (default: as the profile)'],
    ['--max-queued-requests <n>', 'requests that may wait before others get 503 (default: any number)'],
    ['--reasoning-parser <name>', 'tell the first part of an answer as thoughts'],
    [
      '--fault <kind[:name=n,name=n]>',
      'something that it does wrong, `list` names all; can be repeated',
      'repeat',
    ],
  ])
  simulate.action(async (raw: Record<string, unknown>) => done(await commands.simulate(raw, context)))

  for (const command of [program, run, demo, simulate])
    command
      .configureHelp({ optionDescription: option => option.description })
      .exitOverride()
      .configureOutput({ writeErr: () => {}, writeOut: text => context.stdout.write(text) })
  return program
}

/** The words with synonyms replaced, `--flag=value` included. */
export function withoutSynonyms(words: readonly string[]): string[] {
  return words.map(word => {
    const [flag = '', ...value] = word.split('=')
    const name = synonyms[flag]
    return name === undefined ? word : [name, ...value].join('=')
  })
}

const examples = `
Examples:
  tokgrid demo                          the simulated server, no GPU needed
  tokgrid http://127.0.0.1:30000        the whole matrix, live
  tokgrid --contexts 8k,32k --concurrency 1,8,32 --duration 20s
  tokgrid --headless -o result.json     for scripts; progress on stderr
  tokgrid --dry-run                     what would be measured, and what does not fit

Each flag can come from the environment: TOKGRID_CONTEXTS=8k,16k for --contexts.
`

function addFlags(command: Command, flags: readonly Flag[]): void {
  for (const [names, description, repeat] of flags) {
    const option = new Option(names, description)
    if (repeat !== undefined)
      option.argParser((value, previous: unknown) => [...(Array.isArray(previous) ? previous : []), value])
    // `--no-color` has the environment's own NO_COLOR.
    if (!option.negate) option.env(`TOKGRID_${option.name().replaceAll('-', '_').toUpperCase()}`)
    command.addOption(option)
  }
}

const listFlags = ['contexts', 'concurrency', 'prefillContexts'] as const

/** Lists joined to one text; a url that a list swallowed, or that stood alone, becomes the url. */
function withUrl(raw: Record<string, unknown>, url: string | undefined): Record<string, unknown> {
  const flags: Record<string, unknown> = { ...raw, ...(url === undefined ? {} : { url }) }
  for (const name of listFlags) {
    const words = flags[name]
    if (!Array.isArray(words)) continue
    const isUrl = (word: unknown) => typeof word === 'string' && /:\/\/|:\d+(\/|$)/.test(word)
    flags[name] = words.filter(word => !isUrl(word)).join(',')
    const swallowed: unknown = words.find(isUrl)
    if (swallowed !== undefined) flags.url ??= swallowed
  }
  return flags
}
