/** Proxies by the scheme of the server's url, and hosts that are reached without one, as in the environment. May hold a password. */
export type ProxySettings = {
  readonly http: string | null
  readonly https: string | null
  /** Comma-separated, as NO_PROXY. */
  readonly except: string
}
