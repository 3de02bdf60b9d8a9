// The common parts of personal tokens and connected apps: the fields of their lists, limits that only tighten, and revocation. The
// row of a revoked credential is not deleted, so that nothing revives the credential.

import { type Static, type TSchema, type TString, Type } from 'typebox'
import { findAccount } from '../../identity/account-store.ts'
import { scopes, type TokenLimits } from '../../identity/caller.ts'
import { checkTighter } from '../../identity/token-limits.ts'
import type { Db } from '../../store/core/database.ts'
import type { RowOf } from '../../store/change/kinds.ts'
import type { WriteContext } from '../call/action.ts'
import { checkExpected, expectProperty } from './expect.ts'
import type { Registry } from '../call/registry.ts'
import { doneAnswer, eachOnce } from './several.ts'
import { type GivenLimits, readLimits } from './token-item.ts'
import { closed } from '../../base/schema.ts'

/** The fields of both lists. No secret or hash is a field: a filter would reveal it bit by bit (attack 90). */
export const credentialFields = {
  id: { column: 'id', kind: 'text', indexed: true },
  name: { column: 'name', kind: 'text', sort: true },
  account: {
    column: 'account_id',
    kind: 'text',
    resolve: async (value: string, { db }: { readonly db: Db }) => (await findAccount(db, value))?.id ?? null,
  },
  scope: { column: 'scope', kind: 'choice', choices: scopes },
  expires_at: { column: 'expires_at', kind: 'time', sort: true, nullable: true },
  revoked_at: { column: 'revoked_at', kind: 'time', sort: true, nullable: true, indexed: true },
  created_at: { column: 'created_at', kind: 'time', sort: true },
  updated_at: { column: 'updated_at', kind: 'time', sort: true },
} as const

/**
 * Returns the `limits` column of a credential after an update.
 * @param before the present column
 * @param given the limits in the call; undefined for no change
 * @throws Failure `refused` for limits that would allow more than before, `invalid` as `readLimits` does
 */
export function tightenLimits(registry: Registry, before: string, given: GivenLimits | undefined, whose: string): string {
  const present = JSON.parse(before) as TokenLimits
  const tightened = given === undefined ? present : { ...present, ...readLimits(registry, given) }
  checkTighter(present, tightened, whose)
  return JSON.stringify(tightened)
}

/** The input of a revocation. */
export const revokeInput = <Id extends TSchema>(id: Id, what: 'tokens' | 'apps', description: string) =>
  closed({ ids: Type.Array(id, { minItems: 1, maxItems: 100, description }), expect: expectProperty(what) })

/**
 * Revokes the named credentials, all or none. Duplicates count once.
 * @param get returns a credential, or throws `not_found`
 * @throws Failure `conflict` if their number is not the expected one
 */
export async function revokeNamed<K extends 'token' | 'app'>(
  { change, site, afterCommit }: WriteContext,
  kind: K,
  { ids, expect }: Static<ReturnType<typeof revokeInput<TString>>>,
  get: (id: string) => Promise<RowOf<K>>,
) {
  const all = await eachOnce(ids, get)
  checkExpected(all.length, expect, kind === 'token' ? 'tokens' : 'apps')
  const active = all.filter((row) => row.revoked_at === null)
  for (const row of active) await change.update(kind, row, { revoked_at: change.now } as Partial<RowOf<K>>)
  // Jobs that the credentials started are cancelled.
  afterCommit(() => site.jobs.look())
  return doneAnswer(
    active,
    all.filter((row) => !active.includes(row)),
  )
}
