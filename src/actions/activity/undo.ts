// SVC_Activity.undo: finds the records and checks that the caller may undo them. activity/undo.ts restores the rows.

import { type Static, Type } from 'typebox'
import { findVisible, namesOf, visibleTo } from '../../activity/find.ts'
import { type Overwritten, type Skipped, undoRecords } from '../../activity/undo.ts'
import { Failure, invalid, notFound } from '../../base/failure.ts'
import type { Tier } from '../../identity/caller.ts'
import { getToken } from '../../identity/find-token.ts'
import type { ActivityRow } from '../../store/core/schema.ts'
import { action, type Context, type WriteContext } from '../call/action.ts'
import { adoptSkills, adoptThemes } from '../shared/adopt-files.ts'
import { accountIdNamed, mayLookUp } from '../shared/look-up.ts'
import { writeProperties } from '../call/write-answer.ts'
import { isSince, readSince, type Since } from './since.ts'
import { changedSince, cutWhole } from './undo-whole.ts'
import { closed, boundedText, nonEmptyText, flag } from '../../base/schema.ts'

/** The most records per call. To undo more, use several calls, or restore a backup. */
const maxRecords = 500

const input = closed({
  ids: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
      minItems: 1,
      maxItems: 100,
      description: 'Ids of records: `activity_id` of a write, or ids from `list`.',
    }),
  ),
  since: Type.Optional(
    boundedText(
      'Instead of `ids`: everything that one account or one token did from this time on, or since the restore point of this name.',
      100,
    ),
  ),
  by: Type.Optional(nonEmptyText('With `since`: e-mail or id of the account that did it.', 254)),
  token: Type.Optional(nonEmptyText('With `since`: id or name of the token that did it, or id of the connected app.', 200)),
  force: flag('Overwrites later changes, and leaves out what cannot be undone.'),
  keep: flag('Keeps what was changed since, and names it in `skipped`. It is so for an import, which is undone as a job.'),
})

export const undo = action('SVC_Activity.undo', {
  title: 'Undo changes[ of {title}]',
  summary: 'Undoes calls, newest first, all or none. Undoing an undo is redo.',
  did: 'undid a change[ of {title}]',
  tier: 'content',
  effect: 'write',
  failures: ['unknown_action', 'not_found', 'conflict', 'exists'],
  touches: 'calls',
  inParts: true,
  input,
  output: Type.Object({
    done: Type.Array(Type.String(), { description: 'Ids of the undone records, in the order of undoing.' }),
    skipped: Type.Array(Type.Object({ id: Type.String(), reason: Type.String() })),
    overwritten: Type.Optional(
      Type.Array(
        Type.Object({
          id: Type.String(),
          fields: Type.Array(Type.String()),
          changes: Type.Array(
            Type.Object({ at: Type.String(), by: Type.String(), call: Type.String(), fields: Type.Array(Type.String()) }),
          ),
        }),
        { description: 'With `force`: the objects whose later changes are lost, and these changes. At most 20.' },
      ),
    ),
    counts: Type.Optional(
      Type.Object(
        { done: Type.Integer(), skipped: Type.Integer() },
        { description: 'How many records there are, where a dry run shows only the first.' },
      ),
    ),
    ...writeProperties,
  }),
  diffHint: 'Dry-run the undo of one record by its `id`, or read the record by SVC_Activity.get, to see what would change.',
  examples: [{ title: "Undo one account's calls since a time", input: { since: '2099-01-01T09:00', by: 'owner@example.org' } }],
  // Edited files of skills and themes are adopted first. Undo then treats the edits as later changes and preserves them.
  prepares: [],
  async prepare(context: Context) {
    await adoptSkills(context, { always: true })
    await adoptThemes(context, { always: true })
  },
  async run(context, given) {
    const { ids, force = false, keep = false } = given
    const rows = ids === undefined ? await rowsSince(context, given) : await rowsOf(context, ids, given)
    if (ids !== undefined) rows.forEach(checkUndoable)
    await cutWhole(context, rows, force)
    const [undoable, others] = partition(rows)
    const { change, caller, activityId } = context
    const undone = (row: ActivityRow) => addRan(context, row)
    const { done, skipped, overwritten } = await undoRecords(change, undoable, {
      caller,
      force,
      activityId,
      undone,
      ...(keep && { keep, kept: await changedSince(context.db, rows) }),
    })
    const left = [...skipped, ...others]
    const shown = context.dryRun ? firstOf(done, left) : { done, skipped: left }
    const lost = overwritten.length > 0 ? { overwritten: overwritten.slice(0, shownRecords).map(toLost) } : {}
    return { ...shown, ...lost, warnings: [], activity_id: null }
  },
})

const toLost = ({ id, fields, changes }: Overwritten) => ({
  id,
  fields: [...fields],
  changes: changes.map(({ at, by, call, fields: changed }) => ({ at, by, call, fields: [...changed] })),
})

/** The most records in the answer of a dry run. People and models read it, so a long list is cut, and its length is given. */
const shownRecords = 20

function firstOf(done: string[], skipped: Skipped[]) {
  const first = { done: done.slice(0, shownRecords), skipped: skipped.slice(0, shownRecords) }
  const isAll = first.done.length === done.length && first.skipped.length === skipped.length
  return isAll ? first : { ...first, counts: { done: done.length, skipped: skipped.length } }
}

