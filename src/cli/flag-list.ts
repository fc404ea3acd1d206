import { descriptionFlagList } from './description-flags.ts'

/** As commander takes them. Words after a flag with `...` belong to it up to the next flag; some flags can be repeated. */
export type Flag = readonly [flags: string, description: string, repeat?: 'repeat']

export const targetFlags: readonly Flag[] = [
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
  ['--retry-invalid', 'measure cells that ended invalid or failed once more at the end'],
  ['--force', 'run cells that do not fit'],
  ['--kv-budget <tokens>', 'KV cache to plan with, instead of what the server tells'],
  ['--resume <file>', 'take what an earlier result has of these cells, and measure the rest'],
  ['--dry-run', 'show the planned matrix and where the settings come from, and end'],
]

/** Limits for nine of ten requests; the same for a run and for what is made of its result. */
export const sloFlagList: readonly Flag[] = [
  [
    '--slo <limit>',
    'ttft=1s or itl=50ms: tells the largest concurrency that holds it; can be repeated',
    'repeat',
  ],
  [
    '--require <context=streams>',
    'fail (exit 4) when fewer streams hold the SLO: 8k=16, or 16 for every context; can be repeated',
    'repeat',
  ],
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
  [
    '--hardware <auto|on|off>',
    'look at GPUs and host here (default: auto: when the server is on this machine)',
  ],
  ...sloFlagList,
]

export const configFlag: Flag = ['--config <file>', 'YAML or JSON file that gives flags by their names']

const outputFlags: readonly Flag[] = [
  ['-o, --output <file>', 'result file, - for stdout (default: ./tokgrid-<model>-<time>.json)'],
  ['--events <file>', 'write the run’s events as JSON lines, - for stdout'],
  ['--quiet', 'no screen and no progress: only what is wrong, and where the result is'],
  ['--headless', 'plain lines instead of the screen; also --no-tui'],
  ['--no-color', 'no colours'],
  ['--ascii', 'ASCII characters only'],
  ['--fps <n>', 'redraws a second, 1 to 10 (default: 4)'],
  configFlag,
  ['-y, --yes', 'do not ask before a long run'],
]

export const runFlagList: readonly Flag[] = [
  ...targetFlags,
  ...matrixFlags,
  ...cellFlags,
  ...descriptionFlagList,
  ...outputFlags,
]

const headings: readonly (readonly [heading: string, readonly Flag[]])[] = [
  ['The server:', targetFlags],
  ['What is measured:', matrixFlags],
  ['What has to hold:', sloFlagList],
  ['How it is measured:', cellFlags],
  ['What the server does not tell:', descriptionFlagList],
  ['What is shown and written:', outputFlags.filter(flag => flag !== configFlag)],
]

/** Under which heading the help shows a flag; `null`: among the command's own. */
export function headingOf(flag: Flag): string | null {
  return headings.find(([, flags]) => flags.includes(flag))?.[0] ?? null
}
