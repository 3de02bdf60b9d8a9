// One row taken back: what it was before is written as a new state, unless somebody's later work would be lost.
// Which records are taken back, and in which order, is undo.ts's.

import type { Kysely } from 'kysely'
import { checkEntryLimits } from '../content/allowed.ts'
import { checkAdminLeft } from '../identity/account-store.ts'
import type { Caller } from '../identity/caller.ts'
import { checkLimits, type Touches } from '../identity/check-limits.ts'
import type { AnyRow, Change, RowChange } from '../store/change.ts'
import type { Db } from '../store/database.ts'
import { bookkeeping, type Kind, kinds, type RowOf } from '../store/kinds.ts'
import type { EntryRow, TokenRow } from '../store/schema.ts'
import { shownColumns } from './shown-columns.ts'

/** What an undo is part of. */
export interface Undoing {
  readonly change: Change
  readonly caller: Caller
  /** Overwrites what was changed since; what can't be done at all is left out. */
  readonly force: boolean
}

/** Why a row was not taken back. `lasting` where `force` doesn't help either. */
export interface Obstacle {
  readonly sentence: string
  readonly fields: readonly string[]
  readonly lasting: boolean
}

/**
 * What taking back a change touches, by what was changed. It may be more than the change itself did: undoing a demotion promotes.
 * An entry is held to the limits by itself.
 */
const touchedBy: Record<Kind, Touches> = {
  account: 'unlimited',
  token: 'site',
  app: 'unlimited',
  setting: 'site',
  entry: 'entries',
  former_path: 'entries',
  plugin: 'unlimited',
  skill: 'site',
}

/**
 * Takes a row's change back, or says what stands in the way; then nothing was written.
 * @throws Failure `refused` where the caller's limits do not leave it this
 */
export async function takeBack(undoing: Undoing, record: RowChange): Promise<Obstacle | undefined> {
  checkLimits(undoing.caller, touchedBy[record.kind], `taking back a change of ${withArticle(record.kind)}`)
  const current = await findRow(undoing.change.db, record.kind, record.id)
  if (record.before === null && record.after === null) return lasting('it was destroyed for good')
  if (record.before === null) return takeBackInsert(undoing, record, current)
  if (record.after === null) return takeBackRemoval(undoing, record.kind, record.before, current)
  return takeBackUpdate(undoing, record, record.before, current)
}

async function takeBackInsert(
  undoing: Undoing,
  { kind, after }: RowChange,
  current: AnyRow | undefined,
): Promise<Obstacle | undefined> {
  const { change, caller } = undoing
  if (!current) return undefined // gone already: that is what was wanted
  if (kind === 'token') return revoke(change, current as unknown as TokenRow)
  if (kind === 'account' && current['revision'] !== 1) return lasting('the account is in use by now')
  const changed = overwritten(undoing, kind, after ?? {}, current)
  if (changed) return changed
  if (kind === 'entry') checkCreated(caller, current as unknown as EntryRow)
  await change.remove(kind, current as never)
  if (kind === 'account') await checkAdminLeft(change.db)
  return undefined
}

/** An entry that goes because its creation is taken back is like one that goes into the trash: nothing that was there is destroyed. */
function checkCreated(caller: Caller, row: EntryRow): void {
  checkEntryLimits(caller, row, { ...row, status: 'trash' })
}

/** The one way back from a secret that was shown. */
async function revoke(change: Change, token: TokenRow): Promise<undefined> {
  if (token.revoked_at === null) await change.update('token', token, { revoked_at: change.now })
}

async function takeBackRemoval(
  { change, caller }: Undoing,
  kind: Kind,
  before: AnyRow,
  current: AnyRow | undefined,
): Promise<Obstacle | undefined> {
  // Its secrets were not recorded: what came back would not be what went.
  if (kinds[kind].secret.length > 0) return lasting(`${withArticle(kind)} that was removed does not come back`)
  if (current) return lasting('there is another in its place by now')
  if (kind === 'entry') {
    checkEntryLimits(caller, null, before as unknown as EntryRow)
    const taken = await pathObstacle(change.db, String(before['id']), before['path'] ?? null)
    if (taken) return taken
  }
  const counted = kinds[kind].revisioned ? { revision: Number(before['revision']) + 1 } : {}
  await change.insert(kind, { ...before, ...counted })
  return undefined
}

