// Statistics: counts of each day, the day's salt with the ids of its visitors, and the calls of each day. Salt and ids are replaced
// at midnight, and no backup has them.

import type { Kysely } from 'kysely'
import { createTables } from './ddl.ts'

export async function up(db: Kysely<unknown>): Promise<void> {
  await createTables(db, {
    visit_count: 'day text, part text, value text, views integer, visitors integer; primary key (day, part, value)',
    visit_salt: 'id key, day text, salt text',
    visitor_seen: 'id bigint key',
    call_count: `day text, token text, action text, door text, token_name text, calls integer, errors integer, ms_10 integer,
      ms_50 integer, ms_200 integer, ms_1000 integer, ms_5000 integer, ms_more integer; primary key (day, token, action, door)`,
  })
}
