// Finds tokens by id or name. Names are not unique: a name that several usable tokens have finds none.

import type { Db } from '../store/database.ts'
import type { TokenRow } from '../store/schema.ts'
import { oneNamed } from './one-named.ts'

/**
 * Finds a token by id, or by a name that only one token has which isn't revoked. An exact id wins.
 * @throws Failure `not_found`; `conflict` when several have the name
 */
export async function getToken(db: Db, idOrName: string): Promise<TokenRow> {
  const byId = await db.selectFrom('token').selectAll().where('id', '=', idOrName).executeTakeFirst()
  if (byId) return byId
  const named = await db
    .selectFrom('token')
    .selectAll()
    .where('name', '=', idOrName)
    .where('revoked_at', 'is', null)
    .orderBy('id')
    .limit(20)
    .execute()
  return oneNamed('token', idOrName, named)
}
