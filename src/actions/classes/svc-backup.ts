// SVC_Backup: the site as one file. Making and trying it is `backup/`'s; a running service can't put one back, and says how that is done.

import { type Static, Type } from 'typebox'
import { everies, getBackup, readSchedule, writeSchedule } from '../../backup/backup-store.ts'
import { downloadMs, signDownload } from '../../backup/download-link.ts'
import { Failure } from '../../failure.ts'
import { formatDate } from '../../settings/time-zone.ts'
import type { BackupRow } from '../../store/schema.ts'
import { type Action, action, type Context } from '../action.ts'
import { expectProperty, holdExpected } from '../expect.ts'
import { listAnswer, type ListInput, listOutput, listProperties, listRows, type ListSpec } from '../list.ts'
import { doneOutput, nullable, writeProperties } from '../write-answer.ts'

const backupList: ListSpec<'backup'> = {
  table: 'backup',
  key: 'id',
  fields: {
    id: { column: 'id', kind: 'text' },
    file: { column: 'file', kind: 'text' },
    note: { column: 'note', kind: 'text' },
    bytes: { column: 'bytes', kind: 'number', sort: true },
    created_at: { column: 'created_at', kind: 'time', sort: true },
    verified_at: { column: 'verified_at', kind: 'time' },
    error: { column: 'error', kind: 'text' },
  },
  sort: '-created_at',
  search: ['note', 'file'],
}

const backupItem = Type.Object({
  id: Type.String(),
  file: Type.String({ description: 'Its name in the folder of backups.' }),
  created_at: Type.String(),
  bytes: Type.Integer(),
  sha256: Type.String({ description: 'Of the whole file, in hex.' }),
  note: nullable(Type.String()),
  schema: Type.String({ description: 'The last migration of the database in it.' }),
  verified_at: nullable(Type.String(), 'When it was last restored in a scratch place and found good.'),
  error: nullable(Type.String(), 'What is wrong with it; null where nothing is known to be.'),
})

/** A backup as answers show it, and `postern backup --json`. */
export function backupItemOf({ version: _version, ...row }: BackupRow): Static<typeof backupItem> {
  const at = (ms: number | null) => (ms === null ? null : formatDate(ms))
  return { ...row, created_at: formatDate(row.created_at), verified_at: at(row.verified_at) }
}

const idProperty = Type.String({
  description: 'Id or file name of a backup; `latest` is the newest good one, `oldest` the oldest.',
  minLength: 1,
  maxLength: 200,
})

const list = action({
  class: 'SVC_Backup',
  name: 'list',
  summary: 'Lists the backups, each with what came of trying it.',
  tier: 'admin',
  effect: 'read',
  input: Type.Object(listProperties(backupList), { additionalProperties: false }),
  output: listOutput(backupItem),
  examples: [{ title: 'The newest first', input: { limit: 10 } }],
  async run(context, input: ListInput) {
    const page = await listRows(context, backupList, input)
    return listAnswer(context, page, (row) => backupItemOf(row))
  },
})

const get = action({
  class: 'SVC_Backup',
  name: 'get',
  summary: 'Tells of one backup, with a link to its file that is good for ten minutes.',
  tier: 'admin',
  effect: 'read',
  input: Type.Object({ id: idProperty }, { additionalProperties: false }),
  output: Type.Object({
    item: backupItem,
    url: Type.String({ description: 'Whoever has it can fetch the file: all of the site, its keys among it.' }),
    url_expires_at: Type.String(),
  }),
  examples: [{ title: 'Fetch the newest', input: { id: 'latest' } }],
  async run({ db, site, origin, now }, { id }) {
    const row = await getBackup(db, id)
    const until = now + downloadMs
    return { item: backupItemOf(row), url: origin + signDownload(site.key, row.id, until), url_expires_at: formatDate(until) }
  },
})

const create = action({
  class: 'SVC_Backup',
  name: 'create',
  summary: 'Makes a backup while the site is served, tries it by restoring it in a scratch place, and thins out the older ones.',
  tier: 'admin',
  effect: 'act',
  job: true,
  input: Type.Object(
    {
      note: Type.Optional(
        Type.String({ description: 'What it is for; one with a note is never thinned out.', minLength: 1, maxLength: 200 }),
      ),
    },
    { additionalProperties: false },
  ),
  output: Type.Object({
    item: nullable(backupItem, 'Null in a dry run.'),
    changed: Type.Array(Type.String()),
    ...writeProperties,
  }),
  examples: [
    { title: 'One like those of every night', input: {} },
    { title: 'One that stays until it is deleted', input: { note: 'Before the redesign' } },
  ],
  async prepare({ site, dryRun, signal, progress }, { note }): Promise<BackupRow | null> {
    return dryRun ? null : site.backups.create({ note: note ?? null, signal, progress })
  },
  async run(_context, _input, row: BackupRow | null) {
    return { item: row && backupItemOf(row), changed: [], warnings: [], activity_id: null }
  },
})

