import { sql, type SqlBool } from 'kysely'
import { Type } from 'typebox'
import { visibleTo } from '../../activity/find.ts'
import { findEntry, findFormer, pathNamed } from '../../content/entries/entry.ts'
import { invalid } from '../../base/failure.ts'
import { doors } from '../../identity/caller.ts'
import { closed } from '../../base/schema.ts'
import { action, type Context, effects } from '../call/action.ts'
import { listAnswer, type ListInput, listOutput, listProperties, listRows, type ListSpec } from '../lists/list.ts'
import { accountIdNamed } from '../shared/look-up.ts'
import type { WherePart } from '../lists/where-part.ts'
import { factsOf, summaryColumns, summaryItem, summaryOf } from './record-item.ts'

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
    accepted_by: {
      column: 'accepted_by_id',
      kind: 'text',
      nullable: true,
      resolve: async (value, context) => (await accountIdNamed(context, value)) ?? value,
    },
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
  input: closed({
    ...shared,
    where: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description: `${describedWhere} At the top level also \`object\`: the id of a changed object, or a path that an entry has or had. \`by\` and \`accepted_by\` take the e-mail or id of an account.`,
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
        // Of an import, the list has the whole, and that of an object the part.
        narrow: (query) => {
          const visible = query.where((eb) => visibleTo(eb, context.caller))
          return objectIds === undefined ? visible.where('activity.part_of', 'is', null) : visible
        },
        only: objectIds === undefined ? [] : [ofObjects(objectIds)],
      },
    )
    const facts = await factsOf(context, page.rows)
    return listAnswer(context, page, (row) => summaryOf(context, row, facts))
  },
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
    throw invalid('where.object', '"where.object" must be the id of a thing, or the path of an entry.', 'an id or a path')
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
