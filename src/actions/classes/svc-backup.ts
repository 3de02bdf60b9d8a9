// SVC_Backup: the site as one file. Making and trying it is `backup/`'s; a running service can't put one back, and says how that is done.

import { type Static, Type } from 'typebox'
import { everies, getBackup, readSchedule, writeSchedule } from '../../backup/backup-store.ts'
import { downloadMs, signDownload, unsealedStays } from '../../backup/download-link.ts'
import { isSealedName } from '../../backup/folder.ts'
import { passphraseBytes } from '../../backup/passphrase.ts'
import { Failure } from '../../failure.ts'
import type { Touches } from '../../identity/check-limits.ts'
import { formatDate } from '../../settings/time-zone.ts'
import type { BackupRow } from '../../store/schema.ts'
import { type Action, action, type Context } from '../action.ts'
import { expectProperty, checkExpected } from '../expect.ts'
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
  sealed: Type.Boolean({ description: 'Whether it is encrypted with a passphrase; only such a one can be downloaded.' }),
})

/** A backup as answers show it, and `postern backup --json`. */
export function backupItemOf({ version: _version, ...row }: BackupRow): Static<typeof backupItem> {
  const at = (ms: number | null) => (ms === null ? null : formatDate(ms))
  const sealed = isSealedName(row.file)
  return { ...row, created_at: formatDate(row.created_at), verified_at: at(row.verified_at), sealed }
}

const passphraseProperty = (what: string) =>
  Type.Optional(
    Type.String({
      description: `${what} A token with limits can't give one.`,
      minLength: passphraseBytes.min,
      maxLength: passphraseBytes.max,
    }),
  )

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
  failures: [],
  touches: 'nothing',
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
  summary: 'Tells of one backup; of a sealed one with a link to its file that is good for ten minutes.',
  tier: 'admin',
  effect: 'read',
  failures: ['not_found'],
  touches: 'nothing',
  input: Type.Object({ id: idProperty }, { additionalProperties: false }),
  output: Type.Object({
    item: backupItem,
    url: nullable(
      Type.String(),
      'Whoever has it can fetch the file, which opens with its passphrase alone. Null where it is not sealed.',
    ),
    url_expires_at: nullable(Type.String()),
    url_refused: nullable(Type.String(), 'Why there is no link; null where there is one.'),
  }),
  examples: [{ title: 'Fetch the newest', input: { id: 'latest' } }],
  async run({ db, site, origin, now }, { id }) {
    const row = await getBackup(db, id)
    const item = backupItemOf(row)
    if (!item.sealed) return { item, url: null, url_expires_at: null, url_refused: unsealedStays }
    const until = now + downloadMs
    const url = origin + signDownload(site.key, row.id, until)
    return { item, url, url_expires_at: formatDate(until), url_refused: null }
  },
})

interface Made {
  readonly sealed: boolean
  /** Null in a dry run. */
  readonly row: BackupRow | null
}

/** Whoever names the passphrase can read the archive: that is all of the site, whatever a token is limited to. */
const touchesByPassphrase = {
  by: ({ passphrase }: { readonly passphrase?: string }): Touches => (passphrase === undefined ? 'site' : 'unlimited'),
}

const create = action({
  class: 'SVC_Backup',
  name: 'create',
  summary: 'Makes a backup while the site is served, sealed where there is a passphrase, tries it, and thins out the older ones.',
  tier: 'admin',
  effect: 'act',
  failures: [],
  touches: touchesByPassphrase,
  job: true,
  input: Type.Object(
    {
      note: Type.Optional(
        Type.String({ description: 'What it is for; one with a note is never thinned out.', minLength: 1, maxLength: 200 }),
      ),
      passphrase: passphraseProperty(
        "Seals this one, instead of the site's own passphrase. It is kept nowhere: without it the backup is lost.",
      ),
    },
    { additionalProperties: false },
  ),
  secrets: ['passphrase'],
  output: Type.Object({
    item: nullable(backupItem, 'Null in a dry run.'),
    changed: Type.Array(Type.String()),
    ...writeProperties,
  }),
  examples: [
    { title: 'One like those of every night', input: {} },
    { title: 'One that stays until it is deleted', input: { note: 'Before the redesign' } },
  ],
  async prepare({ site, dryRun, signal, progress }, { note, passphrase }): Promise<Made> {
    const sealed = passphrase !== undefined || (await site.backups.hasPassphrase())
    return { sealed, row: dryRun ? null : await site.backups.create({ note: note ?? null, passphrase, signal, progress }) }
  },
  async run(_context, _input, { sealed, row }: Made) {
    const warnings = sealed ? [] : [{ code: 'not_sealed', message: unsealedStays }]
    return { item: row && backupItemOf(row), changed: [], warnings, activity_id: null }
  },
})

const verify = action({
  class: 'SVC_Backup',
  name: 'verify',
  summary: 'Tries a backup: every hash, then restored in a scratch place until a site answers from it; notes what came of it.',
  tier: 'admin',
  effect: 'read',
  failures: ['not_found', 'unprocessable'],
  touches: touchesByPassphrase,
  job: true,
  input: Type.Object(
    { id: idProperty, passphrase: passphraseProperty("Of a backup that was sealed with another one than the site's own.") },
    { additionalProperties: false },
  ),
  secrets: ['passphrase'],
  output: Type.Object({ item: backupItem }),
  examples: [{ title: 'Is the newest any good?', input: { id: 'latest' } }],
  async run({ db, site, signal }, { id, passphrase }) {
    return { item: backupItemOf(await site.backups.verify(await getBackup(db, id), { passphrase, signal })) }
  },
})

const restore = action({
  class: 'SVC_Backup',
  name: 'restore',
  summary: 'Tells the command that puts a backup back; a running service refuses to replace its own database.',
  tier: 'admin',
  effect: 'destroy',
  failures: ['not_found', 'conflict'],
  touches: 'unlimited',
  input: Type.Object({ id: idProperty, expect: expectProperty('backups, always 1,') }, { additionalProperties: false }),
  output: Type.Object({
    item: backupItem,
    command: Type.String({ description: 'To be run on the server while the service is stopped.' }),
    ...writeProperties,
  }),
  examples: [{ title: 'What would put the newest back?', input: { id: 'latest', expect: 1 } }],
  async run(context, { id, expect }) {
    const row = await getBackup(context.db, id)
    checkExpected(1, expect, 'backups')
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
  failures: ['not_found', 'conflict'],
  touches: 'backups',
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
    checkExpected(rows.size, expect, 'backups')
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
  failures: [],
  touches: 'backups',
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
