import { TokgridError } from '../domain/failure.ts'

/** A mistake in the value of one flag. */
export class FlagError extends TokgridError {
  /** As commander names its value: `maxTokens`. */
  readonly flag: string

  constructor(flag: string, problem: string) {
    super('usage', `--${flag.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)}: ${problem}`)
    this.flag = flag
  }
}
