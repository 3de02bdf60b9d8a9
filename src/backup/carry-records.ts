// Raises the tiers of activity records after a restore. The tier of a record decides who may see it and undo it. A backup could
// claim a tier that is too low, and so allow a caller to undo a change that they could not make. Each record gets at least the
// tier that its changes need.

import type { Transaction } from 'kysely'
import { Failure } from '../base/failure.ts'
import { includesTier, type Tier } from '../identity/caller.ts'
import type { ActivityRow, Schema } from '../store/core/schema.ts'

/** Kinds of objects that a `content` caller may change; all others are an admin's. */
const contentKinds: readonly string[] = [
  'entry',
  'entry_pending',
  'former_path',
  'term',
  'menu',
  'form',
  'redirect',
  'old_address',
]

/** The number of records in memory at a time. */
const pageRows = 500

/** Raises tiers that are lower than the changes of their records need. @throws Failure `unprocessable` for a damaged record */
export async function raiseTiers(db: Transaction<Schema>): Promise<void> {
  for (let after = ''; ;) {
    const rows = await db
      .selectFrom('activity')
      .select(['id', 'tier', 'changes'])
      .where('tier', '!=', 'admin')
      .where('id', '>', after)
      .orderBy('id')
      .limit(pageRows)
      .execute()
    for (const row of rows) {
      const needed = tierOf(row)
      if (!includesTier(row.tier as Tier, needed))
        await db.updateTable('activity').set({ tier: needed }).where('id', '=', row.id).execute()
    }
    const last = rows.at(-1)
    if (!last || rows.length < pageRows) return
    after = last.id
  }
}

function tierOf({ id, changes }: Pick<ActivityRow, 'id' | 'changes'>): Tier {
  let list: unknown
  try {
    list = JSON.parse(changes)
  } catch {
    list = undefined
  }
  if (!Array.isArray(list)) throw new Failure('unprocessable', `This backup is of no use: its activity record ${id} is damaged.`)
  if (list.length === 0) return 'any'
  const kinds = list.map((change) => (change as { kind?: unknown } | null)?.kind)
  return kinds.every((kind) => contentKinds.includes(String(kind))) ? 'content' : 'admin'
}
