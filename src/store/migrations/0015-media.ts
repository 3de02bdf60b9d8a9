// Media: one row per file of the owner, the variants of images, earlier paths, upload links, and the files that each entry names.
// An entry gets a column for its cover image.

import type { Kysely } from 'kysely'
import { addColumns, createIndexes, createTables, revisioned } from './ddl.ts'

export async function up(db: Kysely<unknown>): Promise<void> {
  await createTables(db, {
    media: `
      id key, path text unique, folder text, filename text, kind text, bytes bigint, sha256 text, file text, file_key text,
      width integer?, height integer?, alt text?, caption text?, focus text?, placeholder text?, protected integer,
      held integer, earlier text, deleted_at bigint?, ${revisioned}`,
    media_picture: 'file_key key, variants text, problem text?, made_at bigint',
    media_former: 'path key, media_id text, created_at bigint',
    media_use: 'entry_id text of entry, ref text; primary key (entry_id, ref)',
    upload_link: `id key, hash text unique, caller text, input text, max_bytes bigint, expires_at bigint, used_at bigint?`,
  })
  await addColumns(db, 'entry', 'cover text?')
  await createIndexes(db, 'media', {
    media_sha256: 'sha256',
    media_file_key: 'file_key',
    media_filename: 'filename, id',
    media_bytes: 'bytes, id',
    media_created: 'created_at, id',
    media_updated: 'updated_at, id',
    media_kind_created: 'kind, created_at, id',
    media_folder_created: 'folder, created_at, id',
    media_path_id: 'path, id',
  })
  await createIndexes(db, 'media_former', { media_former_media: 'media_id' })
  await createIndexes(db, 'media_use', { media_use_ref: 'ref' })
}
