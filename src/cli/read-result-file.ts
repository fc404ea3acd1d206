import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { TokgridError } from '../domain/failure.ts'
import { readResult } from '../result/read-result.ts'
import type { RunResult } from '../result/schema.ts'
import { redactSettings, redactText } from '../server/redact.ts'

/** Far above any result (a full matrix with series has 2 MB), and far below what a process can hold. */
const mostBytes = 256 * 1024 * 1024

/**
 * A result from a file, of tokgrid or of a tool that it imports; secrets that another tool left in it are removed. Throws
 * TokgridError (usage) in one line.
 */
export function readResultFile(path: string): RunResult {
  const result = readResult(readText(path), path)
  if (result.imported === null) return result
  const { command } = result.run
  return {
    ...result,
    run: { ...result.run, command: command === null ? null : redactText(command) },
    imported: { ...result.imported, aside: redactSettings(result.imported.aside) },
  }
}

/** Piece by piece, because a pipe has no size and a device no end. */
function readText(path: string): string {
  const pieces: Buffer[] = []
  let bytes = 0
  try {
    const file = openSync(path, 'r')
    try {
      if (fstatSync(file).isDirectory())
        throw new TokgridError('usage', `${path} is a folder`, 'name a result file')
      for (let piece = readPiece(file); piece.length > 0; piece = readPiece(file)) {
        bytes += piece.length
        if (bytes > mostBytes)
          throw new TokgridError('usage', `${path} is larger than ${mostBytes / 1024 ** 2} MiB: no result is`)
        pieces.push(piece)
      }
    } finally {
      closeSync(file)
    }
  } catch (error) {
    if (error instanceof TokgridError) throw error
    throw new TokgridError('usage', `${path} cannot be read: ${whyNot(error)}`)
  }
  return Buffer.concat(pieces).toString('utf8')
}

function whyNot(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (!('code' in error)) return error.message
  return error.code === 'ENOENT' ? 'there is no such file' : `${error.code}`
}

function readPiece(file: number): Buffer {
  const piece = Buffer.alloc(1024 * 1024)
  return piece.subarray(0, readSync(file, piece))
}
