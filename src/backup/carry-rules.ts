// What a restore leaves to whoever is in the backup and in the database that is replaced: the lower of both. A row a table; carry-over.ts obeys.

import type { Schema } from '../store/schema.ts'

/** `standing` is the database that is replaced, `s` its row of the same key; the bare names are the restored one's. */
export interface Rule {
  readonly table: keyof Schema
  readonly key: string
  /** How the row is called in a sentence. */
  readonly called: string
  /** Columns that nothing ever changes: where they differ, the file of the backup was changed, and it is refused. */
  readonly fixed: readonly string[]
  /** What becomes of a row that isn't there any more: these columns are set. `:now` is the moment of the restore. */
  readonly gone: Readonly<Record<string, string>>
  /** Columns of a row that is still there. */
  readonly merge: Readonly<Record<string, string>>
  /** With nothing to compare with: as if all were gone, unless it says otherwise. */
  readonly unknown?: Readonly<Record<string, string>>
  /** Whether `limits` becomes the tighter of both too. */
  readonly limited?: boolean
}

const sooner = (column: string, table: string): string =>
  `coalesce(min(${table}.${column}, s.${column}), ${table}.${column}, s.${column})`

/** The lower of two roles or scopes; one that is neither of the three is the lowest. */
const lower = (column: string, table: string): string => {
  const both = (among: string) => `${table}.${column} in (${among}) and s.${column} in (${among})`
  return `case when ${both("'admin'")} then 'admin' when ${both("'admin', 'content'")} then 'content' else 'read' end`
}

export const rules: readonly Rule[] = [
  {
    table: 'account',
    key: 'id',
    called: 'account',
    fixed: [],
    // Its password may have been given up since, and so may its address: another account may have it now.
    gone: { disabled: '1', epoch: 'epoch + 1', password_hash: 'null' },
    // The password and the address are the present ones: earlier ones may be somebody else's by now.
    merge: {
      email: 's.email',
      password_hash: 's.password_hash',
      epoch: 'max(account.epoch, s.epoch)',
      disabled: 'max(account.disabled, s.disabled)',
      role: lower('role', 'account'),
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
      scope: lower('scope', 'app_grant'),
      epoch: 's.epoch',
    },
    limited: true,
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
