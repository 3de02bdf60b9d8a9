// Comments of one entry, apart from its type; writers who confirm their address; webmentions. The entries of the former setting
// `comments_closed` keep what they have and take no further comments. The setting itself stays for a program that is rolled back.

import type { Kysely } from 'kysely'
import { addColumns, createIndexes, createTables } from './ddl.ts'

interface Former {
  setting: { key: string; value: string }
  entry: { id: string; path: string | null; comments: string | null }
}

export async function up(db: Kysely<unknown>): Promise<void> {
  await addColumns(db, 'entry', 'comments text?')
  await addColumns(db, 'comment', 'confirmed_at bigint?')
  await createIndexes(db, 'comment', { comment_by_email: 'email, state' })
  await createTables(db, {
    webmention: `id key, direction text, entry_id text of entry, source text, target text, state text, tries integer, next_at bigint?,
      created_at bigint, tried_at bigint?, status integer?, note text?, revision integer?`,
  })
  await createIndexes(db, 'webmention', {
    webmention_due: 'state, next_at',
    webmention_by_entry: 'entry_id, direction',
    webmention_by_time: 'created_at, id',
  })
  await closeFormer(db)
}

async function closeFormer(db: Kysely<Former>): Promise<void> {
  const row = await db.selectFrom('setting').select('value').where('key', '=', 'comments_closed').executeTakeFirst()
  if (!row) return
  const names = JSON.parse(row.value) as readonly string[]
  for (const name of names)
    await db
      .updateTable('entry')
      .set({ comments: 'closed' })
      .where((entry) => entry.or([entry('id', '=', name), entry('path', '=', name)]))
      .execute()
}
