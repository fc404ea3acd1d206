import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { TokgridError } from '../domain/failure.ts'
import { fileProblem } from './file-problem.ts'

/** Far above anything that is read here (a full matrix with series has 2 MB), far below what a process can hold. */
const mostBytes = 256 * 1024 * 1024

/** A file's text; `name` is for messages. Throws TokgridError (usage) in one line when it cannot be read. */
export function readFileText(path: string, name: string = path): string {
  try {
    const file = openSync(path, 'r')
    try {
      if (fstatSync(file).isDirectory()) throw new TokgridError('usage', `${name} is a folder`, 'name a file')
      return readToEnd(file, name)
    } finally {
      closeSync(file)
    }
  } catch (error) {
    if (error instanceof TokgridError) throw error
    throw new TokgridError('usage', `${name} cannot be read: ${fileProblem(error, 'there is no such file')}`)
  }
}

/** Piece by piece, because a pipe has no size and a device no end. */
function readToEnd(file: number, name: string): string {
  const pieces: Buffer[] = []
  let bytes = 0
  for (let piece = readPiece(file); piece.length > 0; piece = readPiece(file)) {
    bytes += piece.length
    if (bytes > mostBytes)
      throw new TokgridError('usage', `${name} is larger than ${mostBytes / 1024 ** 2} MiB`)
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString('utf8')
}

function readPiece(file: number): Buffer {
  const piece = Buffer.alloc(1024 * 1024)
  return piece.subarray(0, readSync(file, piece))
}
