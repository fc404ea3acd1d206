import { Box, Text } from 'ink'
import type { ReactNode } from 'react'
import { fitLine, type Line } from './span.ts'
import { paint, type Theme } from './theme.ts'

export type PaneProps = { readonly lines: readonly Line[]; readonly width: number; readonly theme: Theme }

/** Lines as one text node: Ink's cost is its nodes. */
export function Pane({ lines, width, theme }: PaneProps): ReactNode {
  if (lines.length === 0) return null
  return (
    <Box width={width} height={lines.length} flexShrink={0}>
      <Text wrap="truncate">{lines.map(line => paint(fitLine(line, width), theme)).join('\n')}</Text>
    </Box>
  )
}
