// The problems of an entry: one function per rule. A finding has a place, and a call that fixes it unless a person must decide.

import type { EntryRow } from '../../store/core/schema.ts'
import { isPublished } from './entry.ts'
import { typesThat } from '../types/entry-types.ts'
import { toSeo } from '../types/field-values.ts'
import type { FieldLinks } from './entry-links.ts'
import type { AnchorLink } from '../markdown/internal-links.ts'
import type { LinkEnd } from '../markdown/link-ends.ts'
import { withoutCode } from '../markdown/markup.ts'
import { plainColonLines } from '../sections/section-place.ts'
import type { Section } from '../markdown/outline.ts'

const hierarchicalTypes = typesThat('hierarchical')

/** The rules for entries. */
const entryRules = ['links', 'fragments', 'alt', 'headings', 'lengths', 'orphans', 'titles', 'sections'] as const
export type EntryRule = (typeof entryRules)[number]

/** The rules for what the whole site shares: the menus, the settings of its theme, and its redirects. */
export const siteRules = ['menus', 'themes', 'redirects'] as const

export const checkRules = [...entryRules, ...siteRules] as const
export type CheckRule = (typeof checkRules)[number]

export const isEntryRule = (rule: CheckRule): rule is EntryRule => (entryRules as readonly string[]).includes(rule)

/** A call that fixes a finding. */
export interface EntryFix {
  readonly call: string
  readonly arguments: Readonly<Record<string, unknown>>
}

export interface EntryFinding {
  readonly id: string
  readonly rule: CheckRule
  /** The field, and the text in it that has the problem. */
  readonly place: string
  readonly message: string
  readonly fix: EntryFix | null
  /** The path at which nothing is, for which a similar page is looked for. */
  readonly lost?: string
  /** The path with the id of a similar heading, where there is no such heading. */
  readonly nearest?: string
}

/** The facts about an entry that the rules use, with its row. */
export interface Checked {
  readonly entry: EntryRow
  readonly now: number
  /** The links in its texts, and their destinations. */
  readonly links: readonly FieldLinks[]
  readonly ends: ReadonlyMap<string, LinkEnd>
  /** The links to headings that are not there. */
  readonly deadAnchors: readonly DeadAnchor[]
  /** The images in its text that lack a description, as spelled in the text. */
  readonly undescribed: readonly string[]
  /** The cover image, if it has no description. */
  readonly undescribedCover: { readonly id: string; readonly path: string } | undefined
  readonly sections: readonly Section[]
  /** The beginning of its text in plain words; empty for an entry without text. */
  readonly summary: string
  /** True if some other public entry or a menu links to it. */
  readonly isLinked: boolean
  /** Other entries with the same title in the same language. */
  readonly sameTitle: readonly string[]
}

/** A link to a heading that is not there. */
export interface DeadAnchor extends AnchorLink {
  /** The field with the link, and its text. */
  readonly field: string
  readonly text: string
  /** The present path of the page to which it leads; null for an entry without a path. */
  readonly page: string | null
  /** The id of the heading that may be meant. */
  readonly nearest: string | undefined
}

const noAlt =
  'The image has no description (`alt`). Write one in the text, or for every use of a media file by SVC_Media.update with `alt`; `""` is for decoration.'

/** Longer texts are cut in search results. */
const maxTitleChars = 70
const maxDescriptionChars = 160

type Found = Omit<EntryFinding, 'id' | 'rule'>

