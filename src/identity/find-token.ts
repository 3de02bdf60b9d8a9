// Finds tokens by id or name. Names are not unique. A name of several usable tokens is a conflict.

import type { Db } from '../store/core/database.ts'
import type { TokenRow } from '../store/core/schema.ts'
import { oneNamed } from './one-named.ts'

/**
 * Finds a token by id, or by a name that only one unrevoked token has. An exact id wins.
 * @throws Failure `not_found`; `conflict` if several tokens have the name
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
