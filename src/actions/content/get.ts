// SVC_Content.get: one entry, whole or in part. The most frequent answer, the whole entry in its present state, is cached as text.

import { type Static, Type } from 'typebox'
import { findEntry, findFormer, isPublished, liveRevisionOf, liveSide, maySee, noEntry } from '../../content/entries/entry.ts'
import { entryAt, fullEntry, rowOfSnapshot } from '../../content/entries/entry-item.ts'
import { liveRevision, mergeEntry } from '../../content/entries/pending.ts'
import { type Section, sectionText } from '../../content/markdown/outline.ts'
import { invalid, notFound } from '../../base/failure.ts'
import { includesTier } from '../../identity/caller.ts'
import { jsonText, JsonText } from '../../base/json.ts'
import type { EntryRow } from '../../store/core/schema.ts'
import { action, type Context } from '../call/action.ts'
import { maxAnswerBytes } from '../call/answer.ts'
import { shownEntry } from './shown-entry.ts'
import { namesOf } from '../shared/term-names.ts'
import { outputProperties } from './fields.ts'
import { getSnapshot, revisionNumber } from '../shared/revision-list.ts'
import { idProperty, named, noEntryNear } from './named.ts'
import { translationItem, translationsOf } from './translations.ts'
import { closed, flag, nonEmptyText } from '../../base/schema.ts'

const formats = ['markdown', 'html', 'text', 'outline'] as const
type Format = (typeof formats)[number]

const heading = Type.Object({ id: Type.String(), level: Type.Integer(), title: Type.String() })

const request = closed({
  id: idProperty,
  format: Type.Optional(
    Type.Enum([...formats], {
      description: 'markdown (as written), html (as the page shows it), text (plain words) or outline (its headings).',
    }),
  ),
  section: Type.Optional(nonEmptyText('Id or title of one section, to get only that section.', 300)),
  revision: Type.Optional(revisionNumber('Number of an earlier revision.')),
  stage: flag('Whether to read the entry with the changes that wait for `publish`.'),
})

type EntryRequest = Static<typeof request>

export const get = action('SVC_Content.get', {
  title: 'Read an entry',
  summary: 'Reads one entry: its fields and its text, or one section of it.',
  tier: 'any',
  effect: 'read',
  failures: ['not_found'],
  input: request,
  output: Type.Object({
    item: Type.Object({
      ...outputProperties,
      html: Type.Optional(Type.String()),
      text: Type.Optional(Type.String()),
      outline: Type.Optional(Type.Array(heading)),
      section: Type.Optional(heading),
      translations: Type.Array(translationItem, { description: 'The entries that say the same in other languages.' }),
      truncated: flag('The text is too long for one answer: read it section by section.'),
    }),
    moved_to: Type.Optional(Type.String({ description: 'The present path, where `id` was a former path.' })),
  }),
  examples: [
    { title: 'A page by its path', input: { id: '/about' } },
    { title: 'Only its headings', input: { id: '/about', format: 'outline' } },
    { title: 'A page as HTML', input: { id: '/about', format: 'html' } },
    { title: 'A page with the changes that wait', input: { id: '/about', stage: true } },
  ],
  run(context, input) {
    const { format = 'markdown', section, revision, stage } = input
    const whole = format === 'markdown' && section === undefined && revision === undefined && stage !== true
    // In a transaction the cache may be out of date.
    if (!whole || context.inTransaction) return answer(context, input) as never
    const row = context.site.entries.named(named(context, input.id))
    return (row instanceof Promise ? row.then((found) => wholeOf(context, input, found)) : wholeOf(context, input, row)) as never
  },
})

/** The limit of an answer, minus room for the members around the item. */
const maxBytes = maxAnswerBytes - 1024

type Answer = Readonly<Record<string, unknown>>

function wholeOf(
  context: Context,
  input: EntryRequest,
  row: EntryRow | undefined,
): Answer | JsonText | Promise<Answer | JsonText> {
  if (!row || !maySee(context.caller, row, context.now)) return answer(context, input)
  return wholeText(context, context.caller.tier === 'any' ? liveSide(row) : row)
}

/**
 * Returns the answer about an entry in its present state. On a site with one language, it is the same for all callers who see the
 * same side of the entry.
 */
function wholeText(context: Context, row: EntryRow): Answer | JsonText | Promise<Answer | JsonText> {
  const { origin, now, site, select } = context
  if (site.settings.values.languages.length > 0) return translatedText(context, row)
  // A caller who selects the body gets all of it; dispatch refuses an answer that is too long.
  if (select?.includes('body')) return { item: { ...fullEntry(row, origin, now, namesOf(context)), translations: [] } }
  return site.entries.textOf(row, origin, isPublished(row, now), () => textOf(context, row, []))
}

/**
 * Returns the answer on a site with several languages. Translations may change without the entry, and not all callers may see all
 * of them.
 */
