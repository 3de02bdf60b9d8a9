// SVC_Content.get: one entry, whole or in part. The usual question, the whole entry as it stands, is answered from memory as text
// that was made before.

import { Type } from 'typebox'
import { findEntry, findFormer, isPublic, liveRevisionOf, maySee, noEntry } from '../../../content/entry.ts'
import { entryAt, fullEntry, rowOfSnapshot } from '../../../content/entry-item.ts'
import { type Section, sectionText } from '../../../content/outline.ts'
import { notFound } from '../../../failure.ts'
import { includesTier } from '../../../identity/caller.ts'
import { jsonText, type JsonText } from '../../../json.ts'
import type { EntryRow } from '../../../store/schema.ts'
import { action, type Context } from '../../action.ts'
import { maxAnswerBytes } from '../../answer.ts'
import { filteredEntry } from '../../filtered-entry.ts'
import { outputProperties } from './fields.ts'
import { idProperty, named } from './named.ts'

const formats = ['markdown', 'html', 'text', 'outline'] as const
type Format = (typeof formats)[number]

interface Asked {
  readonly id: string
  readonly format?: Format
  readonly section?: string
  readonly revision?: number
}

const heading = Type.Object({ id: Type.String(), level: Type.Integer(), title: Type.String() })

export const get = action({
  class: 'SVC_Content',
  name: 'get',
  summary: 'Reads one entry: its fields and its text, or one section of it.',
  tier: 'any',
  effect: 'read',
  touches: 'nothing',
  input: Type.Object(
    {
      id: idProperty,
      format: Type.Optional(
        Type.Enum([...formats], {
          description: 'markdown (as written), html (as the page shows it), text (plain words) or outline (its headings).',
        }),
      ),
      section: Type.Optional(
        Type.String({ description: 'Only this section: its id in the outline, or its title.', minLength: 1, maxLength: 300 }),
      ),
      revision: Type.Optional(Type.Integer({ description: 'An earlier state of it.', minimum: 1, maximum: 2 ** 31 - 1 })),
    },
    { additionalProperties: false },
  ),
  output: Type.Object({
    item: Type.Object({
      ...outputProperties,
      html: Type.Optional(Type.String()),
      text: Type.Optional(Type.String()),
      outline: Type.Optional(Type.Array(heading)),
      section: Type.Optional(heading),
      truncated: Type.Optional(Type.Boolean({ description: 'The text is too long for one answer: read it by `section`.' })),
    }),
    moved_to: Type.Optional(Type.String({ description: 'Where it is now; the path that was asked is an old one.' })),
  }),
  examples: [
    { title: 'A page by its path', input: { id: '/about' } },
    { title: 'Only its headings', input: { id: '/about', format: 'outline' } },
    { title: 'A page as HTML', input: { id: '/about', format: 'html' } },
  ],
  run(context, input: Asked) {
    const whole = (input.format ?? 'markdown') === 'markdown' && input.section === undefined && input.revision === undefined
    // In a transaction the cache may be behind.
    if (!whole || context.inTransaction) return answer(context, input) as never
    const row = context.site.entries.named(named(context, input.id))
    return (row instanceof Promise ? row.then((found) => wholeOf(context, input, found)) : wholeOf(context, input, row)) as never
  },
})

/** Shorter than an answer may be, for what stands around it. */
const maxBytes = maxAnswerBytes - 1024

type Answer = Readonly<Record<string, unknown>>

function wholeOf(context: Context, input: Asked, row: EntryRow | undefined): Answer | JsonText | Promise<Answer | JsonText> {
  return row && maySee(context.caller, row, context.now) ? wholeText(context, row) : answer(context, input)
}

/** The text of an entry as it stands, for everybody alike. */
function wholeText(context: Context, row: EntryRow): JsonText | Promise<JsonText> {
  const { origin, now, site, select } = context
  // Who names the body wants all of it, and is told by dispatch if that is too long.
  if (select?.includes('body')) return { item: fullEntry(row, origin, now) } as never
  return site.entries.textOf(row, origin, isPublic(row, now), async () => {
    const full = fullEntry(row, origin, now)
    const text = jsonText({ item: full })
    if (Buffer.byteLength(text) <= maxBytes) return text
    return jsonText({ item: truncated({ ...full }, await site.renderer.outline(row.body)) })
  })
}

