// SVC_Media.list: lists files. Files in `uploads/protected/` have no row, and come after all others.

import { Type } from 'typebox'
import { sql } from 'kysely'
import { closed, flag } from '../../base/schema.ts'
import type { Db } from '../../store/core/database.ts'
import { countUses, findManyMedia, findUses } from '../../media/media-rows.ts'
import type { MediaRow } from '../../store/core/schema.ts'
import { listAnswer, type ListInput, listOutput, listProperties, listRows, type ListSpec } from '../lists/list.ts'
import { action, type Context } from '../call/action.ts'
import { someCondition } from '../lists/where-conditions.ts'
import { decodeCursor, encodeCursor } from '../lists/cursor.ts'
import { leanItem, mediaItem, type MediaItem, protectedItem, wholeItem } from './item.ts'
import { filesOf } from './named.ts'

const mediaList: ListSpec<'media'> = {
  table: 'media',
  key: 'id',
  fields: {
    id: { column: 'id', kind: 'text', sort: true, indexed: true },
    path: { column: 'path', kind: 'text', sort: true, indexed: true },
    filename: { column: 'filename', kind: 'text', sort: true, indexed: true },
    folder: { column: 'folder', kind: 'text', indexed: true, ordered: ['created_at'] },
    kind: { column: 'kind', kind: 'text', indexed: true, ordered: ['created_at'] },
    bytes: { column: 'bytes', kind: 'number', sort: true, indexed: true },
    width: { column: 'width', kind: 'number', nullable: true },
    height: { column: 'height', kind: 'number', nullable: true },
    alt: { column: 'alt', kind: 'text', nullable: true },
    protected: { column: 'protected', kind: 'boolean' },
    created_at: { column: 'created_at', kind: 'time', sort: true, indexed: true },
    updated_at: { column: 'updated_at', kind: 'time', sort: true, indexed: true },
    deleted_at: { column: 'deleted_at', kind: 'time', nullable: true },
  },
  sort: '-created_at',
  search: ['path', 'alt', 'caption'],
}

export const list = action('SVC_Media.list', {
  title: 'List files',
  summary: 'Lists images, documents, video and sound; those in the trash only where `where.deleted_at` asks.',
  tier: 'read',
  effect: 'read',
  input: closed({
    ...listProperties(mediaList),
    folders: flag('Also answers the names of all folders.'),
  }),
  output: Type.Object({
    ...listOutput(mediaItem).properties,
    folders: Type.Optional(
      Type.Array(Type.String(), { description: 'The folders that have files, without those in the trash.' }),
    ),
  }),
  examples: [
    { title: 'The newest, and how many there are', input: { count: true } },
    { title: 'Images that nobody has described yet', input: { where: { kind: { has: 'image/' }, alt: { exists: false } } } },
    { title: 'Files with "report" in their name', input: { search: 'report' } },
  ],
  async run(context, { folders, ...input }) {
    const answer = await listMedia(context, input as ListInput)
    return folders ? { ...answer, folders: await foldersIn(context.db) } : answer
  },
})

/** Nulls for the fields that not every file has. `select` may name any field, whichever files are on the page. */
const noFields = Object.fromEntries(Object.keys(mediaItem.properties).map((name) => [name, null])) as Partial<MediaItem>

async function foldersIn(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('media')
    .select('folder')
    .distinct()
    .where('deleted_at', 'is', null)
    .where('folder', '!=', '')
    .orderBy('folder')
    .limit(1000)
    .execute()
  return rows.map(({ folder }) => folder)
}

async function listMedia(context: Context, input: ListInput) {
  if (input.cursor?.startsWith(filesMark)) return listFiles(context, input, input.limit ?? 20)
  const inTrash = someCondition(input.where, (field) => field === 'deleted_at')
  const page = await listRows(context, mediaList, input, {
    narrow: (query) => (inTrash ? query : query.where((eb) => eb(eb.fn.coalesce('media.deleted_at', sql<number>`0`), '=', 0))),
  })
  const rows = page.rows as readonly MediaRow[]
  const uses = await countUses(context.db, rows)
  const whole = context.select
    ? await findManyMedia(
        context.db,
        rows.map(({ id }) => id),
      )
    : undefined
  const answer = await listAnswer(context, page, async (row) => {
    const full = whole?.get(row.id)
    if (!full) return leanItem(context, row, uses.get(row.id))
    return { ...noFields, ...wholeItem(context, full, await findUses(context.db, full)), used: uses.get(row.id) ?? 0 }
  })
  return listsFiles(input) && answer.next_cursor === null ? withFiles(context, input, answer) : answer
}

/** The prefix of cursors among the files without a row. */
const filesMark = 'files.'

/** True if a list includes the files without a row: its conditions can be true for them, and it has the default order. */
const listsFiles = ({ where = {}, sort }: ListInput): boolean =>
  sort === undefined && Object.entries(where).every(([field, wanted]) => field === 'protected' && wanted === true)

interface Listed {
  readonly items: readonly MediaItem[]
  readonly next_cursor: string | null
  readonly total?: number
}

async function withFiles(context: Context, input: ListInput, rows: Listed) {
  const room = (input.limit ?? 20) - rows.items.length
  const files = await listFiles(context, { ...input, cursor: undefined } as never, room)
  const total = rows.total === undefined ? {} : { total: rows.total + (files.total ?? 0) }
  return { ...rows, items: [...rows.items, ...files.items], next_cursor: files.next_cursor, ...total }
}

async function listFiles(context: Context, { search = '', cursor, count }: ListInput, limit: number) {
  const [key, identity] = [context.site.key.derive('cursor'), { list: 'protected files', search }]
  const after = cursor === undefined ? '' : String(decodeCursor(key, identity, cursor.slice(filesMark.length)).key)
  const files = filesOf(context)
  const words = search.toLowerCase().split(/\s+/)
  const all = (await files.list()).filter((id) => words.every((word) => id.toLowerCase().includes(word)))
  const left = all.filter((id) => id > after)
  const page = left.slice(0, limit)
  const items: MediaItem[] = []
  for (const id of page) {
    const file = await files.find(id)
    if (file) items.push({ ...(context.select && noFields), ...protectedItem(file) })
  }
  const last = page.at(-1) ?? after
  const next = left.length > limit ? filesMark + encodeCursor(key, identity, { value: last, key: last }) : null
  return { items, next_cursor: next, ...(count === true ? { total: all.length } : {}) }
}
