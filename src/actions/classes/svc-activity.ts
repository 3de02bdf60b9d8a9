// SVC_Activity: the history of changes, and undo. activity/undo.ts restores the rows.

import { sql, type SqlBool } from 'kysely'
import { type Static, Type } from 'typebox'
import { cutDiff, fitting, shownDiff } from '../../activity/diff.ts'
import { changesOf, findLatest, findVisible, visibleTo } from '../../activity/find.ts'
import { type ListedObject, objectsOf } from '../../activity/objects.ts'
import { undoneBy } from '../../activity/undone.ts'
import { findEntry, findFormer, pathNamed } from '../../content/entry.ts'
import { Failure, notFound } from '../../failure.ts'
import { doors, includesTier } from '../../identity/caller.ts'
import { formatDate } from '../../settings/time-zone.ts'
import type { ActivityRow } from '../../store/schema.ts'
import { action, type Context, effects } from '../action.ts'
import { maxAnswerBytes } from '../answer.ts'
import { listAnswer, type ListInput, listOutput, listProperties, listRows, type ListSpec } from '../list.ts'
import { accountIdNamed } from '../look-up.ts'
import type { WherePart } from '../where-part.ts'
import { cutProperties } from '../write-answer.ts'
import { closed } from '../../schema.ts'

const nullable = (description: string) => Type.Union([Type.String(), Type.Null()], { description })

const summaryProperties = {
  id: Type.String(),
  at: Type.String(),
  by: Type.String({ description: 'Name of the person or program that did it.' }),
  account: nullable('Id of the account; null for Postern itself and the command line.'),
  token: nullable('Id of the token that was used.'),
  token_name: nullable('Name of the token at that time.'),
  door: Type.Enum([...doors]),
  call: Type.String({ description: 'Such as SVC_Content.update.' }),
  summary: Type.String(),
  objects: Type.Array(
    Type.Object({
      kind: Type.String(),
      id: Type.String(),
      title: nullable('What it was called then; null where it was destroyed for good.'),
      path: nullable('Path of an entry.'),
    }),
    { description: 'The first objects that the call changed.' },
  ),
  effect: Type.Enum([...effects], { description: 'Only `write` can be undone.' }),
  undone_by: nullable('Id of the record that undid this one; null where it was not undone.'),
  address: Type.Optional(Type.String({ description: 'Network address; shown to the tier `admin` only.' })),
}
const summaryItem = Type.Object(summaryProperties)

export type ActivityItem = Static<typeof summaryItem>

/** An index has the records with one value in the order of time. */
const byTime = { indexed: true, ordered: ['at'] } as const

/** The list has no fields for input and changes, because they may contain data that the caller may not read. */
const activitySpec: ListSpec<'activity'> = {
  table: 'activity',
  key: 'id',
  fields: {
    id: { column: 'id', kind: 'text', indexed: true },
    at: { column: 'at', kind: 'time', sort: true },
    by: {
      column: 'account_id',
      kind: 'text',
      ...byTime,
      nullable: true,
      resolve: async (value, context) => (await accountIdNamed(context, value)) ?? value,
    },
    token: { column: 'token_id', kind: 'text', ...byTime, nullable: true },
    token_name: { column: 'token_name', kind: 'text', nullable: true },
    door: { column: 'door', kind: 'choice', choices: doors, ...byTime },
    call: { column: 'call', kind: 'text', ...byTime },
    effect: { column: 'effect', kind: 'choice', choices: effects },
  },
  sort: '-at',
  search: ['summary', 'call', 'by_name', 'about'],
}

const shared = listProperties(activitySpec)
const describedWhere = (shared.where as { readonly description?: string }).description ?? ''

export const list = action('SVC_Activity.list', {
  title: 'List the activity',
  summary: 'Lists recent activity, newest first.',
  tier: 'read',
  effect: 'read',
  failures: [],
  touches: 'nothing',
  input: closed({
    ...shared,
    where: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description: `${describedWhere} At the top level also \`object\`: the id of a changed object, or a path that an entry has or had. \`by\` takes the e-mail or id of an account.`,
      }),
    ),
  }),
  output: listOutput(summaryItem),
  examples: [
    { title: 'The five latest records', input: { limit: 5 } },
    { title: 'What happened to a page', input: { where: { object: '/about' } } },
    { title: 'Who changed the opening hours?', input: { search: 'opening hours' } },
    {
      title: 'What programs did since a given day',
      input: { where: { door: { in: ['mcp', 'api'] }, at: { gte: '2026-01-01' } } },
    },
  ],
  async run(context, input: ListInput) {
    const { object, ...where } = input.where ?? {}
    const objectIds = object === undefined ? undefined : await readObject(context, object)
    // `object` is a separate argument of the list, so that cursors are bound to it as well.
    const page = await listRows(
      context,
      activitySpec,
      { ...input, where, ...(objectIds === undefined ? {} : { object: objectIds.join(' ') }) },
      {
        columns: summaryColumns,
        narrow: (query) => query.where((eb) => visibleTo(eb, context.caller)),
        only: objectIds === undefined ? [] : [ofObjects(objectIds)],
      },
    )
    const facts = await factsOf(context, page.rows)
    return listAnswer(context, page, (row) => summaryOf(context, row, facts))
  },
})

