import { TokgridError } from '../domain/failure.ts'

/** Makes a document of one version into one of the next. */
export type Upgrade = (document: Readonly<Record<string, unknown>>) => Record<string, unknown>

/**
 * How versions of the result file are dealt with. New fields may come at any time and are `null` in older files; readers
 * leave alone what they do not know. A field that is renamed, goes away or changes its meaning makes a new version, and
 * a function here, under the number of the version that it starts from. There has been only one version so far.
 */
const upgrades: Readonly<Record<number, Upgrade>> = {}

/** The document in version `wanted`. Throws TokgridError (usage) when it is newer than that. */
export function upgradeResult(
  document: Readonly<Record<string, unknown>>,
  file: string,
  wanted: number,
  known: Readonly<Record<number, Upgrade>> = upgrades,
): Record<string, unknown> {
  let current = { ...document }
  for (let version = current.schemaVersion; typeof version === 'number'; version = current.schemaVersion) {
    if (version > wanted)
      throw new TokgridError(
        'usage',
        `${file} is a result of version ${version}, this tokgrid reads up to version ${wanted}`,
        'use the tokgrid that wrote it, or a newer one',
      )
    const upgrade = known[version]
    if (version === wanted || upgrade === undefined) return current
    current = { ...upgrade(current), schemaVersion: version + 1 }
  }
  return current
}