async function answer(context: Context, input: Asked): Promise<Answer | JsonText> {
  const { row, movedTo } = await getSeen(context, input.id)
  const asked = await atRevision(context, row, input)
  const { body: _body, ...facts } = entryAt(asked, context.origin, liveRevisionOf(row, context.now))
  const part = input.section === undefined ? undefined : await getSection(context, asked.body, input.section)
  const source = part ? sectionText(asked.body, part) : asked.body
  const told = {
    ...facts,
    ...(part ? { section: headingOf(part) } : {}),
    ...(await inFormat(context, source, input.format ?? 'markdown', part ? undefined : asked)),
  }
  const fits = context.select?.includes('body') || Buffer.byteLength(jsonText(told)) <= maxBytes
  const item = fits ? told : truncated(told, await context.site.renderer.outline(source))
  return { item, ...(movedTo === undefined ? {} : { moved_to: movedTo }) }
}

/** The entry of a name, as this caller may see it; what they may not see is as if it weren't there. */
async function getSeen(context: Context, id: string): Promise<{ row: EntryRow; movedTo?: string }> {
  const { caller, inTransaction, now, site } = context
  const ref = named(context, id)
  const row = await (inTransaction ? findEntry(context.db, ref) : site.entries.named(ref))
  if (row && maySee(caller, row, now)) return { row }
  // What stands there unseen hides nothing from visitors: they are led on from an old path as if it weren't there.
  const former = await findFormer(context.db, ref)
  if (!former || !maySee(caller, former, now)) throw noEntry(id)
  return former.path === null ? { row: former } : { row: former, movedTo: former.path }
}

/** The entry as it was; nobody but `read` and up sees more than what stands. */
async function atRevision({ caller, db }: Context, row: EntryRow, { id, revision }: Asked): Promise<EntryRow> {
  if (revision === undefined || revision === row.revision) return row
  if (!includesTier(caller.tier, 'read')) throw noEntry(id)
  const kept = await db
    .selectFrom('entry_revision')
    .select('snapshot')
    .where('entry_id', '=', row.id)
    .where('revision', '=', revision)
    .executeTakeFirst()
  if (!kept) throw notFound('revision', String(revision), 'SVC_Content.revisions tells which there are.')
  return rowOfSnapshot(kept.snapshot)
}

async function getSection({ site }: Context, body: string, ref: string): Promise<Section> {
  const section = await site.renderer.findSection(body, ref)
  if (section) return section
  throw notFound('section', ref.slice(0, 300).toWellFormed(), 'SVC_Content.get with `format: "outline"` tells which there are.')
}

/** @param whole the entry, where it is not one section: plugins see entries, not parts of them */
async function inFormat({ site }: Context, source: string, format: Format, whole: EntryRow | undefined): Promise<Answer> {
  if (format === 'markdown') return { body: source }
  if (format === 'outline') return { outline: headingsOf(await site.renderer.outline(source)) }
  const { html, text } = await site.renderer.render(source)
  if (format === 'text') return { text }
  return { html: whole ? (await filteredEntry(site, whole, html)).html : html }
}

/** The headings of a text that is too long, in place of the text: as many as fit. */
function truncated(told: Answer, sections: readonly Section[]): Answer {
  const { body: _body, html: _html, text: _text, ...facts } = told
  return { ...facts, outline: headingsOf(sections), truncated: true }
}

const maxOutlineBytes = 48 * 1024

function headingsOf(sections: readonly Section[]): readonly Answer[] {
  const headings: Answer[] = []
  let bytes = 0
  for (const section of sections) {
    const told = headingOf(section)
    bytes += Buffer.byteLength(JSON.stringify(told))
    if (bytes > maxOutlineBytes) break
    headings.push(told)
  }
  return headings
}

const headingOf = ({ id, level, title }: Section) => ({ id, level, title })
