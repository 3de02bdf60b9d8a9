// Undo of a record with parts, such as that of an import: one part after the other, newest first, as a job that can be stopped and
// taken up. What somebody changed since stays, and is named.

import { changesOf, findVisible, namesOf } from '../../activity/find.ts'
import { isUndone, undoneBy } from '../../activity/undone.ts'
import { Failure } from '../../base/failure.ts'
import type { Tier } from '../../identity/caller.ts'
import { forgetPeople } from '../../imports/behind/kept-people.ts'
import type { Db } from '../../store/core/database.ts'
import { newId } from '../../store/core/ids.ts'
import type { ActivityRow } from '../../store/core/schema.ts'
import type { Shown, WriteContext } from '../call/action.ts'
import { commit } from '../call/commit.ts'
import { InParts } from '../call/slices.ts'

const undoName = 'SVC_Activity.undo'
/** The most kept things that the answer names. */
const maxNamed = 200

/**
 * Ends a call that undoes a record with parts, and has it run as a job.
 * @throws InParts; Failure `refused` for such a record among others, and for an import that still runs
 */
export async function cutWhole(context: WriteContext, rows: readonly ActivityRow[], force: boolean): Promise<void> {
  const { db } = context
  const wholes: ActivityRow[] = []
  for (const row of rows) if (await hasParts(db, row.id)) wholes.push(row)
  const [whole] = wholes
  if (!whole) return
  if (rows.length > 1 || context.dryRun)
    throw new Failure('refused', `${whole.call} has many parts, so it is undone by itself, and without a dry run.`, {
      id: whole.id,
      rule: 'an import is undone as a job',
      hint: `SVC_Activity.undo {"ids": ["${whole.id}"]}`,
    })
  await checkEnded(context, whole)
  const left = await partsLeft(db, whole.id)
  if (left.length === 0) return
  throw new InParts({
    inputs: left.map((id) => ({ ids: [id], keep: !force, ...(force && { force }) })),
    note: 'taking back',
    begin: () => beginUndo(context, whole),
    end: () => forgetPeople(context.site.store.write, whole.id),
    join: (answers, undo) => joined(whole, answers, undo),
  })
}

const hasParts = async (db: Db, id: string): Promise<boolean> =>
  (await db.selectFrom('activity').select('id').where('part_of', '=', id).limit(1).executeTakeFirst()) !== undefined

/** @throws Failure `refused` */
async function checkEnded({ db, now }: WriteContext, { id }: ActivityRow): Promise<void> {
  const run = await db.selectFrom('import_run').select('state').where('activity_id', '=', id).executeTakeFirst()
  if (run?.state !== 'running') return
  const job = await db
    .selectFrom('job')
    .select('id')
    .where('call', '=', 'SVC_Import.run')
    .where('state', '=', 'running')
    .where('lease_until', '>', now)
    .executeTakeFirst()
  if (job)
    throw new Failure('refused', 'The import still runs.', {
      rule: 'what runs is not undone',
      hint: `Cancel it first: SVC_Jobs.cancel {"id": "${job.id}"}`,
    })
}

/** The parts that are in force, newest first. */
async function partsLeft(db: Db, whole: string): Promise<readonly string[]> {
  const parts = await db
    .selectFrom('activity')
    .select(['id', 'undone_by'])
    .where('part_of', '=', whole)
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .execute()
  const undone = await undoneBy(db, parts)
  return parts.filter(({ id }) => !undone.has(id)).map(({ id }) => id)
}

/** Writes the record of the undo, unless one that was interrupted is in force. */
async function beginUndo({ site, caller }: WriteContext, given: ActivityRow): Promise<string> {
  const whole = (await findVisible(site.store.read, caller, given.id)) ?? given
  if (whole.undone_by !== null && !(await isUndone(site.store.read, whole.undone_by))) return whole.undone_by
  const now = site.clock.now()
  const id = newId(now)
  const runs = namesOf(whole.runs).map((name) => ({ name, tier: whole.tier as Tier, effect: 'write' }))
  await commit(site, undoName, async ({ db, record }) => {
    await db.updateTable('activity').set({ undone_by: id }).where('id', '=', whole.id).execute()
    record({
      id,
      call: undoName,
      runs,
      summary: whole.summary,
      caller,
      input: { ids: [whole.id] },
      records: [],
      isWhole: true,
      now,
    })
  })
  return id
}

/** One answer for all parts. Things that are kept have one line each. */
function joined({ id }: ActivityRow, answers: readonly Shown[], undo: string): Shown {
  const skipped = answers.flatMap((answer) => answer['skipped'] as readonly { readonly id: string; readonly reason: string }[])
  const done = answers.flatMap((answer) => answer['done'] as readonly string[])
  const named = [...new Map(skipped.map((one) => [one.reason, one])).values()]
  return {
    done: [id],
    skipped: named.slice(0, maxNamed),
    counts: { done: done.length, skipped: named.length },
    warnings: [],
    activity_id: undo,
  }
}

/** The objects of these records that other calls have changed since. */
export async function changedSince(db: Db, rows: readonly ActivityRow[]): Promise<ReadonlySet<string>> {
  const changed = new Set<string>()
  for (const row of rows) {
    const ids = [...new Set(changesOf(row).map(({ id }) => id))]
    for (let from = 0; from < ids.length; from += 400) {
      const later = await db
        .selectFrom('activity_object')
        .innerJoin('activity', 'activity.id', 'activity_object.activity_id')
        .select('activity_object.object_id')
        .distinct()
        .where('activity_object.object_id', 'in', ids.slice(from, from + 400))
        .where('activity.id', '>', row.id)
        .where((eb) => eb.or([eb('activity.part_of', 'is', null), eb('activity.part_of', '!=', row.part_of ?? '')]))
        .where('activity.undone_by', 'is', null)
        .where('activity.call', '!=', undoName)
        .execute()
      for (const { object_id: id } of later) changed.add(id)
    }
  }
  return changed
}
