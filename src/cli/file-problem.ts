const words: Readonly<Record<string, string>> = {
  EACCES: 'no permission',
  EISDIR: 'it is a folder',
  ENOSPC: 'the disk is full',
  EPERM: 'no permission',
  EROFS: 'the disk is read-only',
}

/** Why the system refused a file, in a few words; `missing` is what it means that there is none. */
export function fileProblem(error: unknown, missing: string): string {
  if (!(error instanceof Error)) return String(error)
  if (!('code' in error)) return error.message
  const code = String(error.code)
  // "EBUSY: resource busy or locked, rename '…' -> '…'"
  return code === 'ENOENT' ? missing : (words[code] ?? error.message.split(',')[0] ?? code)
}
