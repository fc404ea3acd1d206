import type { CliContext } from './context.ts'
import { configFlag, type Flag, runFlagList, sloFlagList, targetFlags } from './flag-list.ts'

/** One command: how its words are read and what does it. */
export type CommandSpec = {
  readonly name: string
  readonly description: string
  /** Words that belong to no flag, as commander takes them. */
  readonly words?: readonly [name: string, description: string]
  readonly flags: readonly Flag[]
  /** Command lines that run as they stand, with what they do; for the help. */
  readonly examples?: readonly (readonly [command: string, what: string])[]
  readonly isDefault?: boolean
  /** Loads the command's code only when it is asked for. */
  readonly load: () => Promise<Command>
}

/** Does the command for the flags' texts and the other words; returns the exit code. Rejects with TokgridError. */
export type Command = (
  raw: Readonly<Record<string, unknown>>,
  words: readonly string[],
  context: CliContext,
) => Promise<number>

const simulatorFlags: readonly Flag[] = [
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
]

/** All commands, in the order of the help. */
export const commands: readonly CommandSpec[] = [
  {
    name: 'run',
    description: 'measure a server: prefill, then sustained decode',
    words: ['[url]', 'server to measure'],
    flags: runFlagList,
    isDefault: true,
    examples: [
      ['tokgrid http://127.0.0.1:30000', 'the whole matrix, live'],
      ['tokgrid --contexts 8k,32k --concurrency 1,8,32 --duration 20s', 'part of it, quicker'],
      ['tokgrid --dry-run', 'what would be measured, what does not fit, and why'],
      ['tokgrid --headless -o result.json', 'for scripts: progress on stderr'],
      ['tokgrid --resume result.json -o result.json', 'go on where an interrupted run ended'],
      ['tokgrid --quiet --config bench.yaml -o result.json', 'flags from a file, nothing but trouble told'],
      ['tokgrid --slo ttft=1s --slo itl=50ms --require 8k=8', 'exit 4 when 8 streams of 8K do not hold it'],
    ],
    load: async () => (await import('./run-command.ts')).runCommand,
  },
  {
    name: 'demo',
    description: 'the same against the built-in simulated server',
    flags: [
      ...runFlagList.filter(flag => !targetFlags.slice(0, 3).includes(flag)),
      ['--profile <name>', 'simulated server (default: qwen3.5-35b-a3b-h200)'],
      ['--speed <factor>', 'how many times as fast as the real one (default: 1)'],
      ['--full', 'the whole matrix with full windows instead of a short one'],
    ],
    examples: [
      ['tokgrid demo', 'no GPU, no network, three minutes'],
      [
        'tokgrid demo --profile deepseek-v4-flash-2xh200 --speed 4 --full',
        'the whole matrix of another server',
      ],
    ],
    load: async () => (await import('./demo-command.ts')).demoCommand,
  },
  {
    name: 'watch',
    description: 'what servers do, live, without any load',
    words: ['[urls...]', 'servers to watch'],
    flags: [
      ['--url <url>', 'server to watch; also --base-url, or as arguments, several at once'],
      ...targetFlags.slice(1, 9),
      configFlag,
      ['--once', 'one snapshot, then end (exit 5 when a server cannot be reached)'],
      ['--json', 'one JSON object for each look at each server; also --format json'],
      ['--format <text|json>', 'how snapshots and lines are written (default: text)'],
      ['--headless', 'a plain line each second instead of the screen; also --no-tui'],
      ['--no-color', 'no colours'],
      ['--ascii', 'ASCII characters only'],
    ],
    examples: [
      ['tokgrid watch', 'the server at the default url'],
      ['tokgrid watch http://gpu1:30000 http://gpu2:30000', 'two servers side by side'],
      ['tokgrid watch --once --json', 'for scripts'],
    ],
    load: async () => (await import('./watch-command.ts')).watchCommand,
  },
  {
    name: 'doctor',
    description:
      'what a server offers, what it lacks and the flag for that, and what this client can sustain',
    words: ['[url]', 'server to look at'],
    flags: [
      ...targetFlags,
      ['--concurrency <counts...>', 'streams that are to be sustained (default: up to 128)'],
      ['--workers <n>', 'load threads (default: by streams and cores)'],
      configFlag,
      ['--format <text|json>', 'how the findings are written (default: text)'],
      ['--ascii', 'ASCII characters only'],
    ],
    examples: [
      ['tokgrid doctor', 'the server at the default url'],
      ['tokgrid doctor http://127.0.0.1:30000 --concurrency 256', 'whether 256 streams can be sustained'],
      ['tokgrid doctor --format json', 'for scripts; exit 3 when a run would not be trustworthy'],
    ],
    load: async () => (await import('./doctor-command.ts')).doctorCommand,
  },
  {
    name: 'simulate',
    description: 'a simulated SGLang server on a local port',
    flags: simulatorFlags,
    examples: [
      ['tokgrid simulate --profile small', 'on SGLang’s port, until it is stopped'],
      ['tokgrid simulate --port 0 --fault no-metrics', 'on any free port, without /metrics'],
      ['tokgrid simulate --fault list', 'what it can do wrong'],
    ],
    load: async () => (await import('./simulate-command.ts')).simulateCommand,
  },
  {
    name: 'report',
    description: 'show results: for the terminal, as markdown, HTML, CSV or JSON',
    words: ['[files...]', 'result files, of tokgrid or of a tool that it imports'],
    flags: [
      [
        '--format <terminal|markdown|html|csv|json>',
        'how to show them (default: by the name of -o, else terminal)',
      ],
      ['-o, --output <file>', 'where it goes (default: - for stdout)'],
      ['--details', 'terminal: also hardware, engine, launch, all figures and the method'],
      ...sloFlagList,
      ['--ascii', 'ASCII characters only'],
      ['--no-color', 'no bold headings'],
    ],
    examples: [
      ['tokgrid report result.json', 'what the run showed at its end'],
      ['tokgrid report result.json -o result.md', 'for a pull request'],
      ['tokgrid report result.json -o report.html', 'one page that loads nothing, to send around'],
      ['tokgrid report a.json b.json -o both.csv', 'one row for each cell of both'],
    ],
    load: async () => (await import('./report-command.ts')).reportCommand,
  },
  {
    name: 'compare',
    description: 'hold results against the first of them, cell by cell',
    words: ['[files...]', 'the baseline, then the results to hold against it'],
    flags: [
      [
        '--format <terminal|markdown|html|json>',
        'how to show it (default: by the name of -o, else terminal)',
      ],
      ['-o, --output <file>', 'where it goes (default: - for stdout)'],
      [
        '--gate <figure:change>',
        'fail (exit 4) on a change that is no noise: tok/s:-3%, steps/s, ttft:+10%, itl, prefill; can be repeated',
        'repeat',
      ],
      ['--run-noise <share>', 'by how much runs of the same server differ, 95 % of them (default: 1%)'],
      ...sloFlagList,
      ['--force', 'compare runs of different model, prompts, sampling or answer length, too'],
      ['--ascii', 'ASCII characters only'],
    ],
    examples: [
      ['tokgrid compare before.json after.json', 'what got better and what worse'],
      [
        "tokgrid compare before.json after.json --gate 'tok/s:-3%' --gate 'ttft:+10%'",
        'for CI: exit 4 when it got slower',
      ],
      ['tokgrid compare before.json after.json --format markdown', 'for a pull request'],
    ],
    load: async () => (await import('./compare-command.ts')).compareCommand,
  },
  {
    name: 'import',
    description: 'read results of llm-inference-bench, vLLM, SGLang or AIPerf benchmarks',
    words: ['[files...]', 'their files; runs of one model by one tool become one result'],
    flags: [['-o, --output <file>', 'where the result goes (default: - for stdout)']],
    examples: [
      ['tokgrid import benchmark_results.json -o result.json', 'an llm-inference-bench run'],
      ['tokgrid import c1.json c8.json c32.json -o result.json', 'vLLM runs, one for each concurrency'],
    ],
    load: async () => (await import('./import-command.ts')).importCommand,
  },
  {
    name: 'export',
    description: 'write a result in the format of another tool',
    words: ['[file]', 'the result'],
    flags: [
      ['--format <llm-inference-bench|localmaxxing|openmetrics|jsonl>', 'whose format'],
      ['-o, --output <file>', 'where it goes (default: - for stdout)'],
      ['--cell <context x streams>', 'only this cell, 8kx1; can be repeated', 'repeat'],
    ],
    examples: [
      [
        'tokgrid export result.json --format openmetrics -o tokgrid.prom',
        'for Prometheus’ text-file collector',
      ],
      [
        'tokgrid export result.json --format localmaxxing --cell 8kx1',
        'a payload to look at; nothing is sent',
      ],
    ],
    load: async () => (await import('./export-command.ts')).exportCommand,
  },
  {
    name: 'schema',
    description: 'the JSON Schema of the result file',
    flags: [['--markdown', 'its reference for readers instead']],
    examples: [
      ['tokgrid schema > result.schema.json', 'for validators and editors'],
      ['tokgrid schema --markdown', 'each field with its unit and meaning'],
    ],
    load: async () => (await import('./schema-command.ts')).schemaCommand,
  },
  {
    name: 'completion',
    description: 'print a script that completes commands and flags in a shell',
    words: ['<bash|zsh|fish>', 'the shell'],
    flags: [],
    examples: [
      ['tokgrid completion bash > tokgrid.bash', 'then: source tokgrid.bash'],
      ['tokgrid completion zsh', 'for eval "$(…)" in ~/.zshrc'],
      ['tokgrid completion fish', 'for ~/.config/fish/completions/tokgrid.fish'],
    ],
    load: async () => (await import('./completion-command.ts')).completionCommand,
  },
]
