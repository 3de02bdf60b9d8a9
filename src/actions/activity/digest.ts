// SVC_Activity.digest: the activity since a time, of the records that the caller may see (attack 89).

import { Type } from 'typebox'
import { visibleTo } from '../../activity/find.ts'
import { type ListedObject, objectsOf } from '../../activity/objects.ts'
import { undoneBy } from '../../activity/undone.ts'
import { formatDate } from '../../settings/time-zone.ts'
import type { ActivityRow } from '../../store/core/schema.ts'
import { action } from '../call/action.ts'
import { nullable } from '../call/write-answer.ts'
import { isSince, readSince } from './since.ts'
import { closed, nonEmptyText } from '../../base/schema.ts'

/** The number of records that are counted, the newest first. */
const maxRecords = 2000
/** The most rows of each list in the answer. */
const maxRows = 20

export const digest = action('SVC_Activity.digest', {
  title: 'Sum up the activity',
  summary: 'Sums up what happened since a time: how much, by whom, and what changed most.',
  tier: 'read',
  effect: 'read',
  input: closed({
    since: nonEmptyText('A date, a relative one such as `-7d` or `-30min`, or the name of a restore point.', 100),
  }),
  output: Type.Object({
    since: Type.String(),
    until: Type.String(),
    counts: Type.Object({
      records: Type.Integer(),
      undone: Type.Integer({ description: 'How many of them are undone.' }),
      objects: Type.Integer({ description: 'How many objects they changed, of those that the records show.' }),
      calls: Type.Array(Type.Object({ call: Type.String(), records: Type.Integer() })),
      people: Type.Array(Type.Object({ by: Type.String(), records: Type.Integer() })),
    }),
    highlights: Type.Array(
      Type.Object({
        kind: Type.String(),
        id: Type.String(),
        title: nullable(Type.String(), 'What it was called last; null where it was destroyed for good.'),
        path: nullable(Type.String(), 'Path of an entry, a media file or a term, and the path from which a redirect leads.'),
        records: Type.Integer(),
        calls: Type.Array(Type.String()),
        last_at: Type.String(),
        last_by: Type.String(),
        activity_id: Type.String({ description: 'The newest record; SVC_Activity.get shows what it changed.' }),
      }),
      { description: 'The objects that changed, those with the most records first. Records that are undone do not count.' },
    ),
    capped: Type.Optional(
      Type.Literal(true, { description: `True where there are more records than the ${maxRecords} newest, which were counted.` }),
    ),
  }),
  examples: [{ title: 'What happened this week?', input: { since: '-7d' } }],
  async run(context, { since: given }) {
    const { caller, db, now } = context
    const since = await readSince(context, given)
    const found = await db
      .selectFrom('activity')
      .select(['id', 'at', 'by_name', 'call', 'objects', 'undone_by'])
      .where((eb) => isSince(eb, since))
      .where((eb) => visibleTo(eb, caller))
      .orderBy('at', 'desc')
      .orderBy('id', 'desc')
      .limit(maxRecords + 1)
      .execute()
    const rows = found.slice(0, maxRecords)
    const undone = await undoneBy(db, rows)
    const counted = rows.filter(({ id }) => !undone.has(id))
    const objects = await objectsOf(db, counted)
    const highlights = highlightsOf(counted, objects)
    return {
      since: formatDate(since.at),
      until: formatDate(now),
      counts: {
        records: rows.length,
        undone: rows.length - counted.length,
        objects: highlights.length,
        calls: tally(rows.map(({ call }) => call)).map(([call, records]) => ({ call, records })),
        people: tally(rows.map(({ by_name: by }) => by)).map(([by, records]) => ({ by, records })),
      },
      highlights: highlights.slice(0, maxRows),
      ...(found.length > maxRecords && { capped: true as const }),
    }
  },
})

/** Returns the most frequent of these texts with their counts. */
function tally(texts: readonly string[]): readonly (readonly [text: string, count: number])[] {
  const counts = new Map<string, number>()
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
  return [...counts].toSorted(([, a], [, b]) => b - a).slice(0, maxRows)
}

type Row = Pick<ActivityRow, 'id' | 'at' | 'by_name' | 'call'>

/** The most actions per highlight. */
const maxCalls = 5

/** @param rows the newest first */
function highlightsOf(rows: readonly Row[], objects: ReadonlyMap<string, readonly ListedObject[]>) {
  const changed = new Map<string, { object: ListedObject; newest: Row; calls: Set<string>; records: number }>()
  for (const row of rows)
    for (const object of objects.get(row.id) ?? []) {
      const key = `${object.kind} ${object.id}`
      const known = changed.get(key) ?? { object, newest: row, calls: new Set<string>(), records: 0 }
      known.records += 1
      if (known.calls.size < maxCalls) known.calls.add(row.call)
      changed.set(key, known)
    }
  return [...changed.values()]
    .toSorted((a, b) => b.records - a.records || b.newest.at - a.newest.at)
    .map(({ object: { kind, id, title, path }, newest, calls, records }) => ({
      kind,
      id,
      title,
      path,
      records,
      calls: [...calls],
      last_at: formatDate(newest.at),
      last_by: newest.by_name,
      activity_id: newest.id,
    }))
}
