// The salt of a day, the same for all processes and nodes. It is stored, so that a restart doesn't count visitors again. The first
// process that needs the next day's salt overwrites it, and deletes the ids that were made with it.

import type { Db, Store } from '../store/core/database.ts'
import { makeSalt } from './visitor-id.ts'

const only = 'salt'

/** Returns the salt of a day, and makes it if there is none. */
export async function saltOf(store: Pick<Store, 'read' | 'transaction'>, day: string): Promise<string> {
  const known = await find(store.read)
  if (known && holdsOn(known.day, day)) return known.salt
  return store.transaction(async (db) => {
    const now = await find(db)
    if (now && holdsOn(now.day, day)) return now.salt
    const row = { id: only, day, salt: makeSalt() }
    await db
      .insertInto('visit_salt')
      .values(row)
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ day: row.day, salt: row.salt }))
      .execute()
    await db.deleteFrom('visitor_seen').execute()
    return row.salt
  })
}

/** Deletes salt and ids, when statistics are turned off. */
export async function dropSalt(store: Pick<Store, 'read' | 'transaction'>): Promise<void> {
  if (!(await find(store.read))) return
  await store.transaction(async (db) => {
    await db.deleteFrom('visit_salt').execute()
    await db.deleteFrom('visitor_seen').execute()
  })
}

const find = (db: Db) => db.selectFrom('visit_salt').select(['day', 'salt']).where('id', '=', only).executeTakeFirst()

/** True if a salt of one day serves on another. The clock of another node may already show the next day. */
const holdsOn = (saltDay: string, day: string): boolean => saltDay === day || saltDay === dayAfter(day)

const dayAfter = (day: string): string => new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10)
