import type { Command, Option } from 'commander'
import { TokgridError } from '../domain/failure.ts'
import { commandText } from '../server/command-text.ts'
import type { Config } from './config-file.ts'
import { FlagError } from './flag-error.ts'
import type { Environment } from './target.ts'

/** Where the value of a flag comes from. */
export type Origin = {
  /** As commander names the value: `maxTokens`. */
  readonly name: string
  /** The flag with its value, without secrets. */
  readonly text: string
  /** `command line`, the variable, or file and line. */
  readonly source: string
}

/** Flags that say one thing: one that is given silences what the file says by the others. */
const alternatives = [
  ['url', 'host', 'port'],
  ['apiKey', 'apiKeyFile'],
  ['skipPrefill', 'prefillOnly'],
]

/**
 * The flags' values and where they come from: the command line, else the environment, else the file of `--config`, which
 * may hold any of the `configurable`. Rejects with TokgridError (usage) for a file that is none.
 */
export async function flagValues(command: Command, configurable: readonly Option[], env: Environment) {
  const raw: Record<string, unknown> = { ...command.opts() }
  const path = raw.config
  const config: Config =
    typeof path === 'string' ? (await import('./config-file.ts')).readConfig(path, configurable) : new Map()
  const given = new Map<string, Origin>()
  for (const option of command.options) {
    const name = option.attributeName()
    const by = command.getOptionValueSource(name)
    if (by === 'env' && isOff(option, env)) delete raw[name]
    else if (by === 'cli' || by === 'env')
      given.set(name, {
        name,
        text: optionText(option, raw[name]),
        source: by === 'cli' ? 'command line' : (option.envVar ?? ''),
      })
  }
  const isSilenced = (name: string) =>
    (alternatives.find(names => names.includes(name)) ?? [name]).some(
      one => given.has(one) || (one === 'url' && command.args.length > 0),
    )
  const filed = command.options.flatMap(option => {
    const name = option.attributeName()
    const value = config.get(name)
    if (value === undefined || isSilenced(name)) return []
    raw[name] = value.raw
    return [{ name, text: optionText(option, value.raw), source: `${path}:${value.line}` }]
  })
  const words = command.args.map(word => ({
    name: 'words',
    text: commandText([word]),
    source: 'command line',
  }))
  return { raw, origins: [...words, ...given.values(), ...filed] }
}

/** commander takes any value of a switch's variable for «on». */
function isOff({ required, envVar }: Option, env: Environment): boolean {
  return !required && envVar !== undefined && /^(0|false|no|off|)$/i.test(env[envVar] ?? 'on')
}

/** The error with the place where the flag's value stands, when that is not the command line. */
export function withOrigin(error: unknown, origins: readonly Origin[]): unknown {
  if (!(error instanceof FlagError)) return error
  const source = origins.find(({ name }) => name === error.flag)?.source ?? 'command line'
  return source === 'command line'
    ? error
    : new TokgridError(error.code, `${source}: ${error.message}`, error.hint)
}

/** One flag as on a command line. */
function optionText(option: Option, value: unknown): string {
  const flag = `--${option.negate && value !== false ? option.attributeName() : option.name()}`
  if (!option.required) return value === false && !option.negate ? `${flag} off` : flag
  return commandText([flag, ...(Array.isArray(value) ? value : [value]).map(String)])
}
