// The rules for access after a restore, one per table. Rows that are in the backup and in the standing database get the lower
// rights of the two. `carry-over.ts` applies these rules.

import { roles, scopes } from '../identity/caller.ts'
import type { Schema } from '../store/core/schema.ts'

/** In SQL texts, `s` is the standing row with the same key; a plain table name is the restored row. */
export interface Rule {
  readonly table: keyof Schema
  readonly key: string
  /** The name of such a row in a sentence. */
  readonly called: string
  /** Columns that Postern never changes. If one differs, someone changed the backup, and the restore is refused. */
  readonly fixed: readonly string[]
  /** The columns to set in a row that is no longer in the standing database. `:now` is the time of the restore. */
  readonly gone: Readonly<Record<string, string>>
  /** The columns to set in a row that is in both databases. */
  readonly merge: Readonly<Record<string, string>>
  /** The columns to set in every row if there is no database to compare with; by default those of `gone`. */
  readonly unknown?: Readonly<Record<string, string>>
  /** True if the row also gets the tighter limits of the two. */
  readonly limited?: boolean
}

const sooner = (column: string, table: string): string =>
  `coalesce(min(${table}.${column}, s.${column}), ${table}.${column}, s.${column})`

/** SQL for the lower of two roles or scopes. An unknown value counts as the lowest. @param ladder lowest first */
const lower = (column: string, table: string, ladder: readonly string[]): string => {
  const both = (among: string) => `${table}.${column} in (${among}) and s.${column} in (${among})`
  const whens = ladder.slice(1).map((value, at) => {
    const among = ladder.slice(at + 1).map((one) => `'${one}'`)
    return `when ${both(among.join(', '))} then '${value}'`
  })
  return `case ${whens.toReversed().join(' ')} else '${ladder[0] ?? ''}' end`
}

export const rules: readonly Rule[] = [
  {
    table: 'account',
    key: 'id',
    called: 'account',
    fixed: [],
    // Someone else may now have the password or the address of a deleted account.
    gone: { disabled: '1', epoch: 'epoch + 1', password_hash: 'null' },
    // Someone else may now know an earlier password, or have an earlier address.
    merge: {
      email: 's.email',
      password_hash: 's.password_hash',
      epoch: 'max(account.epoch, s.epoch)',
      disabled: 'max(account.disabled, s.disabled)',
      role: lower('role', 'account', roles),
    },
    unknown: { epoch: 'epoch + 1' },
  },
  {
    table: 'token',
    key: 'id',
    called: 'token',
    fixed: ['hash', 'account_id', 'scope'],
    gone: { revoked_at: 'coalesce(revoked_at, :now)' },
    merge: { revoked_at: sooner('revoked_at', 'token'), expires_at: sooner('expires_at', 'token') },
    limited: true,
  },
  {
    table: 'app_grant',
    key: 'id',
    called: 'app',
    fixed: ['client_hash', 'account_id'],
    gone: { revoked_at: 'coalesce(revoked_at, :now)' },
    merge: {
      revoked_at: sooner('revoked_at', 'app_grant'),
      expires_at: sooner('expires_at', 'app_grant'),
      scope: lower('scope', 'app_grant', scopes),
      epoch: 's.epoch',
    },
    limited: true,
  },
  {
    table: 'subscriber',
    key: 'id',
    called: 'subscriber',
    fixed: [],
    gone: {},
    // A subscription that has ended since the backup stays so.
    merge: { state: 's.state', reason: 's.reason', consent: 's.consent', consent_at: 's.consent_at', bounces: 's.bounces' },
  },
  {
    table: 'token_use',
    key: 'token_id',
    called: 'use',
    fixed: [],
    gone: {},
    merge: { used_at: 'max(token_use.used_at, s.used_at)' },
  },
]