/**
 * Returns the records with these ids.
 * @throws Failure `unknown_action` for a record that doesn't exist, and the same for one above the caller's tier: undo requires the
 * tier of the undone actions, and reveals nothing about other records (attack 85)
 */
async function rowsOf(
  { db, caller }: WriteContext,
  ids: readonly string[],
  { since, by, token }: Static<typeof input>,
): Promise<readonly ActivityRow[]> {
  const extra = Object.entries({ since, by, token }).find(([, value]) => value !== undefined)
  if (extra) throw invalid(extra[0], `"${extra[0]}" can't be given together with "ids".`, 'left out where `ids` is given')
  const rows: ActivityRow[] = []
  for (const id of new Set(ids)) {
    const row = await findVisible(db, caller, id)
    if (!row)
      throw new Failure('unknown_action', `Unknown tool: there is no call ${JSON.stringify(id)} that you could undo.`, {
        id,
        hint: 'SVC_Activity.list lists what you may undo.',
      })
    rows.push(row)
  }
  return rows
}

async function rowsSince(context: WriteContext, { since, by, token }: Static<typeof input>): Promise<readonly ActivityRow[]> {
  const { db, caller } = context
  if (since === undefined)
    throw invalid('ids', 'Which calls? Give `ids`, or `since` with `by` or `token`.', 'ids of records, or `since`')
  const from = await readSince(context, since)
  if (by === undefined && token === undefined) {
    throw new Failure('invalid', '"since" undoes the calls of one account or one token: give `by` or `token`.', {
      field: 'by',
      expected: "an account's e-mail or id",
      ...hintOf(from),
    })
  }
  let query = db
    .selectFrom('activity')
    .selectAll()
    .where((eb) => isSince(eb, from))
    .where('part_of', 'is', null)
    .where((eb) => visibleTo(eb, caller))
  if (by !== undefined) query = query.where('account_id', '=', await getAccountId(context, by))
  const byTokenId = token !== undefined && mayLookUp(context, 'SVC_Tokens.list')
  if (byTokenId) query = query.where('token_id', '=', await getTokenId(db, token))
  else if (token !== undefined) query = query.where((eb) => eb.or([eb('token_id', '=', token), eb('token_name', '=', token)]))
  const rows = await query
    .orderBy('at', 'desc')
    .limit(maxRecords + 1)
    .execute()
  if (token !== undefined) checkOneToken(rows, token)
  if (rows.length <= maxRecords) return rows
  throw new Failure('refused', `These are more than ${maxRecords} calls. Begin with a later time.`, {
    field: 'since',
    rule: `at most ${maxRecords} calls at once`,
  })
}

/** Returns a hint that names the account or token that set the restore point, which probably made the changes after it. */
const hintOf = ({ mark }: Since): { readonly hint?: string } => {
  if (!mark) return {}
  const maker = mark.token_id === null ? ({ by: mark.account_id } as const) : ({ token: mark.token_id } as const)
  return { hint: `The restore point was set with ${JSON.stringify(maker)}.` }
}

/**
 * Returns the id of an account. @throws Failure `not_found` if the caller may look up accounts; otherwise an unknown name is an
 * account without records
 */
async function getAccountId(context: WriteContext, name: string): Promise<string> {
  const id = await accountIdNamed(context, name)
  if (id === undefined) throw notFound('account', name)
  return id
}

/**
 * Checks that all records with a token's name are of the same token.
 * @throws Failure `conflict` with the ids of the tokens, which the records show anyway
 */
function checkOneToken(rows: readonly ActivityRow[], name: string): void {
  const ids = [...new Set(rows.map(({ token_id: id }) => id))]
  if (ids.length < 2) return
  throw new Failure('conflict', `${ids.length} tokens were named ${JSON.stringify(name)}. Give the id of one.`, {
    found: ids.length,
    expected: ids,
  })
}

async function getTokenId(db: WriteContext['db'], token: string): Promise<string> {
  const app = await db.selectFrom('app_grant').select('id').where('id', '=', token).executeTakeFirst()
  return app?.id ?? (await getToken(db, token)).id
}

const irreversible: Readonly<Record<string, string>> = {
  act: 'it acted on credentials or the world outside',
  destroy: 'it destroyed for good',
}

function checkUndoable({ id, call, effect }: ActivityRow): void {
  if (effect in irreversible)
    throw new Failure('refused', `${call} can't be undone: ${irreversible[effect]}.`, {
      id,
      rule: 'only actions with the effect `write` can be undone',
    })
}

function partition(rows: readonly ActivityRow[]): [ActivityRow[], Skipped[]] {
  const others = rows.filter(({ effect }) => effect in irreversible)
  const skipped = others.map(({ id, call, effect }) => ({ id, reason: `${call}: ${irreversible[effect]}` }))
  return [rows.filter((row) => !others.includes(row)), skipped]
}

/** Gives the record of the undo the tier of the undone record, so that the same callers may see it and undo it. */
function addRan(context: WriteContext, { runs, tier }: ActivityRow): void {
  for (const name of namesOf(runs)) {
    const dot = name.lastIndexOf('.')
    context.ran({ class: name.slice(0, dot), name: name.slice(dot + 1), tier: tier as Tier, effect: 'write' })
  }
}
