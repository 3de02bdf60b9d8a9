// Undoes whole records, newest first. Without `force`, the undo fails at a record that can't be undone entirely. An undo is a
// change with its own record, so undoing an undo is a redo.

import { checkEntryLimits } from '../content/entries/allowed.ts'
import { readLanguages } from '../content/languages/languages.ts'
import { checkLanguagePlaces } from '../content/languages/move-languages.ts'
import { isInPlace, listChildren, moveBelow } from '../content/entries/path.ts'
import { checkOneTranslation } from '../content/languages/translations.ts'
import { Failure } from '../base/failure.ts'
import type { Change, RowChange } from '../store/change/change.ts'
import type { ActivityRow, EntryRow } from '../store/core/schema.ts'
import { changesOf } from './find.ts'
import { type ChangeSince, changesSince } from './since.ts'
import { type Obstacle, undoChange, type Undoing } from './undo-row.ts'
import { isUndone } from './undone.ts'

export interface Skipped {
  readonly id: string
  readonly reason: string
}

/** Later changes of an object that an undo with `force` overwrote. */
export interface Overwritten {
  readonly id: string
  readonly fields: readonly string[]
  /** The changes after the undone one, newest first. */
  readonly changes: readonly ChangeSince[]
}

export interface UndoOptions extends Omit<Undoing, 'change' | 'overwrites'> {
  /** True to leave what was changed since as it is, and to skip it. */
  readonly keep?: boolean
  /** Ids of objects that stay as they are, with all that belongs to them. */
  readonly kept?: ReadonlySet<string>
  /** The id of the undo's own record; the undone records refer to it. */
  readonly activityId: string
  /** Called for each record that is undone. */
  readonly undone: (row: ActivityRow) => void
}

/**
 * Undoes records, newest first. Records that are already undone are skipped. With `force`, changes that can't be undone are skipped
 * too.
 * @throws Failure `conflict` if later changes would be lost, another object now has a unique value, or an object is gone
 */
export async function undoRecords(
  change: Change,
  rows: readonly ActivityRow[],
  options: UndoOptions,
): Promise<{ done: string[]; skipped: Skipped[]; overwritten: Overwritten[] }> {
  const done: string[] = []
  const skipped: Skipped[] = []
  const overwritten: Overwritten[] = []
  const touched = new Set<string>()
  for (const row of [...rows].sort(newestFirst)) {
    // This must be checked here: if the loop has just undone an undo, the records of that undo are in force again.
    if (await isUndone(change.db, row.id)) {
      skipped.push({ id: row.id, reason: 'it is undone already' })
      continue
    }
    const before = change.records.length
    const { left, lost } = await undoOne(change, row, options)
    overwritten.push(...lost)
    skipped.push(...left.map((reason) => ({ id: row.id, reason })))
    const changes = change.records.slice(before)
    if (changes.length === 0) {
      if (left.length === 0) skipped.push({ id: row.id, reason: 'everything is as it was before already' })
      continue
    }
    for (const record of changes) if (record.kind === 'entry') touched.add(record.id)
    await change.db.updateTable('activity').set({ undone_by: options.activityId }).where('id', '=', row.id).execute()
    options.undone(row)
    done.push(row.id)
  }
  for (const id of touched) await settleEntry(change, id, options)
  if (change.records.some(({ kind, id }) => kind === 'setting' && (id === 'language' || id === 'languages')))
    await checkLanguagePlaces(change.db, await readLanguages(change.db))
  return { done, skipped, overwritten }
}

const newestFirst = (a: ActivityRow, b: ActivityRow): number => b.at - a.at || (a.id < b.id ? 1 : -1)

interface UndoneOne {
  /** A sentence for each change that `force` skipped. */
  readonly left: readonly string[]
  readonly lost: readonly Overwritten[]
}

