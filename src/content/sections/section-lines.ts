// The lines that open and close sections, found in one pass: a hostile text of a million opening lines takes linear time.

/** A section by its lines, from 0. */
export interface SectionLines {
  readonly kind: string
  /** The attributes with their braces; empty if there are none. */
  readonly attributes: string
  /** The line that closes it. */
  readonly end: number
  /** 0 at the top, 1 inside another section. */
  readonly depth: number
  /** The kind of the section around it; undefined at the top. */
  readonly parent: string | undefined
}

const opening = /^:{3,}[ \t]*([A-Za-z][\w-]{0,39})([ \t]*\{.*\})?$/
const closing = /^:{3,}[ \t]*$/
const fence = /^ {0,3}(`{3,}|~{3,})/

/** Sections nest one level. Deeper ones appear as text. */
const maxDepth = 2

/** Calls `take` for each line outside code that begins with `:::`. */
function forEachMarker(text: string, take: (line: string, number: number) => void): void {
  if (!text.includes(':::')) return
  let code: string | undefined
  text.split('\n').forEach((line, number) => {
    const [all = '', mark] = fence.exec(line) ?? []
    // Backticks after those of a fence make it code within a line (CommonMark).
    if (mark !== undefined && !(mark.startsWith('`') && line.includes('`', all.length))) {
      if (code === undefined) code = mark
      else if (mark.startsWith(code) && line.trim() === mark) code = undefined
    }
    if (code === undefined && line.startsWith(':::')) take(line.trimEnd(), number)
  })
}

/** Returns the sections of a text by the line that opens them. An opening line that is never closed opens none. */
export function findSections(text: string): ReadonlyMap<number, SectionLines> {
  const open: OpeningLine[] = []
  const closed: (OpeningLine & { readonly end: number })[] = []
  forEachMarker(text, (line, number) => {
    const [, kind, attributes = ''] = opening.exec(line) ?? []
    if (kind !== undefined) open.push({ line: number, kind: kind.toLowerCase(), attributes })
    else if (closing.test(line)) {
      const last = open.pop()
      if (last) closed.push({ ...last, end: number })
    }
  })
  const found = new Map<number, SectionLines>()
  const around: SectionLines[] = []
  for (const { line, ...section } of closed.sort((a, b) => a.line - b.line)) {
    while ((around[around.length - 1]?.end ?? line) < line) around.pop()
    const nested = { ...section, depth: around.length, parent: around[around.length - 1]?.kind }
    if (nested.depth < maxDepth) found.set(line, nested)
    around.push(nested)
  }
  return found
}

interface OpeningLine {
  readonly line: number
  readonly kind: string
  readonly attributes: string
}

/**
 * Returns the lines, from 1, that begin with `:::` and appear as text.
 * @param isSection true for a section of a known kind at a place where that kind is allowed
 */
export function plainColons(text: string, isSection: (section: SectionLines) => boolean): readonly number[] {
  const lines: number[] = []
  const sections = findSections(text)
  const markers = new Set([...sections].flatMap(([start, section]) => (isSection(section) ? [start, section.end] : [])))
  forEachMarker(text, (_line, number) => {
    if (!markers.has(number)) lines.push(number + 1)
  })
  return lines
}
