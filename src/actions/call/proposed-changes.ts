// The changes that the calls of a proposal make, field by field. Values that differ with each run, such as new ids and times, are
// replaced with names, so that the changes of a trial and of an approval can be compared. An approval commits only the changes that
// were shown.

import { createHash } from 'node:crypto'
import { shownColumns } from '../../activity/shown-columns.ts'
import { cutText } from '../../base/cut-text.ts'
import { Failure } from '../../base/failure.ts'
import { diffOf, type RowChange } from '../../store/change/change.ts'
import { idTime, idTimeChars } from '../../store/core/ids.ts'
import type { Kind } from '../../store/change/kinds.ts'
import type { BatchCall } from '../api/batch-plan.ts'
import { readsTexts } from '../api/batch-references.ts'

/**
 * The change of one field. Ids that the calls make are numbered, times of the call become `now`, and numbered slugs lose their
 * number.
 */
export interface ProposedChange {
  readonly call: number
  readonly kind: Kind
  readonly id: string
  readonly field: string
  readonly before: unknown
  readonly after: unknown
}

/** One run of calls: a trial or an approval. */
interface Run {
  readonly calls: readonly Pick<BatchCall, 'arguments'>[]
  readonly now: number
  readonly accountId: string | null
}

/** Returns the changes of a run, in an order that does not depend on the database. */
export function proposedChanges(records: readonly RowChange[], run: Run): readonly ProposedChange[] {
  const plain = createPlain(records, run)
  const changes = records.flatMap((record) => {
    const { place: call = 0, kind, before } = record
    const isNew = before === null && kind !== 'entry_pending'
    return diffOf([record]).map(({ id, field, ...values }) => ({
      call,
      kind,
      id: plain.text(call, id),
      field,
      before: plain.value({ call, kind, field, isNew: false }, values.before),
      after: plain.value({ call, kind, field, isNew }, values.after),
    }))
  })
  return changes.sort((a, b) => a.call - b.call || compare(a.kind, b.kind) || compare(a.id, b.id))
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** Returns the digest of changes. An approver sends the digest of the changes that they were shown. */
export const digestOf = (changes: readonly ProposedChange[]): string =>
  createHash('sha256')
    .update(JSON.stringify(changes.map(({ call, kind, id, field, before, after }) => [call, kind, id, field, before, after])))
    .digest('base64url')

/** The longest run of calls. An id with a later time was not made by the run. */
const maxRunMs = 60_000

const idForm = /\b[0-7][0-9a-hjkmnp-tv-z]{25}\b/g

/** Columns with a slug. A taken slug gets a number. */
const slugColumns: ReadonlySet<string> = new Set(['slug', 'path', 'ref', 'filename'])

/** The place of a value. `isNew` is true for an object that the calls make. */
interface Column {
  readonly call: number
  readonly kind: Kind
  readonly field: string
  readonly isNew: boolean
}

/** Returns functions that name the values that differ with each run. */
function createPlain(records: readonly RowChange[], { calls, now, accountId }: Run) {
  const known = knownIn(records)
  const inserted = new Set(records.flatMap(({ before, id }) => (before === null && !known.has(id) ? [id] : [])))
  const [since, until] = [idTime(now), idTime(now + maxRunMs)]
  /** Calls whose slugs are fixed by the call itself, except for their number, so that nobody can exchange them. */
  const fixed = new Set(calls.flatMap((one, place) => (readsTexts(one.arguments) ? [] : [place])))
  const made = new Map<string, string>()
  const counts = new Map<number, number>()
  const isOfRun = (time: string) => time >= since && time <= until
  const isMade = (id: string) => inserted.has(id) || (isOfRun(id.slice(0, idTimeChars)) && !known.has(id))
  const nameOfMade = (call: number, id: string): string => {
    const count = (counts.get(call) ?? 0) + 1
    counts.set(call, count)
    const name = `new ${call}.${count}`
    made.set(id, name)
    return name
  }
  const idOf = (call: number, id: string): string =>
    id === accountId ? 'the proposer' : isMade(id) ? (made.get(id) ?? nameOfMade(call, id)) : id
  const text = (call: number, value: string) => value.replaceAll(idForm, (id) => idOf(call, id))
  const value = ({ call, kind, field, isNew }: Column, given: unknown): unknown => {
    if (typeof given === 'number') return plainTime(kind, field, given, now)
    if (typeof given !== 'string') return given
    const shown = text(call, given).replaceAll(String(now), 'now')
    return isNew && slugColumns.has(field) && fixed.has(call) ? withoutNumbers(shown) : shown
  }
  return { text, value }
}

/** Returns the ids of objects that were there before the run. An object that the run makes may be changed by it, too. */
function knownIn(records: readonly RowChange[]): ReadonlySet<string> {
  const known = new Set<string>()
  const made = new Set<string>()
  for (const { kind, id, before } of records) {
    if (before === null && kind !== 'entry_pending' && !known.has(id)) made.add(id)
    else if (before !== null && !made.has(id)) known.add(id)
  }
  return known
}

/** Removes the numbers at the end of the parts of a slug, path or filename. */
const withoutNumbers = (text: string): string =>
  text
    .split(/([/.])/)
    .map(cutNumbers)
    .join('')

/** `news-2-3` becomes `news`, because a title may itself end with a number. */
function cutNumbers(part: string): string {
  let end = part.length
  for (;;) {
    const dash = part.lastIndexOf('-', end - 1)
    if (dash <= 0 || !/^\d{1,6}$/.test(part.slice(dash + 1, end))) return part.slice(0, end)
    end = dash
  }
}

/**
 * Names a time relative to the call, such as the end of a token's grace period. Such a time has milliseconds; a time that a person
 * gives has none.
 */
function plainTime(kind: Kind, field: string, value: number, now: number): unknown {
  if (value === now) return 'now'
  const isCounted = value % 1000 !== 0 && (value - now) % 1000 === 0
  return isCounted && shownColumns[kind].times.includes(field) ? `now and ${(value - now) / 1000} seconds` : value
}

/**
 * Compares the changes of an approval with those that were shown.
 * @param only the places of the calls that ran
 * @throws Failure `conflict` with both, if they differ
 */
export function checkChanges(shown: readonly ProposedChange[], real: readonly ProposedChange[], only: ReadonlySet<number>): void {
  const meant = shown.filter(({ call }) => only.has(call))
  if (digestOf(meant) === digestOf(real)) return
  const [left, right] = [new Set(meant.map(textOf)), new Set(real.map(textOf))]
  throw otherChanges(
    meant.filter((one) => !right.has(textOf(one))),
    real.filter((one) => !left.has(textOf(one))),
  )
}

const textOf = (change: ProposedChange): string => JSON.stringify(change)

/** The failure of an approval whose calls would make other changes than were shown. */
export const otherChanges = (shown: readonly ProposedChange[], now: readonly ProposedChange[]): Failure =>
  new Failure('conflict', 'The calls would change something else than was shown. Nothing was done.', {
    shown: shown.slice(0, maxShown).map(brief),
    now: now.slice(0, maxShown).map(brief),
    hint: 'Look at the proposal again. If it still differs, reject it, and have it proposed again.',
  })

/** The most changes of each side in a failure, and the longest value. */
const maxShown = 10
const maxShownChars = 200

const brief = (change: ProposedChange) => ({ ...change, before: briefly(change.before), after: briefly(change.after) })
const briefly = (value: unknown): unknown => (typeof value === 'string' ? cutText(value, maxShownChars) : value)
