import type { Command, Option } from 'commander'
import { TokgridError } from '../domain/failure.ts'
import { commandText } from '../server/command-text.ts'
import type { Config } from './config-file.ts'
import { FlagError } from './flag-error.ts'
import type { Environment } from './target.ts'
import { swallowedUrl } from './word-lists.ts'

/** Where the value of a flag comes from. */
export type Origin = {
  /** As commander names the value: `maxTokens`. */
  readonly name: string
  /** The flag with its value, without secrets. */
  readonly text: string
  /** `command line`, the variable, or file and line. */
  readonly source: string
}

/** Flags that say one thing: one that is given silences what environment or file, which count less, say by the other. */
const alternatives = [
  ['url', 'host'],
  ['url', 'port'],
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
  const names = command.options.map(option => option.attributeName())
  const typed = new Set(names.filter(name => command.getOptionValueSource(name) === 'cli'))
  if (command.args.length > 0 || swallowedUrl(raw) !== undefined) typed.add('url')
  const given = new Map<string, Origin>()
  for (const option of command.options) {
    const name = option.attributeName()
    const by = command.getOptionValueSource(name)
    if (by === 'env' && (isSilenced(name, typed) || !isOn(option, env))) delete raw[name]
    else if (by === 'cli' || by === 'env')
      given.set(name, {
        name,
        text: optionText(option, raw[name]),
        source: by === 'cli' ? 'command line' : (option.envVar ?? ''),
      })
  }
  const known = new Set([...typed, ...given.keys()])
  const filed = command.options.flatMap(option => {
    const name = option.attributeName()
    const value = config.get(name)
    if (value === undefined || isSilenced(name, known)) return []
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

function isSilenced(name: string, given: ReadonlySet<string>): boolean {
  return [[name], ...alternatives].some(names => names.includes(name) && names.some(one => given.has(one)))
}

/** Whether a variable sets its flag: commander takes any value of a switch's variable for «on». */
function isOn({ required, envVar }: Option, env: Environment): boolean {
  const value = required || envVar === undefined ? 'on' : (env[envVar] ?? 'on')
  if (/^(0|false|no|off|)$/i.test(value)) return false
  if (/^(1|true|yes|on)$/i.test(value)) return true
  throw new TokgridError('usage', `${envVar}: "${value}" is neither on nor off`, 'give 1 or 0')
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
