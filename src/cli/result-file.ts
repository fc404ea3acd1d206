import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { TokgridError } from '../domain/failure.ts'
import type { RunResult } from '../result/schema.ts'
import { fileProblem } from './file-problem.ts'

/**
 * The file that a run's result goes to. Written whole and renamed into place, so that a reader never sees half a
 * document and a crash leaves the last complete one. Synchronous, so that it works on the way out, too.
 */
export class ResultFile {
  readonly path: string
  #failure: string | null = null

  /** Throws TokgridError (usage) when the folder cannot be written to. An existing file is kept as `.bak`, but not `replaced`. */
  constructor(path: string, replaced: string | null = null) {
    this.path = resolve(path)
    if (statSync(this.path, { throwIfNoEntry: false })?.isDirectory())
      throw new TokgridError('usage', `${path} is a folder`, 'give a file in it by -o')
    try {
      const isFile = isFileOrNone(this.path)
      accessSync(isFile ? dirname(this.path) : this.path, constants.W_OK)
      const isReplaced = replaced !== null && resolve(replaced) === this.path
      if (isFile && existsSync(this.path) && !isReplaced) renameSync(this.path, `${this.path}.bak`)
    } catch {
      throw new TokgridError(
        'usage',
        `${path} cannot be written`,
        'give a file in a folder that exists and is yours by -o',
      )
    }
  }

  /** Why the last write failed, `null` when it did not. */
  get failure(): string | null {
    return this.#failure
  }

  write(result: RunResult): void {
    this.#failure = writeText(this.path, documentText(result))
  }

  /** The last write: when the disk refuses, the system's temporary folder is tried. Returns where the result is, if anywhere. */
  writeLast(result: RunResult): string | null {
    this.write(result)
    if (this.#failure === null) return this.path
    const fallback = join(tmpdir(), basename(this.path))
    return writeText(fallback, documentText(result)) === null ? fallback : null
  }
}

/** `./tokgrid-<model>-<UTC time>.json`, the model's name reduced to what every file system takes. */
export function defaultResultPath(modelId: string, wallTime: string): string {
  const model =
    modelId
      .replace(/[^\w.-]+/g, '-')
      .replace(/^[-.]+|-+$/g, '')
      .slice(0, 60) || 'model'
  return `tokgrid-${model}-${wallTime.slice(0, 19).replace(/[:-]/g, '')}Z.json`
}

/** The document as it is written anywhere. */
export function documentText(result: RunResult): string {
  return `${JSON.stringify(result, null, 1)}\n`
}

/**
 * Writes a file whole, or leaves the old one; of a link, the file that it names; a device or a pipe as it stands. Returns
 * why it could not, `null` when it did.
 */
export function writeText(path: string, text: string): string | null {
  try {
    if (isFileOrNone(path)) replaceFile(existsSync(path) ? realpathSync(path) : path, text)
    else writeFileSync(path, text)
    return null
  } catch (error) {
    return fileProblem(error, 'there is no such folder')
  }
}

function isFileOrNone(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? true
}

function replaceFile(path: string, text: string): void {
  const draft = `${path}.${process.pid}.tmp`
  try {
    const file = openSync(draft, 'w')
    try {
      writeFileSync(file, text)
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
    renameSync(draft, path)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
}