const summaryColumns = [
  'id',
  'at',
  'account_id',
  'token_id',
  'by_name',
  'token_name',
  'door',
  'address',
  'call',
  'summary',
  'effect',
  'objects',
  'undone_by',
] as const
type SummaryRow = Pick<ActivityRow, (typeof summaryColumns)[number]>

/** Data for the items of records that their rows don't have. */
interface RecordFacts {
  readonly undone: ReadonlyMap<string, string>
  readonly objects: ReadonlyMap<string, readonly ListedObject[]>
}

const factsOf = async ({ db }: Context, rows: readonly SummaryRow[]): Promise<RecordFacts> => ({
  undone: await undoneBy(db, rows),
  objects: await objectsOf(db, rows),
})

function ofObjects(objectIds: readonly string[]): WherePart {
  const ids = sql`(select activity_id from activity_object where object_id in (${sql.join(objectIds)}))`
  return {
    field: { column: 'object', kind: 'text', indexed: true },
    finds: 'range',
    excludes: false,
    never: false,
    plain: sql<SqlBool>`activity.id in ${ids}`,
    hidden: sql<SqlBool>`(activity.id || '') in ${ids}`,
  }
}

/** The most objects that have had a path one after another. */
const maxAtPath = 20

/** Returns the ids that `object` means. A path means all entries that have or had it; any other text is an id. */
async function readObject({ db }: Context, object: unknown): Promise<readonly string[]> {
  if (typeof object !== 'string' || object.length > 1100 || object.includes('\0')) {
    throw new Failure('invalid', '"where.object" must be the id of a thing, or the path of an entry.', {
      field: 'where.object',
      expected: 'an id or a path',
    })
  }
  if (!object.startsWith('/')) return [object]
  const entry = (await findEntry(db, object)) ?? (await findFormer(db, object))
  const earlier = await db
    .selectFrom('activity_object')
    .select('object_id')
    .distinct()
    .where('path', '=', pathNamed(object))
    .limit(maxAtPath)
    .execute()
  const ids = new Set([...(entry ? [entry.id] : []), ...earlier.map(({ object_id: id }) => id)])
  return ids.size === 0 ? [object] : [...ids]
}

function summaryOf({ caller }: Context, row: SummaryRow, { undone, objects }: RecordFacts): ActivityItem {
  return {
    id: row.id,
    at: formatDate(row.at),
    by: row.by_name,
    account: row.account_id,
    token: row.token_id,
    token_name: row.token_name,
    door: row.door as ActivityItem['door'],
    call: row.call,
    summary: row.summary,
    objects: [...(objects.get(row.id) ?? [])],
    effect: row.effect as ActivityItem['effect'],
    undone_by: undone.get(row.id) ?? null,
    ...(includesTier(caller.tier, 'admin') ? { address: row.address } : {}),
  }
}

const shownChange = Type.Object({ id: Type.String(), field: Type.String(), before: Type.Unknown(), after: Type.Unknown() })

export const get = action('SVC_Activity.get', {
  title: 'Show a record',
  summary: 'Shows one record: its input, and each changed field before and after.',
  tier: 'read',
  effect: 'read',
  failures: ['not_found'],
  touches: 'nothing',
  input: closed({
    id: Type.String({
      description: 'Id of the record: `activity_id` of a write, or an id from `list`, or `latest`.',
      minLength: 1,
      maxLength: 100,
    }),
    object: Type.Optional(
      Type.String({
        description: 'Id of one changed object: shows only its changes, in full.',
        minLength: 1,
        maxLength: 100,
      }),
    ),
  }),
  output: Type.Object({
    item: Type.Object({
      ...summaryProperties,
      runs: Type.Array(Type.String(), { description: 'All actions that ran in the call.' }),
      input: Type.Record(Type.String(), Type.Unknown(), { description: 'Without secrets; long texts are cut.' }),
      diff: Type.Array(shownChange),
      ...cutProperties,
      truncated: Type.Boolean({ description: 'Whether the diff is cut.' }),
    }),
  }),
  examples: [{ title: 'The latest record', input: { id: 'latest' } }],
  async run(context, { id, object }) {
    const { db, caller } = context
    const row = id === 'latest' ? await findLatest(db, caller) : await findVisible(db, caller, id)
    if (!row) throw notFound('activity', id, 'SVC_Activity.list lists them.')
    const summary = summaryOf(context, row, await factsOf(context, [row]))
    const runs = JSON.parse(row.runs) as string[]
    const input = JSON.parse(row.input) as Record<string, unknown>
    const changes = changesOf(row)
    if (object === undefined) return { item: { ...summary, runs, input, truncated: false, ...cutDiff(changes, seeOne) } }
    const all = shownDiff(changes.filter((change) => change.id === object))
    if (all.length === 0)
      throw notFound('change of', object, 'The `diff` of this record has the ids of the things that it changed.')
    const diff = fitting(all, maxAnswerBytes - 10_000 - Buffer.byteLength(row.input))
    return { item: { ...summary, runs, input, diff, truncated: diff.length < all.length } }
  },
})

const seeOne = 'Give the id of one of the things as `object` to see its changes.'
