import type { CommandSpec } from './commands.ts'
import type { Flag } from './flag-list.ts'
import { choicesOf, optionOf } from './option.ts'

export const shells = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof shells)[number]

/** What a flag looks like to a shell. */
type CompletedFlag = {
  /** `--output`, `-o` */
  readonly words: readonly string[]
  readonly description: string
  readonly takesValue: boolean
  readonly takesMany: boolean
  readonly choices: readonly string[]
}

/** A script that completes commands, flags and fixed values in that shell; the names of files are left to the shell. */
export function completionScript(shell: Shell, commands: readonly CommandSpec[]): string {
  const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript }
  return scripts[shell](commands)
}

function completed(flag: Flag): CompletedFlag {
  const option = optionOf(flag)
  return {
    words: [option.long, option.short].flatMap(word => word ?? []),
    description: option.description,
    takesValue: option.required,
    takesMany: flag[2] === 'repeat',
    choices: choicesOf(flag),
  }
}

function wordChoices({ words }: CommandSpec): readonly string[] {
  return words === undefined ? [] : choicesOf([words[0], words[1]])
}

function defaultCommand(commands: readonly CommandSpec[]): string {
  return commands.find(({ isDefault }) => isDefault)?.name ?? ''
}

function bashScript(commands: readonly CommandSpec[]): string {
  const names = commands.map(({ name }) => name)
  const values = commands.flatMap(({ name, flags }) =>
    flags
      .map(completed)
      .filter(({ takesValue }) => takesValue)
      .map(({ words, choices }) => {
        const pattern = words.map(word => `${name}:${word}`).join('|')
        return `    ${pattern}) words='${choices.join(' ')}';;`
      }),
  )
  const lists = commands.map(spec => {
    const flags = spec.flags.flatMap(flag => completed(flag).words)
    return `    ${spec.name}) flags='${[...flags, '--help'].join(' ')}'; words='${wordChoices(spec).join(' ')}';;`
  })
  return `# bash completion of tokgrid: eval "$(tokgrid completion bash)"
_tokgrid() {
  local current=\${COMP_WORDS[COMP_CWORD]} command=${defaultCommand(commands)} flags words word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case $word in ${names.join('|')}) command=$word; break;; esac
  done
  case $command in
${lists.join('\n')}
  esac
  [[ $current == -* ]] && words=$flags
  (( COMP_CWORD == 1 )) && [[ $current != -* ]] && words='${names.join(' ')}'
  case $command:\${COMP_WORDS[COMP_CWORD-1]} in
${values.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _tokgrid tokgrid
`
}

function zshScript(commands: readonly CommandSpec[]): string {
  const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`
  const plain = (text: string) => text.replaceAll(/[[\]:\\]/g, letter => `\\${letter}`)
  const functions = commands.map(spec => {
    const flags = spec.flags.map(completed).map(({ words, description, takesValue, takesMany, choices }) => {
      const value = choices.length > 0 ? `:value:(${choices.join(' ')})` : takesValue ? ':value:_files' : ''
      const [long = '', short] = words
      const text = `[${plain(description)}]${value}`
      if (short !== undefined) return `${quote(`(${short} ${long})`)}{${short},${long}}${quote(text)}`
      return quote(`${takesMany ? '*' : ''}${long}${text}`)
    })
    const rest = wordChoices(spec)
    const words = quote(rest.length > 0 ? `*:word:(${rest.join(' ')})` : '*:file:_files')
    return `    ${spec.name}) _arguments ${[...flags, words].join(' ')};;`
  })
  const described = commands.map(({ name, description }) => quote(`${name}:${plain(description)}`))
  return `#compdef tokgrid
# zsh completion of tokgrid: eval "$(tokgrid completion zsh)"
_tokgrid() {
  local command=${defaultCommand(commands)}
  local -a commands=(${described.join(' ')})
  if (( $#words > 2 )) && (( \${commands[(I)$words[2]:*]} )); then
    command=$words[2]
    shift words
    (( CURRENT-- ))
  elif (( CURRENT == 2 )) && [[ $words[2] != -* ]]; then
    _describe command commands
    return
  fi
  case $command in
${functions.join('\n')}
  esac
}
compdef _tokgrid tokgrid
`
}

function fishScript(commands: readonly CommandSpec[]): string {
  const quote = (text: string) => `'${text.replaceAll(/['\\]/g, letter => `\\${letter}`)}'`
  const names = commands.map(({ name }) => name).join(' ')
  const lines = commands.flatMap(spec => {
    const seen = `__fish_seen_subcommand_from ${spec.name}`
    const when = spec.isDefault === true ? `${seen}; or not __fish_seen_subcommand_from ${names}` : seen
    const flags = spec.flags.map(completed).map(({ words, description, takesValue, choices }) => {
      const [long = '', short] = words
      const value = choices.length > 0 ? ` -x -a ${quote(choices.join(' '))}` : takesValue ? ' -r' : ''
      const letter = short === undefined ? '' : ` -s ${short.slice(1)}`
      return `complete -c tokgrid -n ${quote(when)} -l ${long.slice(2)}${letter}${value} -d ${quote(description)}`
    })
    const rest = wordChoices(spec)
    return [
      `complete -c tokgrid -n '__fish_use_subcommand' -a ${spec.name} -d ${quote(spec.description)}`,
      ...flags,
      ...(rest.length > 0 ? [`complete -c tokgrid -n ${quote(seen)} -f -a ${quote(rest.join(' '))}`] : []),
    ]
  })
  return `# fish completion of tokgrid: tokgrid completion fish | source\n${lines.join('\n')}\n`
}
