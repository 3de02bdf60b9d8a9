import { Type } from 'typebox'
import { entryAt, rowOfSnapshot } from '../../content/entries/entry-item.ts'
import { namesByColumn } from '../../content/types/field-lists.ts'
import { mergeEntry } from '../../content/entries/pending.ts'
import { unifiedDiff } from '../../content/markdown/text-diff.ts'
import { cutText } from '../../base/cut-text.ts'
import type { EntryRow } from '../../store/core/schema.ts'
import { action, type Context } from '../call/action.ts'
import { getSnapshot, revisionNumber } from '../shared/revision-list.ts'
import { namesOf } from '../shared/term-names.ts'
import { idProperty, getNamed } from './named.ts'
import { closed, flag } from '../../base/schema.ts'

const side = Type.Union([revisionNumber(), Type.Literal('live'), Type.Literal('staged')])

/** The most characters of a field's value, and of the text of differences. Both fit into an answer. */
const maxValueChars = 2000
const maxTextChars = 20_000

/** The fields that every write changes, and the body, whose differences are a text. */
const left: ReadonlySet<string> = new Set(['id', 'url', 'revision', 'live_revision', 'staged', 'updated_at', 'body'])

export const diff = action('SVC_Content.diff', {
  title: 'Compare two revisions',
  summary: 'Compares two revisions of an entry, or what the public sees with what waits to be published.',
  tier: 'read',
  effect: 'read',
  failures: ['not_found'],
  input: closed({
    id: idProperty,
    from: Type.Union(side.anyOf, { description: '`live` (what the public sees), `staged`, or the number of a revision.' }),
    to: Type.Optional(
      Type.Union(side.anyOf, {
        description: 'The same. The default is `staged`: the entry with all changes that wait for `publish`.',
      }),
    ),
  }),
  output: Type.Object({
    fields: Type.Array(Type.Object({ field: Type.String(), before: Type.Unknown(), after: Type.Unknown() }), {
      description: 'The fields that differ, without `body`.',
    }),
    text: Type.String({ description: 'The differences of the bodies in the unified format; empty where they are equal.' }),
    conflicts: Type.Array(Type.String(), {
      description: 'Fields that were changed on the public side too, since they were staged. `publish` would refuse.',
    }),
    truncated: flag('Whether `text` was cut.'),
  }),
  examples: [
    { title: 'What publish would change', input: { id: '/about', from: 'live' } },
    { title: 'What was changed since the first revision', input: { id: '/about', from: 1 } },
  ],
  async run(context, { id, from, to = 'staged' }) {
    const entry = await getNamed(context, id)
    const merged = await mergeEntry(context.db, entry)
    const rowOf = async (which: number | string): Promise<EntryRow> =>
      which === 'live' ? entry : which === 'staged' ? merged.row : rowAt(context, entry.id, Number(which))
    const [before, after] = [await rowOf(from), await rowOf(to)]
    const text = await unifiedDiff(before.body, after.body, { from: nameOf(from), to: nameOf(to) })
    return {
      fields: differingFields(context, before, after),
      text: cutText(text, maxTextChars),
      conflicts: merged.conflicts.map(({ column }) => namesByColumn[column] ?? column),
      ...(text.length > maxTextChars ? { truncated: true } : {}),
    }
  },
})

const nameOf = (which: number | string): string => (typeof which === 'number' ? `revision ${which}` : which)

async function rowAt({ db }: Context, entryId: string, revision: number): Promise<EntryRow> {
  return rowOfSnapshot(await getSnapshot(db, 'entry_revision', entryId, revision))
}

function differingFields(context: Context, before: EntryRow, after: EntryRow) {
  const { origin } = context
  const [old, now]: Readonly<Record<string, unknown>>[] = [
    entryAt(before, origin, null, namesOf(context)),
    entryAt(after, origin, null, namesOf(context)),
  ]
  return Object.keys(now ?? {})
    .filter((field) => !left.has(field) && JSON.stringify(old?.[field]) !== JSON.stringify(now?.[field]))
    .map((field) => ({ field, before: shown(old?.[field]), after: shown(now?.[field]) }))
}

const shown = (value: unknown): unknown => (typeof value === 'string' ? cutText(value, maxValueChars) : (value ?? null))
