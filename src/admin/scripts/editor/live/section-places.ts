// The lines that open and close the sections of a text.

import type { Text } from '@codemirror/state'
import { findSections, type SectionLines } from '../../../../content/sections/section-lines.ts'

/** A line that opens or closes a section. */
export interface SectionEdge {
  readonly side: 'open' | 'close'
  readonly section: SectionLines
}

type Edges = ReadonlyMap<number, SectionEdge>

/** A text does not change: its edges are found once. */
const found = new WeakMap<Text, Edges>()

/** The edges of all sections, by the numbers of their lines, from 1. */
export function sectionEdges(doc: Text): Edges {
  const known = found.get(doc)
  if (known) return known
  const edges = new Map<number, SectionEdge>()
  for (const [line, section] of findSections(doc.toString())) {
    edges.set(line + 1, { side: 'open', section })
    edges.set(section.end + 1, { side: 'close', section })
  }
  found.set(doc, edges)
  return edges
}