export const entryChecks: Readonly<Record<EntryRule, (checked: Checked) => readonly Found[]>> = {
  links: ({ entry, links, ends }) =>
    links.flatMap((one) =>
      [...one.paths, ...one.media, ...one.entries].flatMap((ref) => linkFinding(entry, one, ref, ends.get(ref))),
    ),

  fragments: ({ entry, deadAnchors }) =>
    deadAnchors.map(({ field, text, path, page, id, nearest }) => {
      const ref = `${path}#${id}`
      return {
        place: `${field}: ${ref}`,
        message: noHeading(path === '' ? 'This page' : path, id),
        ...(nearest !== undefined && { nearest: `${page ?? ''}#${nearest}` }),
        // The address of a page that has moved is the finding of another rule, whose fix comes first.
        fix:
          nearest === undefined || (path !== '' && path !== page)
            ? null
            : replacingLink(entry.id, { field, text }, ref, `${path}#${nearest}`),
      }
    }),

  alt: ({ undescribed, undescribedCover }) => [
    ...undescribed.map((image) => ({ place: `body: ${image}`, message: noAlt, fix: null })),
    ...(undescribedCover ? [{ place: `cover: ${undescribedCover.path}`, message: noAlt, fix: null }] : []),
  ],

  headings({ entry, sections }) {
    const found: Found[] = []
    let above = 1
    for (const { level, title } of sections) {
      // The level of a heading once it is fixed decides about the next one, so that one fix is enough.
      const right = level === 1 ? 2 : Math.min(level, above + 1)
      const why =
        level === 1 ? 'The page shows the title as its first heading already.' : `It follows a heading of level ${above}.`
      if (level !== right) found.push(heading(entry, title, level, right, why))
      above = right
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
        message: 'There is no summary for lists, feeds and search results; the beginning of the text is used.',
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
    if (isLinked || !hierarchicalTypes.includes(entry.type) || entry.parent_id === null || !isPublished(entry, now)) return []
    return [{ place: 'path', message: 'No page, no post and no menu links to it, so visitors do not find it.', fix: null }]
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

  sections: ({ entry }) =>
    plainColonLines(entry.body).map((line) => ({
      place: `body: line ${line}`,
      message: 'This line begins with ::: and is no closed section of a known kind, so it appears as text.',
      fix: null,
    })),
}

function linkFinding({ id }: EntryRow, { field, text }: FieldLinks, ref: string, end: LinkEnd | undefined): readonly Found[] {
  const place = `${field}: ${ref}`
  const fault = end && faultOf(ref, end)
  if (!fault) return []
  const { message, leadsTo } = fault
  const fix = leadsTo === undefined ? null : replacingLink(id, { field, text }, ref, leadsTo)
  return [{ place, message, fix, ...(isLost(ref, end) && { lost: ref }) }]
}

/** True for a path from which visitors get nowhere, so that a similar page may be meant. */
export const isLost = (ref: string, { kind, missing }: LinkEnd): boolean =>
  ref.startsWith('/') && kind !== 'media' && (missing === true || kind === 'redirect')

/** The message about a link to a heading that is not there. @param page as a sentence begins */
export const noHeading = (page: string, id: string): string => `${page} has no heading with the id "${id}".`

/** Describes the problem with a link's destination, and the right destination if that is clear. */
export function faultOf(ref: string, end: LinkEnd): { readonly message: string; readonly leadsTo?: string } | undefined {
  const { kind, status, moved_to: movedTo, missing } = end
  if (missing) return { message: kind === 'media' ? `There is no media file ${ref}.` : `There is no page ${ref}.` }
  if (kind === 'media') return status === 'trash' ? { message: `The media file ${ref} is in the trash.` } : undefined
  if (kind === 'redirect')
    return end.leads_to === null ? { message: `${ref} answers that it is gone for good (410).` } : broken(end)
  if (kind !== 'entry') return undefined
  if (movedTo !== undefined && status === 'published')
    return { message: `The entry is at ${movedTo} now; the link is redirected.`, leadsTo: movedTo }
  if (status === 'published') return undefined
  return { message: `${movedTo ?? end.path ?? ref} is not public: its status is ${status}.` }
}

/** A redirect is a problem only if it leads to a missing page. */
const broken = ({ path, leads_to: to, status }: LinkEnd): { readonly message: string } | undefined =>
  status === '404' ? { message: `${path} redirects to ${to}, where there is no page.` } : undefined

function heading({ id, body }: EntryRow, title: string, level: number, right: number, why: string): Found {
  const line = `${'#'.repeat(level)} ${title}`
  const message = `The heading has level ${level}; level ${right} would be right. ${why}`
  // A heading may also occur within a heading of a lower level.
  const isAlone = body.split(line).length === 2 && body.split('\n').includes(line)
  return {
    place: `body: ${line}`,
    message,
    fix: isAlone ? replacing(id, 'body', body, line, `${'#'.repeat(right)} ${title}`) : null,
  }
}

/** Makes an edit, if the text occurs. */
function replacing(id: string, field: string, text: string, find: string, replace: string): EntryFix | null {
  return fixOf(id, editsOf(field, text, find, replace))
}

/**
 * The characters around the address of a link in Markdown: before its end, its title, its fragment or its query. A definition of an
 * address ends with its line.
 */
const forms: readonly (readonly [before: string, after: string])[] = [
  ...[')', ' ', '#', '?'].map((after) => ['](', after] as const),
  ...['\n', ' ', '#', '?'].map((after) => [']: ', after] as const),
]

/** Makes the edits that give links another address, if the text has it as written here. Fragments and queries stay. */
function replacingLink(
  id: string,
  { field, text }: Pick<FieldLinks, 'field' | 'text'>,
  from: string,
  to: string,
): EntryFix | null {
  return fixOf(
    id,
    forms.flatMap(([before, after]) => editsOf(field, text, before + from + after, before + to + after)),
  )
}

type Edit = Readonly<Record<string, unknown>>

function editsOf(field: string, text: string, find: string, replace: string): readonly Edit[] {
  const expect = countOf(text, find)
  // An edit would change code, too. There a person decides.
  if (expect > 0 && countOf(withoutCode(text), find) < expect) return []
  return expect === 0 ? [] : [{ find, replace, ...(field !== 'body' && { field }), ...(expect > 1 && { expect }) }]
}

const countOf = (text: string, find: string): number => text.split(find).length - 1

const fixOf = (id: string, edits: readonly Edit[]): EntryFix | null =>
  edits.length === 0 ? null : { call: 'SVC_Content.edit', arguments: { id, edits } }
