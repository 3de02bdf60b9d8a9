// Undoes the change of one row: writes the earlier state as a new change, unless that would overwrite later work. `undo-rules.ts`
// has the rules for each kind of object. `undo.ts` decides which records are undone, and in which order.

import type { Kysely } from 'kysely'
import type { Caller } from '../identity/caller.ts'
import { checkLimits } from '../identity/check-limits.ts'
import type { AnyRow, Change, RowChange } from '../store/change/change.ts'
import type { Db } from '../store/core/database.ts'
import { bookkeeping, type Kind, kinds, type RowOf, withArticle } from '../store/change/kinds.ts'
import { type UndoRule, undoRules } from './undo-rules.ts'
import { shownColumns } from './shown-columns.ts'

/** The transaction and the caller of an undo. */
export interface Undoing {
  readonly change: Change
  readonly caller: Caller
  /** True to overwrite later changes, and to skip changes that can't be undone at all. */
  readonly force: boolean
  /** Called with `force` for the fields whose later changes are overwritten. */
  readonly overwrites?: (fields: readonly string[]) => void
}

/** The reason why the change of a row was not undone. `lasting` means that `force` doesn't help either. */
export interface Obstacle {
  readonly sentence: string
  readonly fields: readonly string[]
  readonly lasting: boolean
}

/** A row whose change is being undone. */
interface Step extends Undoing {
  readonly kind: Kind
  readonly rule: UndoRule
  readonly id: string
  readonly current: AnyRow | undefined
}

/**
 * Undoes the change of a row. If something prevents this, nothing is written and the obstacle is returned.
 * @throws Failure `refused` if the caller's limits don't allow it
 */
export async function undoChange(undoing: Undoing, record: RowChange): Promise<Obstacle | undefined> {
  const { kind, id, before, after } = record
  const rule = undoRules[kind] as UndoRule
  checkLimits(undoing.caller, rule.touches, `taking back a change of ${withArticle(kind)}`)
  if (before === null && after === null) return lasting('it was destroyed for good')
  if (rule.undo) return rule.undo(undoing, record)
  const step: Step = { ...undoing, kind, rule, id, current: await findRow(undoing.change.db, kind, id) }
  const obstacle =
    before === null
      ? await undoCreation(step, after ?? {})
      : after === null
        ? await undoRemoval(step, before)
        : await undoUpdate(step, before, after)
  if (!obstacle) await rule.checkSite?.(undoing.change.db)
  return obstacle
}

async function undoCreation(step: Step, after: AnyRow): Promise<Obstacle | undefined> {
  const { change, caller, kind, rule } = step
  // The object is already gone, so there is nothing to undo.
  if (!step.current) return undefined
  const current = rowOf(step.current)
  if (rule.created === 'retire') {
    await rule.retire?.(change, current)
    return undefined
  }
  const why = rule.whyCreated?.(current)
  if (why !== undefined) return lasting(why)
  const later = laterWork(step, after, step.current)
  if (later) return later
  const whyNot = await rule.whyNot?.(change.db, step.current, null)
  if (whyNot !== undefined) return lasting(whyNot)
  rule.checkCaller?.(caller, current, null)
  await change.remove(kind, current)
  return undefined
}

async function undoRemoval({ change, caller, kind, rule, id, current }: Step, before: AnyRow): Promise<Obstacle | undefined> {
  if (rule.removed === 'stay') return lasting(`${withArticle(kind)} that was removed does not come back`)
  if (current) return lasting('there is another in its place by now')
  const whyNot = await rule.whyNot?.(change.db, null, before)
  if (whyNot !== undefined) return lasting(whyNot)
  rule.checkCaller?.(caller, null, rowOf(before))
  const taken = await findTaken(change.db, kind, rule, id, before)
  if (taken) return taken
  const counted = kinds[kind].revisioned ? { revision: Number(before['revision']) + 1 } : {}
  // The staged changes of the entry were removed with it.
  const unstaged = 'staged' in before ? { staged: 0, live_revision: null } : {}
  await change.insert(kind, { ...(await repaired(change.db, rule, before)), ...counted, ...unstaged })
  return undefined
}

async function undoUpdate(step: Step, before: AnyRow, after: AnyRow): Promise<Obstacle | undefined> {
  const { change, caller, kind, rule, id } = step
  if (!step.current) return lasting('it is gone by now')
  const current = rowOf(step.current)
  const restored = await repaired(change.db, rule, contentOf(kind, before))
  const patch = (await rule.derive?.(change.db, restored, current)) ?? restored
  const why = rule.whyChanged?.(current, patch)
  if (why !== undefined) return lasting(why)
  const later = laterWork(step, after, step.current)
  if (later) return later
  const whyNot = await rule.whyNot?.(change.db, step.current, { ...step.current, ...patch })
  if (whyNot !== undefined) return lasting(whyNot)
  rule.checkCaller?.(caller, current, { ...current, ...patch })
  const taken = await findTaken(change.db, kind, rule, id, patch)
  if (taken) return taken
  await change.update(kind, current, patch)
  return undefined
}

const repaired = async (db: Db, rule: UndoRule, columns: AnyRow): Promise<AnyRow> => (await rule.repair?.(db, columns)) ?? columns

/** The recorded columns of a row, without the counters of its writes. */
function contentOf(kind: Kind, row: AnyRow): AnyRow {
  const { secret } = kinds[kind]
  return Object.fromEntries(Object.entries(row).filter(([column]) => !bookkeeping.has(column) && !secret.includes(column)))
}

/** Later work that the undo would overwrite. */
function laterWork({ force, kind, rule, overwrites }: Step, after: AnyRow, current: AnyRow): Obstacle | undefined {
  const { names } = shownColumns[kind]
  const derived: readonly string[] = rule.derived ?? []
  const fields = Object.entries(contentOf(kind, after)).flatMap(([column, value]) =>
    current[column] === value || derived.includes(column) ? [] : [names[column] ?? column],
  )
  if (fields.length === 0) return undefined
  if (force) {
    overwrites?.(fields)
    return undefined
  }
  return { sentence: `${fields.join(', ')} ${fields.length === 1 ? 'was' : 'were'} changed since`, fields, lasting: false }
}

/** Finds another object that now has the unique value that the undo would write. */
async function findTaken(db: Db, kind: Kind, { unique }: UndoRule, id: string, row: AnyRow): Promise<Obstacle | undefined> {
  if (!unique) return undefined
  // The kinds have no column in common, so the names of a rule of any kind are plain text here.
  const { column, called, namedBy }: { column: string; called: string; namedBy: string } = unique
  const value = row[column]
  if (value === undefined || value === null) return undefined
  const { table, key } = kinds[kind]
  const query = tablesOf(db).selectFrom(table).select(namedBy).where(column, '=', value).where(key, '!=', id)
  const other = await query.executeTakeFirst()
  if (!other) return undefined
  const sentence = `its ${called} ${value} belongs to ${JSON.stringify(other[namedBy])} by now`
  return { ...lasting(sentence), fields: [column] }
}

const lasting = (sentence: string): Obstacle => ({ sentence, fields: [], lasting: true })

/** Kysely can't type a query whose table name is a variable, so rows and tables are cast here. */
const rowOf = (row: AnyRow): RowOf<Kind> => row as unknown as RowOf<Kind>
const tablesOf = (db: Db) => db as unknown as Kysely<Record<string, Record<string, string | number | null>>>

async function findRow(db: Db, kind: Kind, id: string): Promise<AnyRow | undefined> {
  const { table, key } = kinds[kind]
  return tablesOf(db).selectFrom(table).selectAll().where(key, '=', id).executeTakeFirst()
}