async function takeBackUpdate(
  undoing: Undoing,
  { kind, after }: RowChange,
  before: AnyRow,
  current: AnyRow | undefined,
): Promise<Obstacle | undefined> {
  const { change, caller } = undoing
  if (!current) return lasting('it is gone by now')
  const patch = said(kind, before)
  if (kind === 'token' && revives(patch, current)) return lasting('a token that was revoked is not revived')
  if (kind === 'plugin' && isUnconfirmed({ ...current, ...patch }))
    return lasting('nobody has confirmed the rights that the plugin asks for now: activate it anew')
  const changed = overwritten(undoing, kind, after ?? {}, current)
  if (changed) return changed
  if (kind === 'entry') {
    const row = current as unknown as EntryRow
    checkEntryLimits(caller, row, { ...row, ...(patch as Partial<EntryRow>) })
    const taken = 'path' in patch ? await pathObstacle(change.db, row.id, patch['path'] ?? null) : undefined
    if (taken) return taken
  }
  await change.update(kind, current as unknown as RowOf<Kind>, patch)
  if (kind === 'account') await checkAdminLeft(change.db)
  return undefined
}

/** The columns of a recorded row that say something, and are recorded at all. */
function said(kind: Kind, row: AnyRow): AnyRow {
  const secret: readonly string[] = kinds[kind].secret
  return Object.fromEntries(Object.entries(row).filter(([column]) => !bookkeeping.has(column) && !secret.includes(column)))
}

function revives(patch: AnyRow, current: AnyRow): boolean {
  if ('revoked_at' in patch && patch['revoked_at'] === null) return true
  // A later end, or none, would give a token time that it had lost.
  return 'expires_at' in patch && later(patch['expires_at'] ?? null, current['expires_at'] ?? null)
}

/** Whether a plugin would be active with other rights than were confirmed for it: that is for nobody but `activate` to bring about. */
function isUnconfirmed({ state, may, manifest }: AnyRow): boolean {
  const rights = (list: readonly string[]) => [...list].sort().join('\n')
  const asked = (JSON.parse(String(manifest)) as { may: string[] }).may
  return state === 'active' && rights(JSON.parse(String(may)) as string[]) !== rights(asked)
}

const later = (a: AnyRow[string], b: AnyRow[string]): boolean => b !== null && (a === null || Number(a) > Number(b))

/** Later work that would be lost. */
function overwritten({ force }: Undoing, kind: Kind, after: AnyRow, current: AnyRow): Obstacle | undefined {
  if (force) return undefined
  const { names } = shownColumns[kind]
  const fields = Object.entries(said(kind, after)).flatMap(([column, value]) =>
    current[column] === value ? [] : [names[column] ?? column],
  )
  if (fields.length === 0) return undefined
  return { sentence: `${fields.join(', ')} ${fields.length === 1 ? 'was' : 'were'} changed since`, fields, lasting: false }
}

async function pathObstacle(db: Db, id: string, path: AnyRow[string]): Promise<Obstacle | undefined> {
  if (path === null) return undefined
  const taken = await db
    .selectFrom('entry')
    .select(['id', 'title'])
    .where('path', '=', String(path))
    .where('id', '!=', id)
    .executeTakeFirst()
  return taken && { ...lasting(`its path ${path} belongs to ${JSON.stringify(taken.title)} by now`), fields: ['path'] }
}

const lasting = (sentence: string): Obstacle => ({ sentence, fields: [], lasting: true })
const withArticle = (kind: Kind): string => `${/^[aeiou]/.test(kind) ? 'an' : 'a'} ${kind}`

/** The tables differ by kind, and Kysely can't follow a table name that is a variable. */
async function findRow(db: Db, kind: Kind, id: string): Promise<AnyRow | undefined> {
  const { table, key } = kinds[kind]
  const tables = db as unknown as Kysely<Record<string, Record<string, string | number | null>>>
  return tables.selectFrom(table).selectAll().where(key, '=', id).executeTakeFirst()
}
