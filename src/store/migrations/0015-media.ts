// Media: one row per file of the owner, the variants of images, earlier paths, upload links, and the files that each entry names.
// An entry gets a column for its cover image.

import type { Kysely } from 'kysely'

const indexes: readonly (readonly [name: string, table: string, columns: readonly string[]])[] = [
  ['media_sha256', 'media', ['sha256']],
  ['media_file_key', 'media', ['file_key']],
  ['media_filename', 'media', ['filename', 'id']],
  ['media_bytes', 'media', ['bytes', 'id']],
  ['media_created', 'media', ['created_at', 'id']],
  ['media_updated', 'media', ['updated_at', 'id']],
  ['media_kind_created', 'media', ['kind', 'created_at', 'id']],
  ['media_folder_created', 'media', ['folder', 'created_at', 'id']],
  ['media_path_id', 'media', ['path', 'id']],
  ['media_former_media', 'media_former', ['media_id']],
  ['media_use_ref', 'media_use', ['ref']],
]

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('media')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('path', 'text', (c) => c.notNull().unique())
    .addColumn('folder', 'text', (c) => c.notNull())
    .addColumn('filename', 'text', (c) => c.notNull())
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('bytes', 'bigint', (c) => c.notNull())
    .addColumn('sha256', 'text', (c) => c.notNull())
    .addColumn('file', 'text', (c) => c.notNull())
    .addColumn('file_key', 'text', (c) => c.notNull())
    .addColumn('width', 'integer')
    .addColumn('height', 'integer')
    .addColumn('alt', 'text')
    .addColumn('caption', 'text')
    .addColumn('focus', 'text')
    .addColumn('placeholder', 'text')
    .addColumn('protected', 'integer', (c) => c.notNull())
    .addColumn('held', 'integer', (c) => c.notNull())
    .addColumn('earlier', 'text', (c) => c.notNull())
    .addColumn('deleted_at', 'bigint')
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('updated_at', 'bigint', (c) => c.notNull())
    .addColumn('revision', 'integer', (c) => c.notNull())
    .execute()
  await db.schema
    .createTable('media_picture')
    .addColumn('file_key', 'text', (c) => c.primaryKey())
    .addColumn('variants', 'text', (c) => c.notNull())
    .addColumn('problem', 'text')
    .addColumn('made_at', 'bigint', (c) => c.notNull())
    .execute()
  await db.schema
    .createTable('media_former')
    .addColumn('path', 'text', (c) => c.primaryKey())
    .addColumn('media_id', 'text', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .execute()
  await db.schema
    .createTable('media_use')
    .addColumn('entry_id', 'text', (c) => c.notNull().references('entry.id').onDelete('cascade'))
    .addColumn('ref', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('media_use_pk', ['entry_id', 'ref'])
    .execute()
  await db.schema
    .createTable('upload_link')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('hash', 'text', (c) => c.notNull().unique())
    .addColumn('caller', 'text', (c) => c.notNull())
    .addColumn('input', 'text', (c) => c.notNull())
    .addColumn('max_bytes', 'bigint', (c) => c.notNull())
    .addColumn('expires_at', 'bigint', (c) => c.notNull())
    .addColumn('used_at', 'bigint')
    .execute()
  await db.schema.alterTable('entry').addColumn('cover', 'text').execute()
  for (const [name, table, columns] of indexes)
    await db.schema
      .createIndex(name)
      .on(table)
      .columns([...columns])
      .execute()
}
