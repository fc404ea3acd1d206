/** Decode speed and acceptance between two publications of the gauges. */
export class DecodeMeter {
  /** Output tokens per second over the last interval, prefill stalls in it included; stays when idle. */
  tokensPerSecond = 0
  /** Tokens per stream and step over the last interval. */
  acceptLength = 0
  #since = 0
  #tokens = 0
  #streamSteps = 0

  add(tokens: number): void {
    this.#tokens += tokens
    this.#streamSteps++
  }

  /** Ends the interval that began with the last publication. */
  publish(at: number): void {
    this.tokensPerSecond = (this.#tokens * 1000) / (at - this.#since)
    this.acceptLength = this.#tokens / this.#streamSteps
    this.#since = at
    this.#tokens = 0
    this.#streamSteps = 0
  }
}
