// Second factors after a restore. The standing database's factors stay as they are: a factor that was removed or used up since
// the backup stays removed, and one that was added since still guards its account. If there is no database to compare with,
// authenticator apps and passkeys of the backup stay, because without them a password alone would be enough. Recovery codes then
// end, because some may have been used (attack 122).

import { sql, type Transaction } from 'kysely'
import { totpStep } from '../identity/totp.ts'
import type { Schema } from '../store/core/schema.ts'
import type { SingleUse } from './single-use.ts'

const of = { column: 'account_id', table: 'account' } as const

/** The tables whose rows are taken from the standing database. */
export const factorTables: readonly SingleUse[] = [
  { table: 'totp', of },
  { table: 'passkey', of },
  { table: 'recovery_code', of },
]

/** Ends the codes that may have been used since the backup, if there is no database to compare with. @param now UTC milliseconds */
export async function endUsedCodes(db: Transaction<Schema>, now: number): Promise<void> {
  await db.deleteFrom('recovery_code').execute()
  const step = totpStep(now)
  await db.updateTable('totp').set({ last_step: step }).where('last_step', '<', step).execute()
}

/** Updates `account.second_factor` to match the restored rows. */
export async function settleFactors(db: Transaction<Schema>): Promise<void> {
  await sql`update account set second_factor = case
    when exists (select 1 from totp where totp.account_id = account.id)
      or exists (select 1 from passkey where passkey.account_id = account.id) then 1 else 0 end`.execute(db)
}
