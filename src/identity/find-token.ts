// Tokens by id or name. Names needn't be single, so one that several usable tokens have names none.

import { Failure, notFound } from '../failure.ts'
import type { Db } from '../store/database.ts'
import type { TokenRow } from '../store/schema.ts'

/**
 * The token of an id, or of a name that one token which isn't revoked has. An exact id wins.
 * @throws Failure `not_found`; `conflict` when several have the name
 */
export async function getToken(db: Db, idOrName: string): Promise<TokenRow> {
  const byId = await db.selectFrom('token').selectAll().where('id', '=', idOrName).executeTakeFirst()
  if (byId) return byId
  const [token, ...others] = await db
    .selectFrom('token')
    .selectAll()
    .where('name', '=', idOrName)
    .where('revoked_at', 'is', null)
    .orderBy('id')
    .limit(20)
    .execute()
  if (!token) throw notFound('token', idOrName, 'SVC_Tokens.list tells which there are.')
  if (others.length === 0) return token
  throw new Failure('conflict', `${others.length + 1} tokens are named ${JSON.stringify(idOrName)}: say which by its id.`, {
    found: others.length + 1,
    expected: [token, ...others].map(({ id }) => id),
  })
}
