// What an editor would notice in an entry: one function per rule. Each finding says where it is, and has a call that mends it where no person has to
// decide how.

import type { EntryRow } from '../store/schema.ts'
import { isPublic } from './entry.ts'
import { typesThat } from './entry-types.ts'
import { toSeo } from './field-values.ts'
import type { LinkedEntry } from './linked-entries.ts'
import { altMissing } from './markup.ts'
import type { Section } from './outline.ts'
import { isReservedSlug } from './reserved-slugs.ts'

const hierarchicalTypes = typesThat('hierarchical')

export const checkRules = ['links', 'alt', 'headings', 'lengths', 'orphans', 'titles'] as const
export type CheckRule = (typeof checkRules)[number]

/** A call that mends a finding. */
export interface EntryFix {
  readonly call: string
  readonly arguments: Readonly<Record<string, unknown>>
}

export interface EntryFinding {
  readonly id: string
  readonly rule: CheckRule
  /** The field, with the text in it that the finding is about. */
  readonly place: string
  readonly message: string
  readonly fix: EntryFix | null
}

/** What the rules know of an entry beside its row. */
export interface Checked {
  readonly entry: EntryRow
  readonly now: number
  /** The paths that it links to, and the entries there. */
  readonly paths: readonly string[]
  readonly targets: ReadonlyMap<string, LinkedEntry>
  readonly sections: readonly Section[]
  /** The beginning of its text in plain words; empty for an entry without text. */
  readonly summary: string
  /** Whether some other public entry links to it. */
  readonly isLinked: boolean
  /** Other entries with the same title in the same language. */
  readonly sameTitle: readonly string[]
}

/** Longer texts are cut in search results. */
const maxTitleChars = 70
const maxDescriptionChars = 160

type Found = Omit<EntryFinding, 'id' | 'rule'>

export const entryChecks: Readonly<Record<CheckRule, (checked: Checked) => readonly Found[]>> = {
  links: ({ entry, paths, targets }) => paths.flatMap((path) => linkFinding(entry, path, targets.get(path))),

  alt: ({ entry }) =>
    altMissing(entry.body).flatMap(({ found = [] }) =>
      found.map((image) => ({ place: `body: ${image}`, message: 'The image has no description (`alt`).', fix: null })),
    ),

  headings({ entry, sections }) {
    const found: Found[] = []
    let above = 1
    for (const { level, title } of sections) {
      if (level === 1) found.push(heading(entry, title, level, 2, 'The page shows the title as its first heading already.'))
      else if (level > above + 1) found.push(heading(entry, title, level, above + 1, `It follows a heading of level ${above}.`))
      above = Math.max(level, 2)
    }
    return found
  },

  lengths({ entry, summary }) {
    const seo = toSeo(entry.seo)
    const title = seo.title ?? entry.title
    const description = seo.description ?? entry.excerpt
    const found: Found[] = []
    if (title.length > maxTitleChars)
      found.push({
        place: seo.title === null ? 'title' : 'seo.title',
        message: `Search results show about ${maxTitleChars} characters of a title; this one has ${title.length}.`,
        fix: null,
      })
    if (description === null && summary !== '')
      found.push({
        place: 'excerpt',
        message: 'There is no summary for lists, feeds and search results; the beginning of the text stands in.',
        fix: { call: 'SVC_Content.update', arguments: { id: entry.id, excerpt: summary } },
      })
    if (seo.description !== null && seo.description.length > maxDescriptionChars)
      found.push({
        place: 'seo.description',
        message: `Search results show about ${maxDescriptionChars} characters of a description; this one has ${seo.description.length}.`,
        fix: null,
      })
    return found
  },

  orphans({ entry, now, isLinked }) {
    // Listed types are on the home page, and pages at the top are in the menu.
    if (isLinked || !hierarchicalTypes.includes(entry.type) || entry.parent_id === null || !isPublic(entry, now)) return []
    return [{ place: 'path', message: 'No page and no post links to it, so visitors do not find it.', fix: null }]
  },

  titles: ({ sameTitle }) =>
    sameTitle.length === 0
      ? []
      : [
          {
            place: 'title',
            message: `${sameTitle.length === 1 ? 'Another entry has' : `${sameTitle.length} other entries have`} the same title: ${sameTitle.slice(0, 5).join(', ')}.`,
            fix: null,
          },
        ],
}

function linkFinding({ id, body }: EntryRow, path: string, target: LinkedEntry | undefined): readonly Found[] {
  const place = `body: ${path}`
  if (target?.moved_to !== undefined) {
    const message = `The entry is at ${target.moved_to} now; the link is redirected.`
    return [{ place, message, fix: replacing(id, body, `](${path})`, `](${target.moved_to})`) }]
  }
  if (target !== undefined)
    return target.status === 'published'
      ? []
      : [{ place, message: `${path} is not public: its status is ${target.status}.`, fix: null }]
  // The service answers these itself.
  if (isReservedSlug(path.split('/')[1] ?? '')) return []
  return [{ place, message: `There is no page ${path}.`, fix: null }]
}

function heading({ id, body }: EntryRow, title: string, level: number, right: number, why: string): Found {
  const line = `${'#'.repeat(level)} ${title}`
  const message = `The heading has level ${level}; level ${right} would be right. ${why}`
  const isAlone = body.split('\n').filter((one) => one === line).length === 1
  return { place: `body: ${line}`, message, fix: isAlone ? replacing(id, body, line, `${'#'.repeat(right)} ${title}`) : null }
}

/** An edit, where the text occurs. */
function replacing(id: string, body: string, find: string, replace: string): EntryFix | null {
  const expect = body.split(find).length - 1
  if (expect === 0) return null
  return { call: 'SVC_Content.edit', arguments: { id, edits: [{ find, replace, ...(expect > 1 ? { expect } : {}) }] } }
}
