// The sections of a Markdown text by its headings, found without a parser, so that it costs next to nothing wherever it is asked.
// It sees the headings that the rendered page gives an id; those inside lists, quotations, code and raw HTML are no sections.
import { createHeadingIds, headingIdPrefix, headingTitle } from './heading-id.ts'
import { headingLines } from './heading-lines.ts'

/** A heading and what it covers: everything up to the next heading of its level or a higher one. */
export interface Section {
  /** Unique in the text, without the page's prefix. */
  readonly id: string
  /** 1 to 6. */
  readonly level: number
  /** In plain words. */
  readonly title: string
  /** Offsets into the text, in UTF-16 units: from the heading's line to the end of what it covers. */
  readonly start: number
  readonly end: number
}

/** All sections in order; those of lower levels lie within those of higher ones. */
export function outline(markdown: string): readonly Section[] {
  const idOf = createHeadingIds()
  const headings = headingLines(markdown)
  const ends = endsOf(headings, markdown.length)
  return headings.map(({ level, source, start }, index) => {
    const title = headingTitle(source)
    return { id: idOf(title), level, title, start, end: ends[index] ?? markdown.length }
  })
}

/** Where each heading's section ends; one pass from the end, remembering for each level what comes next. */
function endsOf(headings: readonly { readonly level: number; readonly start: number }[], length: number): readonly number[] {
  const nextOfLevel = Array<number>(7).fill(length)
  return headings
    .toReversed()
    .map(({ level, start }) => {
      const end = nextOfLevel[level] ?? length
      nextOfLevel.fill(start, level)
      return end
    })
    .toReversed()
}

/** The section that an id (with or without `#` and prefix) names, else the first with that title in any letter case. */
export function findSection(markdown: string, ref: string): Section | undefined {
  const sections = outline(markdown)
  const bare = ref.trim().replace(/^#+\s*/, '')
  const unprefixed = bare.startsWith(headingIdPrefix) ? bare.slice(headingIdPrefix.length) : bare
  const title = bare.toLowerCase()
  return (
    sections.find(({ id }) => id === bare) ??
    sections.find(({ id }) => id === unprefixed) ??
    sections.find((section) => section.title.toLowerCase() === title)
  )
}

/** A section's source, its heading included. */
export function sectionText(markdown: string, section: Section): string {
  return markdown.slice(section.start, section.end)
}

/**
 * The text with another in a section's place. A replacement that doesn't begin with a heading of its own keeps the old one; a blank
 * line parts it from what follows. Undefined when there is no such section.
 */
export function replaceSection(markdown: string, ref: string, text: string): string | undefined {
  const section = findSection(markdown, ref)
  if (section === undefined) return undefined
  const [first] = headingLines(text)
  const hasHeading = first !== undefined && text.slice(0, first.start).trim() === ''
  const heading = hasHeading ? '' : `${headingSource(markdown, section)}\n\n`
  const rest = markdown.slice(section.end)
  const replacement = (heading + text.replace(/^(?:[^\S\n]*\n)+/, '')).trimEnd()
  return `${markdown.slice(0, section.start)}${replacement}\n${rest === '' ? '' : `\n${rest}`}`
}

function headingSource(markdown: string, section: Section): string {
  const own = headingLines(sectionText(markdown, section))[0]
  return markdown.slice(section.start, section.start + (own?.end ?? 0)).trimEnd()
}
