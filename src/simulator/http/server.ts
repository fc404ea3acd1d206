import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Engine } from '../engine/engine.ts'
import type { Fault, LifeFault } from '../faults.ts'
import { dialects } from './dialect.ts'
import { EngineDriver } from './engine-driver.ts'
import { viewEngine } from './engine-view.ts'
import { FaultSet } from './fault-set.ts'
import { type Access, handleRequest } from './handle-request.ts'
import { type ServerOptions, unixSeconds } from './host.ts'
import { whenDue } from './life.ts'
import { createPages, type Pages } from './pages.ts'

/** Where the server gets its engines and its times (ms) from. */
export type ServerParts = {
  readonly createEngine: () => Engine
  readonly clock: () => number
  readonly now: () => Date
}

/** The HTTP face of the simulated server. It can go down and come back, with a new engine. */
export class SimulatedServer {
  readonly #options: ServerOptions
  readonly #parts: ServerParts
  readonly #faults = new FaultSet()
  readonly #http = createServer((request, response) => {
    void handleRequest(request, response, this.#pages, this.#access)
  })
  readonly #access: Access
  #driver: EngineDriver
  #pages: Pages = () => undefined
  #port = 0
  #callOff: readonly (() => void)[] = []

  constructor(options: ServerOptions, parts: ServerParts) {
    this.#options = options
    this.#parts = parts
    const { takesKeyHeader } = dialects[options.dialect]
    this.#access = { apiKey: options.apiKey, adminApiKey: options.adminApiKey, takesKeyHeader }
    this.#driver = new EngineDriver(parts.createEngine(), parts.clock)
  }

  /** Listens on 127.0.0.1; resolves to the port. Rejects as Node does, when the port is taken. */
  async listen(port: number): Promise<number> {
    this.#http.listen(port, '127.0.0.1')
    await once(this.#http, 'listening')
    const address = this.#http.address()
    if (typeof address === 'object' && address !== null) this.#port = address.port
    this.#open()
    this.#setFaults(this.#options.faults)
    return this.#port
  }

  /** Ends everything that is under way, and faults to come; resolves when the port is closed. */
  async close(): Promise<void> {
    this.#setFaults([])
    this.#driver.stop()
    if (!this.#http.listening) return
    this.#http.close()
    this.#http.closeAllConnections()
    await once(this.#http, 'close')
  }

  #open(): void {
    const { now } = this.#parts
    const driver = this.#driver
    this.#pages = createPages({
      options: this.#options,
      driver,
      view: viewEngine(driver, dialects[this.#options.dialect], this.#faults),
      faults: this.#faults,
      setFaults: faults => this.#setFaults(faults),
      port: this.#port,
      startedAt: unixSeconds(now()),
      now,
    })
  }

  #setFaults(faults: readonly Fault[]): void {
    for (const callOff of this.#callOff) callOff()
    this.#faults.set(faults)
    this.#callOff = this.#faults.life.map(fault =>
      whenDue(fault, this.#driver, () => void this.#undergo(fault)),
    )
  }

  async #undergo(fault: LifeFault): Promise<void> {
    const others = this.#faults.active.filter(other => other !== fault)
    await this.close()
    switch (fault.kind) {
      case 'die':
        return
      case 'restart':
        this.#comeBackLater(others, fault.downMs)
        return
      default:
        fault satisfies never
    }
  }

  #comeBackLater(faults: readonly Fault[], downMs: number): void {
    const timer = setTimeout(() => void this.#comeBack(faults), downMs)
    this.#callOff = [() => clearTimeout(timer)]
  }

  async #comeBack(faults: readonly Fault[]): Promise<void> {
    this.#driver = new EngineDriver(this.#parts.createEngine(), this.#parts.clock)
    this.#http.listen(this.#port, '127.0.0.1')
    await once(this.#http, 'listening')
    this.#open()
    this.#setFaults(faults)
  }
}
