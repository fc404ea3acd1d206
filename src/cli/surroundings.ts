import type { Surroundings } from '../result/build-result.ts'
import type { Description } from '../result/describe-result.ts'
import type { CliContext } from './context.ts'

export function describeSurroundings({ version }: CliContext, description: Description): Surroundings {
  return { tool: { name: 'tokgrid', version, node: process.versions.node }, description }
}
