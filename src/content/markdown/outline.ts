// The sections of a Markdown text, by the headings that have an id on the rendered page. Finding headings takes the parser, so this
// runs in the renderer's thread, within its time limit. Other code asks `Renderer`.
import { createHeadingIds, headingIdPrefix, headingTitle } from './heading-id.ts'
import type { Heading, Markdown } from './markdown.ts'

/** A heading and everything below it, up to the next heading of the same or a higher level. */
export interface Section {
  /** The id, unique in the text, without the prefix that ids have on the page. */
  readonly id: string
  /** The level, from 1 to 6. */
  readonly level: number
  /** The title as plain text. */
  readonly title: string
  /** Offsets into the text in UTF-16 units, from the heading's line to the end of the section. */
  readonly start: number
  readonly end: number
  /** The end of the heading's own last line, without the line end. */
  readonly headingEnd: number
}

/** A text with one section rewritten. If there is no such section, the ids of up to 50 sections that exist. */
export type SectionReplaced = { readonly body: string } | { readonly ids: readonly string[] }

export interface Outliner {
  /** All sections in order; those of lower levels are within those of higher ones. */
  outline(markdown: string): readonly Section[]
  /**
   * Replaces a section. A replacement without a heading keeps the old heading. A blank line separates it from the next section.
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

/** Returns the end of each heading's section. One pass from the end, which remembers the next heading of each level. */
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

/** The section with this id (with or without `#` and prefix), else the first with this title in any letter case. */
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

/** A section's source with its heading. */
export function sectionText(markdown: string, section: Section): string {
  return markdown.slice(section.start, section.end)
}
