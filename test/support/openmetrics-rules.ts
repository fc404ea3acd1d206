/**
 * The rules of the OpenMetrics text format (1.0) that an exposition breaks, in words; none when it is well formed. Written
 * from the specification, and uses nothing of the exporter.
 */
export function brokenRules(text: string): string[] {
  const broken: string[] = []
  const say = (isBroken: boolean, rule: string) => {
    if (isBroken) broken.push(rule)
  }
  say(!text.endsWith('\n# EOF\n'), 'ends with # EOF and a line feed')
  say(text.includes('\r'), 'lines end with a line feed alone')
  const lines = text.split('\n').slice(0, -2)
  const families = new Map<string, { type: string; unit: string | null; hasSamples: boolean }>()
  const series = new Set<string>()
  let current = ''
  for (const line of lines) {
    const meta = /^# (TYPE|UNIT|HELP) ([a-zA-Z_:][\w:]*) (.*)$/.exec(line)
    if (meta !== null) {
      const [, kind = '', name = '', rest = ''] = meta
      const family = families.get(name)
      say(current !== name && family !== undefined, `${name}: a family stands in one piece`)
      say(family?.hasSamples === true, `${name}: metadata come before samples`)
      const next = family ?? { type: 'unknown', unit: null, hasSamples: false }
      if (kind === 'TYPE') {
        say(!['gauge', 'counter', 'info', 'stateset', 'unknown'].includes(rest), `${name}: type ${rest}`)
        next.type = rest
      }
      if (kind === 'UNIT') {
        say(!name.endsWith(`_${rest}`), `${name}: ends in its unit ${rest}`)
        next.unit = rest
      }
      if (kind === 'HELP') say(/(?:^|[^\\])(?:\\\\)*\\[^\\n"]/.test(rest), `${name}: help is escaped`)
      families.set(name, next)
      current = name
      continue
    }
    const sample =
      /^([a-zA-Z_:][\w:]*)\{((?:[a-zA-Z_]\w*="(?:[^"\\\n]|\\[\\"n])*",?)*)\} ([+-]?(?:\d+(?:\.\d+)?(?:e[+-]?\d+)?|Inf)|NaN)$/i.exec(
        line,
      )
    if (sample === null) {
      broken.push(`not a line of the format: ${line}`)
      continue
    }
    const [, name = '', labels = '', value = ''] = sample
    const family = families.get(current)
    const suffix = family?.type === 'info' ? '_info' : ''
    say(name !== `${current}${suffix}`, `${name}: belongs to the family above it`)
    say(family?.type === 'info' && value !== '1', `${name}: an info is 1`)
    say(family?.type === 'info' && family.unit !== null, `${name}: an info has no unit`)
    say(labels.endsWith(','), `${name}: no comma after the last label`)
    const names = [...labels.matchAll(/(?:^|,)([a-zA-Z_]\w*)="/g)].map(match => match[1])
    say(new Set(names).size !== names.length, `${name}: labels are distinct`)
    say(series.has(`${name}{${labels}}`), `${name}: series are distinct`)
    series.add(`${name}{${labels}}`)
    if (family !== undefined) family.hasSamples = true
  }
  for (const [name, family] of families) say(!family.hasSamples, `${name}: has samples`)
  return broken
}