/** Undoes the row changes of one record, last first. */
async function undoOne(change: Change, row: ActivityRow, options: UndoOptions): Promise<UndoneOne> {
  const left: string[] = []
  const lost: Overwritten[] = []
  const kept = new Set(options.kept)
  for (const record of [...changesOf(row)].reverse()) {
    const why = options.keep === true ? await whyKept(change, record, kept) : undefined
    if (why !== undefined) {
      if (why !== '') left.push(`${record.kind} ${nameOf(record)}: ${why}`)
      continue
    }
    const fields: string[] = []
    const overwrites = (later: readonly string[]) => void fields.push(...later)
    const obstacle = await undoChange({ change, caller: options.caller, force: options.force, overwrites }, record)
    if (obstacle && !options.force && options.keep !== true) throw await conflict(change, row, record, obstacle)
    if (obstacle) kept.add(record.id)
    if (obstacle) left.push(`${record.kind} ${record.id}: ${obstacle.sentence}`)
    else if (fields.length > 0)
      lost.push({ id: record.id, fields, changes: await changesSince(change.db, record.id, record.revision ?? 0) })
  }
  return { left, lost }
}

/** The name of an object in a sentence: its title, if the change has one. */
function nameOf({ id, before, after }: RowChange): string {
  const title = (after ?? before)?.['title'] ?? (after ?? before)?.['name']
  return title === undefined || title === null ? id : `${JSON.stringify(title)} (${id})`
}

/** Returns the reason why a change is not undone; empty for one that belongs to another object that stays. */
async function whyKept(change: Change, { kind, id, before, after }: RowChange, kept: Set<string>): Promise<string | undefined> {
  if (kept.has(id)) return 'it was changed since, and stays'
  if ([after?.['entry_id'], after?.['target_id']].some((of) => typeof of === 'string' && kept.has(of))) return ''
  if (kind !== 'entry' || before !== null || (await listChildren(change.db, [id])).length === 0) return undefined
  kept.add(id)
  return 'entries that stay stand below it'
}

async function conflict(
  change: Change,
  row: ActivityRow,
  record: RowChange,
  { sentence, fields, lasting }: Obstacle,
): Promise<Failure> {
  const hint = lasting
    ? '`force` undoes what can be undone, and leaves this out.'
    : 'Undo what came later first, or say `force: true` to overwrite it.'
  const changes = await changesSince(change.db, record.id, record.revision ?? 0)
  return new Failure(
    'conflict',
    `${row.call} of ${new Date(row.at).toISOString()} can't be undone: ${sentence} (${record.kind} ${record.id}).`,
    {
      id: row.id,
      ...(fields.length > 0 ? { field: fields.join(', ') } : {}),
      changes,
      hint,
    },
  )
}

/**
 * Updates the paths of the pages below an entry, because a path begins with the parent's path, and checks that no page loses its
 * parent.
 * @throws Failure `conflict`
 */
async function settleEntry(change: Change, id: string, { caller }: UndoOptions): Promise<void> {
  const entry = await change.db.selectFrom('entry').selectAll().where('id', '=', id).executeTakeFirst()
  if (!entry || entry.path === null) {
    const below = await listChildren(change.db, [id])
    if (below.length > 0)
      throw new Failure(
        'conflict',
        `${below.length} page${below.length === 1 ? ' stands' : 's stand'} below one that would go: move them first.`,
        { id, by: below.slice(0, 20).map(({ path }) => path) },
      )
    return
  }
  if (!(await isInPlace(change.db, entry))) throw misplaced(entry)
  await checkOneTranslation(change.db, { entry, caller })
  await moveBelow(change, entry, (child) => checkEntryLimits(caller, child, child))
}

const misplaced = ({ id, path, parent_id: parentId }: EntryRow): Failure =>
  parentId === null
    ? new Failure('conflict', `${path} can't be put back: the languages of the site were changed since.`, {
        id,
        hint: 'Put the setting `languages` back first.',
      })
    : new Failure('conflict', `${path} can't be put back: the page above it was moved or removed since.`, {
        id,
        hint: 'Put that page back first.',
      })
