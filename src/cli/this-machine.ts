/** Whether a server at this url runs on this machine, as far as its host tells: one behind a tunnel seems to. */
export function isThisMachine(url: string): boolean {
  return /^(127(\.\d+){3}|0\.0\.0\.0|localhost|\[::1\])$/.test(new URL(url).hostname)
}
