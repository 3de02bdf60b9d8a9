// The lines that open and close sections. All of a text are paired in one pass, so that a text of a million opening lines takes
// linear time.

/** A section by its lines, from 0. */
export interface SectionLines {
  readonly kind: string
  /** The attributes with their braces; empty if there are none. */
  readonly attributes: string
  /** The line that closes it. */
  readonly end: number
  /** 0 for a section by itself, 1 within another. */
  readonly depth: number
  /** The kind around it; undefined if it stands by itself. */
  readonly parent: string | undefined
}

const opening = /^:{3,}[ \t]*([A-Za-z][\w-]{0,39})([ \t]*\{.*\})?$/
const closing = /^:{3,}[ \t]*$/
const fence = /^ {0,3}(`{3,}|~{3,})/

/** Sections nest one level. A deeper one is text. */
const maxDepth = 2

/** Calls `take` for each line that begins with `:::` and stands outside code. */
function eachColons(text: string, take: (line: string, number: number) => void): void {
  if (!text.includes(':::')) return
  let code: string | undefined
  text.split('\n').forEach((line, number) => {
    const [, mark] = fence.exec(line) ?? []
    if (mark !== undefined) {
      if (code === undefined) code = mark
      else if (mark.startsWith(code) && line.trim() === mark) code = undefined
    }
    if (code === undefined && line.startsWith(':::')) take(line.trimEnd(), number)
  })
}

/** Returns the sections of a text by the line that opens them. An opening line that is never closed opens none. */
export function findSections(text: string): ReadonlyMap<number, SectionLines> {
  const found = new Map<number, SectionLines>()
  const open: { readonly line: number; readonly kind: string; readonly attributes: string }[] = []
  eachColons(text, (line, number) => {
    const [, kind, attributes = ''] = opening.exec(line) ?? []
    if (kind !== undefined) open.push({ line: number, kind: kind.toLowerCase(), attributes })
    else if (closing.test(line)) {
      const last = open.pop()
      if (last && open.length < maxDepth)
        found.set(last.line, { ...last, end: number, depth: open.length, parent: open[open.length - 1]?.kind })
    }
  })
  return found
}

/**
 * Returns the lines, from 1, that begin with `:::` and appear as text.
 * @param isSection true for a section of a known kind at a place that takes it
 */
export function plainColons(text: string, isSection: (section: SectionLines) => boolean): readonly number[] {
  const lines: number[] = []
  const sections = findSections(text)
  const ends = new Set([...sections].flatMap(([start, section]) => (isSection(section) ? [start, section.end] : [])))
  eachColons(text, (_line, number) => {
    if (!ends.has(number)) lines.push(number + 1)
  })
  return lines
}