const verify = action({
  class: 'SVC_Backup',
  name: 'verify',
  summary: 'Tries a backup: every hash, then restored in a scratch place until a site answers from it; notes what came of it.',
  tier: 'admin',
  effect: 'read',
  job: true,
  input: Type.Object({ id: idProperty }, { additionalProperties: false }),
  output: Type.Object({ item: backupItem }),
  examples: [{ title: 'Is the newest any good?', input: { id: 'latest' } }],
  async run({ db, site, signal }, { id }) {
    return { item: backupItemOf(await site.backups.verify(await getBackup(db, id), signal)) }
  },
})

const restore = action({
  class: 'SVC_Backup',
  name: 'restore',
  summary: 'Tells the command that puts a backup back; a running service refuses to replace its own database.',
  tier: 'admin',
  effect: 'destroy',
  input: Type.Object({ id: idProperty, expect: expectProperty('backups, always 1,') }, { additionalProperties: false }),
  output: Type.Object({
    item: backupItem,
    command: Type.String({ description: 'To be run on the server while the service is stopped.' }),
    ...writeProperties,
  }),
  examples: [{ title: 'What would put the newest back?', input: { id: 'latest', expect: 1 } }],
  async run(context, { id, expect }) {
    const row = await getBackup(context.db, id)
    holdExpected(1, expect, 'backups')
    const command = `scripts/postern restore ${row.file}`
    if (context.dryRun) return { item: backupItemOf(row), command, warnings: [], activity_id: null }
    throw new Failure('refused', `A backup is put back while the service is stopped: ${command}`, {
      rule: 'nobody has the site open while it is replaced',
      hint: `On the server: systemctl stop postern.socket postern.service, then ${command}, then systemctl start the two.`,
    })
  },
})

const remove = action({
  class: 'SVC_Backup',
  name: 'delete',
  summary: 'Deletes backups for good.',
  tier: 'admin',
  effect: 'destroy',
  input: Type.Object(
    {
      ids: Type.Array(idProperty, { minItems: 1, maxItems: 100, description: 'Ids or file names.' }),
      expect: expectProperty('backups'),
    },
    { additionalProperties: false },
  ),
  output: doneOutput,
  examples: [{ title: 'Delete the oldest', input: { ids: ['oldest'], expect: 1 } }],
  async run(context, { ids, expect }) {
    const rows = new Map<string, BackupRow>()
    for (const id of ids) {
      const row = await getBackup(context.db, id)
      rows.set(row.id, row)
    }
    holdExpected(rows.size, expect, 'backups')
    await context.db
      .deleteFrom('backup')
      .where('id', 'in', [...rows.keys()])
      .execute()
    // A file that stays after all gets its row again with the next backup.
    context.afterCommit(() => context.site.backups.remove([...rows.values()]))
    return { done: [...rows.keys()], unchanged: [], warnings: [], activity_id: null }
  },
})

const atLeast = (minimum: number, of: string) =>
  Type.Optional(Type.Integer({ minimum, maximum: 1000, description: `The newest of each of so many ${of}.` }))

const schedule = action({
  class: 'SVC_Backup',
  name: 'schedule',
  summary: 'Sets how often the service makes a backup by itself, and how many of them stay.',
  tier: 'admin',
  effect: 'act',
  input: Type.Object(
    {
      every: Type.Enum([...everies], { description: '`off` where a timer of the system runs `postern backup`.' }),
      keep: Type.Optional(
        Type.Object(
          { daily: atLeast(1, 'days'), weekly: atLeast(0, 'weeks'), monthly: atLeast(0, 'months') },
          { additionalProperties: false, description: 'Members left out stay as they are: 7, 4 and 6 at first.' },
        ),
      ),
    },
    { additionalProperties: false },
  ),
  output: Type.Object({
    item: Type.Object({
      every: Type.Enum([...everies]),
      keep: Type.Object({ daily: Type.Integer(), weekly: Type.Integer(), monthly: Type.Integer() }),
      next_at: nullable(Type.String(), 'When the next is due; null while it is off.'),
    }),
    changed: Type.Array(Type.String()),
    ...writeProperties,
  }),
  examples: [{ title: 'Every night, kept for two weeks', input: { every: 'day', keep: { daily: 14 } } }],
  async run({ db, now }: Pick<Context, 'db' | 'now'>, { every, keep }) {
    const before = await readSchedule(db)
    const after = await writeSchedule(db, every, { ...before.keep, ...keep }, now)
    const changed = [
      before.every === after.every ? [] : ['every'],
      JSON.stringify(before.keep) === JSON.stringify(after.keep) ? [] : ['keep'],
    ]
    const item = { every: after.every, keep: after.keep, next_at: after.nextAt === null ? null : formatDate(after.nextAt) }
    return { item, changed: changed.flat(), warnings: [], activity_id: null }
  },
})

export const backupActions: readonly Action[] = [list, get, create, verify, restore, remove, schedule]
