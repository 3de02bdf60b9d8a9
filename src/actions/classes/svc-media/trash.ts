// SVC_Media.delete, restore and purge. Files are stored until purge.

import { Type } from 'typebox'
import { forgetObject } from '../../../activity/forget.ts'
import { Failure } from '../../../failure.ts'
import { type EarlierFile, findUses, getMedia } from '../../../media/media-rows.ts'
import type { Db } from '../../../store/database.ts'
import type { MediaRow } from '../../../store/schema.ts'
import { action, type WriteContext } from '../../action.ts'
import { removeUnused } from '../../unused-media.ts'
import { checkExpected, expectProperty } from '../../expect.ts'
import { doneOutput } from '../../write-answer.ts'
import { idProperty } from './reading.ts'
import { bare } from './update.ts'
import { settleAfterwards } from './writing.ts'
import { closed } from '../../../schema.ts'

const idsProperty = Type.Array(idProperty, { description: 'Ids or paths of media files.', minItems: 1, maxItems: 100 })

export const remove = action('SVC_Media.delete', {
  title: 'Put [{title}|a file] into the trash',
  summary: 'Puts media files into the trash. Their addresses answer 404 until they are restored.',
  did: 'put [{title}|a file] into the trash',
  object: { kind: 'media', page: 'mediaFile' },
  tier: 'content',
  effect: 'write',
  failures: ['not_found', 'in_use'],
  touches: 'site',
  input: closed({ ids: idsProperty, force: Type.Optional(Type.Boolean({ description: 'Also where entries use them.' })) }),
  output: doneOutput,
  examples: [{ title: 'One by its path', input: { ids: ['/media/logo.svg'] } }],
  async run(context, { ids, force }) {
    const rows = await each(context.db, ids)
    const present = rows.filter(({ deleted_at: deleted }) => deleted === null)
    if (force !== true) await checkUnused(context.db, present)
    for (const row of present) await put(context, row, context.now)
    return answer(rows, present)
  },
})

export const restore = action('SVC_Media.restore', {
  title: 'Take [{title}|a file] out of the trash',
  summary: 'Takes media files out of the trash, to the addresses that they had.',
  did: 'took [{title}|a file] out of the trash',
  object: { kind: 'media', page: 'mediaFile' },
  tier: 'content',
  effect: 'write',
  failures: ['not_found'],
  touches: 'site',
  input: closed({ ids: idsProperty }),
  output: doneOutput,
  examples: [{ title: 'One by its path', input: { ids: ['/media/old-logo.svg'] } }],
  async run(context, { ids }) {
    const rows = await each(context.db, ids)
    const trashed = rows.filter(({ deleted_at: deleted }) => deleted !== null)
    for (const row of trashed) await put(context, row, null)
    return answer(rows, trashed)
  },
})

export const purge = action('SVC_Media.purge', {
  title: 'Delete [{title}|a file] for good',
  summary: 'Destroys media files that are in the trash, with all their bytes.',
  did: 'deleted [{title}|a file] for good',
  object: { kind: 'media', page: 'mediaFile' },
  tier: 'admin',
  effect: 'destroy',
  failures: ['not_found', 'conflict'],
  touches: 'site',
  input: closed({ ids: idsProperty, expect: expectProperty('files') }),
  output: doneOutput,
  examples: [{ title: 'One from the trash', input: { ids: ['/media/old-logo.svg'], expect: 1 } }],
  async run(context, { ids, expect }) {
    const rows = await each(context.db, ids)
    for (const { deleted_at: deleted, path } of rows)
      if (deleted === null)
        throw new Failure('refused', `${path} is not in the trash.`, {
          field: 'ids',
          rule: 'purge from the trash only',
          hint: 'SVC_Media.delete puts it there.',
        })
    checkExpected(rows.length, expect, 'files')
    for (const row of rows) await destroy(context, row)
    return { done: rows.map(({ id }) => id), unchanged: [], warnings: [], activity_id: null }
  },
})

async function put(context: WriteContext, before: MediaRow, deletedAt: number | null): Promise<void> {
  const { row } = await context.change.update('media', before, { deleted_at: deletedAt })
  settleAfterwards(context, row)
}

function answer(all: readonly MediaRow[], done: readonly MediaRow[]) {
  const unchanged = all.filter((row) => !done.includes(row))
  return { done: done.map(({ id }) => id), unchanged: unchanged.map(({ id }) => id), warnings: [], activity_id: null }
}

async function each(db: Db, ids: readonly string[]): Promise<readonly MediaRow[]> {
  const found = new Map<string, MediaRow>()
  for (const id of ids) {
    const row = bare(await getMedia(db, id))
    found.set(row.id, row)
  }
  return [...found.values()]
}

/** @throws Failure `in_use` with the entries */
async function checkUnused(db: Db, rows: readonly MediaRow[]): Promise<void> {
  for (const row of rows) {
    const by = (await findUses(db, row)).slice(0, 20).map(({ id, title, path }) => ({ id, title, path }))
    if (by.length === 0) continue
    const names = by.slice(0, 5).map(({ title, path, id }) => `${title} (${path ?? id})`)
    throw new Failure('in_use', `${row.path} is used by ${names.join(', ')}${by.length > 5 ? ' and others' : ''}.`, {
      field: 'force',
      by,
      hint: 'Take it out there, or give `force: true`.',
    })
  }
}

async function destroy({ change, site, afterCommit }: WriteContext, row: MediaRow): Promise<void> {
  const { db } = change
  const former = await db.selectFrom('media_former').selectAll().where('media_id', '=', row.id).execute()
  await change.remove('media', row)
  for (const path of former) await change.remove('media_path', path)
  await forgetObject(db, 'media', row.id)
  const files = [row, ...(JSON.parse(row.earlier) as EarlierFile[])]
  const named = { files: files.map(({ file }) => file), keys: files.map(({ file_key: key }) => key) }
  afterCommit(async () => void (await removeUnused(site, named)))
}
