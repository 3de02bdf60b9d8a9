// The sections of a Markdown text by its headings: those that have an id on the rendered page. Finding headings takes the parser, so
// this runs in the renderer's thread, under its deadline; elsewhere ask `Renderer`.
import { createHeadingIds, headingIdPrefix, headingTitle } from './heading-id.ts'
import type { Heading, Markdown } from './markdown.ts'

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
  /** Where the heading's own last line ends, without the line end. */
  readonly headingEnd: number
}

/** A text with one of its sections rewritten; or the ids of the sections that there are, at most 50, where the one named is not. */
export type SectionReplaced = { readonly body: string } | { readonly ids: readonly string[] }

/** What can be asked about the sections of a text. */
export interface Outliner {
  /** All sections in order; those of lower levels lie within those of higher ones. */
  outline(markdown: string): readonly Section[]
  /**
   * The text with another in a section's place. A replacement that doesn't begin with a heading of its own keeps the old one; a blank
   * line parts it from what follows.
   */
  replaceSection(markdown: string, ref: string, text: string): SectionReplaced
}

const maxIdsTold = 50

export function createOutliner({ headings }: Pick<Markdown, 'headings'>): Outliner {
  const outline = (markdown: string) => sectionsOf(headings(markdown), markdown.length)
  return {
    outline,
    replaceSection(markdown, ref, text) {
      const sections = outline(markdown)
      const section = findSection(sections, ref)
      if (section === undefined) return { ids: sections.slice(0, maxIdsTold).map(({ id }) => id) }
      const [first] = headings(text)
      const hasHeading = first !== undefined && text.slice(0, first.start).trim() === ''
      const heading = hasHeading ? '' : `${markdown.slice(section.start, section.headingEnd).trimEnd()}\n\n`
      const rest = markdown.slice(section.end)
      const replacement = (heading + text.replace(/^(?:[^\S\n]*\n)+/, '')).trimEnd()
      return { body: `${markdown.slice(0, section.start)}${replacement}\n${rest === '' ? '' : `\n${rest}`}` }
    },
  }
}

function sectionsOf(headings: readonly Heading[], length: number): readonly Section[] {
  const idOf = createHeadingIds()
  const ends = endsOf(headings, length)
  return headings.map(({ level, source, start, end: headingEnd }, index) => {
    const title = headingTitle(source)
    return { id: idOf(title), level, title, start, end: ends[index] ?? length, headingEnd }
  })
}

/** Where each heading's section ends; one pass from the end, remembering for each level what comes next. */
function endsOf(headings: readonly Heading[], length: number): readonly number[] {
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
export function findSection(sections: readonly Section[], ref: string): Section | undefined {
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
