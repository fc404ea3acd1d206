import { Option } from 'commander'
import type { Flag } from './flag-list.ts'

/** The flag as commander takes it; it can come from the environment by `TOKGRID_<NAME>`. */
export function optionOf([names, description, repeat]: Flag): Option {
  const option = new Option(names, description)
  if (repeat !== undefined)
    option.argParser((value, previous: unknown) => [...(Array.isArray(previous) ? previous : []), value])
  // `--no-color` has the environment's own NO_COLOR.
  if (!option.negate) option.env(`TOKGRID_${option.name().replaceAll('-', '_').toUpperCase()}`)
  return option
}

/** The fixed words that its value is one of, from `<a|b>`; none when it takes anything. */
export function choicesOf([names]: Flag): readonly string[] {
  const words = /[<[]([^>\]]*)[>\]]/.exec(names)?.[1]?.split('|') ?? []
  return words.length > 1 ? words : []
}