async function translatedText(context: Context, row: EntryRow): Promise<Answer | JsonText> {
  const { caller, origin, now, select, site } = context
  const make = async () => new JsonText(await textOf(context, row, await translationsOf(context, row)))
  if (select?.includes('body'))
    return { item: { ...fullEntry(row, origin, now, namesOf(context)), translations: await translationsOf(context, row) } }
  // For anonymous callers, the visible translations also depend on the time.
  if (!includesTier(caller.tier, 'read')) return make()
  const key = `SVC_Content.get ${origin} ${row.id} ${row.revision} ${isPublished(row, now)}`
  return site.answers.get(key) ?? site.answers.load(key, make)
}

async function textOf(context: Context, row: EntryRow, translations: readonly object[]): Promise<string> {
  const { origin, now, site } = context
  const full = { ...fullEntry(row, origin, now, namesOf(context)), translations }
  const text = jsonText({ item: full })
  if (Buffer.byteLength(text) <= maxBytes) return text
  return jsonText({ item: truncated(full, await site.renderer.outline(row.body)) })
}

async function answer(context: Context, input: EntryRequest): Promise<Answer | JsonText> {
  const { row, movedTo } = await getVisibleEntry(context, input.id)
  const shown = await atRevision(context, row, input)
  const { body: _body, ...facts } = entryAt(shown, context.origin, liveRevisionOf(row, context.now), namesOf(context))
  const part = input.section === undefined ? undefined : await getSection(context, shown.body, input.section)
  const source = part ? sectionText(shown.body, part) : shown.body
  const full = {
    ...facts,
    translations: await translationsOf(context, row),
    ...(part ? { section: headingOf(part) } : {}),
    ...(await inFormat(context, source, input.format ?? 'markdown', shown.locale, part ? undefined : shown)),
  }
  const fits = context.select?.includes('body') || Buffer.byteLength(jsonText(full)) <= maxBytes
  const item = fits ? full : truncated(full, await context.site.renderer.outline(source))
  return { item, ...(movedTo === undefined ? {} : { moved_to: movedTo }) }
}

/** Returns the entry that a caller names. For the caller, entries that they may not see don't exist. */
async function getVisibleEntry(context: Context, id: string): Promise<{ row: EntryRow; movedTo?: string }> {
  const { caller, inTransaction, now, site } = context
  const ref = named(context, id)
  const row = await (inTransaction ? findEntry(context.db, ref) : site.entries.named(ref))
  const shown = (found: EntryRow) => (caller.tier === 'any' ? liveSide(found) : found)
  if (row && maySee(caller, row, now)) return { row: shown(row) }
  // An entry that the caller may not see must not hide one that the caller may see and that had this path before.
  const former = await findFormer(context.db, ref)
  if (!former || !maySee(caller, former, now)) throw await noEntryNear(context, id)
  return former.path === null ? { row: shown(former) } : { row: shown(former), movedTo: former.path }
}

/** Returns the entry at a revision, or with its staged changes. Both need tier `read`. */
async function atRevision({ caller, db }: Context, row: EntryRow, { id, revision, stage }: EntryRequest): Promise<EntryRow> {
  if (stage === true && revision !== undefined)
    throw invalid('stage', 'A revision is read as it was: give `revision` or `stage`.', 'left out')
  if (stage !== true && (revision === undefined || revision === liveRevision(row))) return row
  if (!includesTier(caller.tier, 'read')) throw noEntry(id)
  if (revision === undefined) return (await mergeEntry(db, row)).row
  return rowOfSnapshot(await getSnapshot(db, 'entry_revision', row.id, revision))
}

async function getSection({ site }: Context, body: string, ref: string): Promise<Section> {
  const section = await site.renderer.findSection(body, ref)
  if (section) return section
  throw notFound('section', ref.slice(0, 300).toWellFormed(), 'SVC_Content.get with `format: "outline"` lists them.')
}

/** @param whole the entry, or undefined for a section: plugins filter whole entries only */
async function inFormat(
  { site, origin }: Context,
  source: string,
  format: Format,
  locale: string | null,
  whole: EntryRow | undefined,
): Promise<Answer> {
  if (format === 'markdown') return { body: source }
  const { formulas, language: usual } = site.settings.values
  if (format === 'outline') return { outline: headingsOf(await site.renderer.outline(source)) }
  if (format === 'html' && whole) return { html: (await shownEntry(site, whole, origin)).html }
  const shown = { language: locale ?? usual, origin, formulas }
  if (format === 'text') return { text: await site.renderer.plain(source, shown) }
  return { html: (await site.renderer.render(source, shown)).html }
}

/** Replaces a text that is too long with its headings, up to `maxOutlineBytes`. */
function truncated(item: Answer, sections: readonly Section[]): Answer {
  const { body: _body, html: _html, text: _text, ...facts } = item
  return { ...facts, outline: headingsOf(sections), truncated: true }
}

const maxOutlineBytes = 48 * 1024

function headingsOf(sections: readonly Section[]): readonly Answer[] {
  const headings: Answer[] = []
  let bytes = 0
  for (const section of sections) {
    const heading = headingOf(section)
    bytes += Buffer.byteLength(JSON.stringify(heading))
    if (bytes > maxOutlineBytes) break
    headings.push(heading)
  }
  return headings
}

const headingOf = ({ id, level, title }: Section) => ({ id, level, title })
