// SVC_Backup: backups of the site, each one file. `backup/` makes and verifies them. A running service can't restore one; it says how to.

import { type Static, Type } from 'typebox'
import { everies, getBackup, readSchedule, writeSchedule } from '../../backup/backup-store.ts'
import { downloadMs, signDownload, unsealedStays } from '../../backup/download-link.ts'
import { isSealedName } from '../../backup/folder.ts'
import { passphraseBytes } from '../../backup/passphrase.ts'
import { whereItIs } from '../../backup/where.ts'
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
    id: { column: 'id', kind: 'text', indexed: true },
    file: { column: 'file', kind: 'text' },
    note: { column: 'note', kind: 'text', nullable: true },
    bytes: { column: 'bytes', kind: 'number', sort: true },
    created_at: { column: 'created_at', kind: 'time', sort: true },
    verified_at: { column: 'verified_at', kind: 'time', nullable: true },
    error: { column: 'error', kind: 'text', nullable: true },
  },
  sort: '-created_at',
  search: ['note', 'file'],
}

const backupItem = Type.Object({
  id: Type.String(),
  file: Type.String({ description: 'The name in the folder of backups.' }),
  created_at: Type.String(),
  bytes: Type.Integer(),
  sha256: Type.String({ description: 'SHA-256 of the file, in hex.' }),
  note: nullable(Type.String()),
  schema: Type.String({ description: 'The last migration of its database.' }),
  verified_at: nullable(Type.String(), 'When it was last verified with success.'),
  error: nullable(Type.String(), 'What is wrong with the backup; null where no fault is known.'),
  node: nullable(Type.String(), 'The host name of the machine that has the file. Null where an earlier release made the backup.'),
  sealed: Type.Boolean({ description: 'Whether it is encrypted with a passphrase. Only a sealed backup can be downloaded.' }),
})

/** A backup as answers and `postern backup --json` show it. */
export function backupItemOf({ version: _version, verified_at: at, ...row }: BackupRow): Static<typeof backupItem> {
  const verified = at === null ? null : formatDate(at)
  return { ...row, created_at: formatDate(row.created_at), verified_at: verified, sealed: isSealedName(row.file) }
}

const passphraseProperty = (what: string) =>
  Type.Optional(
    Type.String({
      description: `${what} A token with limits can't give a passphrase.`,
      minLength: passphraseBytes.min,
      maxLength: passphraseBytes.max,
    }),
  )

const idProperty = Type.String({
  description: 'Id or file name of a backup; `latest` is the newest good backup, `oldest` the oldest.',
  minLength: 1,
  maxLength: 200,
})

export const backupsList = action({
  class: 'SVC_Backup',
  name: 'list',
  title: 'List the backups',
  summary: 'Lists the backups, each with the result of its verification.',
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

export const backupsGet = action({
  class: 'SVC_Backup',
  name: 'get',
  title: 'Show a backup',
  summary: 'Shows a backup. A sealed one has a link to its file, which works for ten minutes.',
  tier: 'admin',
  effect: 'read',
  failures: ['not_found'],
  touches: 'nothing',
  opensSite: true,
  input: Type.Object({ id: idProperty }, { additionalProperties: false }),
  output: Type.Object({
    item: backupItem,
    url: nullable(
      Type.String(),
      'Anyone with this link can fetch the file, which only its passphrase opens. Null where the backup is not sealed.',
    ),
    url_expires_at: nullable(Type.String()),
    url_refused: nullable(Type.String(), 'Why there is no link; null where there is one.'),
  }),
  examples: [{ title: 'A link to the newest', input: { id: 'latest' } }],
  async run({ db, site, origin, now, caller }, { id }) {
    const row = await getBackup(db, id)
    const item = backupItemOf(row)
    if (!item.sealed) return { item, url: null, url_expires_at: null, url_refused: unsealedStays }
    if (await site.backups.isElsewhere(row)) return { item, url: null, url_expires_at: null, url_refused: whereItIs(row) }
    const until = now + downloadMs
    const url = origin + signDownload(site.key, row.id, until, caller)
    return { item, url, url_expires_at: formatDate(until), url_refused: null }
  },
})

interface Made {
  readonly sealed: boolean
  /** Null in a dry run. */
  readonly row: BackupRow | null
}

/** Anyone who knows the passphrase can open the archive, and with it the whole site, so a limited token may not give one. */
const touchesByPassphrase = {
  by: ({ passphrase }: { readonly passphrase?: string }): Touches => (passphrase === undefined ? 'access' : 'unlimited'),
}

export const backupsCreate = action({
  class: 'SVC_Backup',
  name: 'create',
  title: 'Make [the backup {title}|a backup]',
  summary: 'Makes and verifies a backup, and prunes older ones. With a passphrase, the backup is sealed.',
  did: 'made [the backup {title}|a backup]',
  tier: 'admin',
  effect: 'act',
  failures: [],
  touches: touchesByPassphrase,
  job: true,
  input: Type.Object(
    {
      note: Type.Optional(
        Type.String({
          description: 'What the backup is for. A backup with a note is never pruned.',
          minLength: 1,
          maxLength: 200,
        }),
      ),
      passphrase: passphraseProperty(
        'Seals this backup instead of the passphrase of the site. It is not stored: without it, the backup is lost.',
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
    { title: 'A backup like every night', input: {} },
    { title: 'A backup that is never pruned', input: { note: 'Before the redesign' } },
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

export const backupsVerify = action({
  class: 'SVC_Backup',
  name: 'verify',
  title: 'Verify a backup',
  summary: 'Verifies a backup: checks every hash, restores it in a scratch folder, opens the site there, and notes the result.',
  tier: 'admin',
  effect: 'read',
  failures: ['not_found', 'unprocessable'],
  touches: touchesByPassphrase,
  job: true,
  input: Type.Object(
    { id: idProperty, passphrase: passphraseProperty('For a backup that was not sealed with the passphrase of the site.') },
    { additionalProperties: false },
  ),
  secrets: ['passphrase'],
  output: Type.Object({ item: backupItem }),
  examples: [{ title: 'Verify the newest', input: { id: 'latest' } }],
  async run({ db, site, signal }, { id, passphrase }) {
    return { item: backupItemOf(await site.backups.verify(await getBackup(db, id), { passphrase, signal })) }
  },
})

const restore = action({
  class: 'SVC_Backup',
  name: 'restore',
  title: 'Restore [the backup {title}|a backup]',
  summary: 'Answers the command that restores a backup. A running service does not replace its own database.',
  did: 'restored [the backup {title}|a backup]',
  tier: 'admin',
  effect: 'destroy',
  failures: ['not_found', 'conflict'],
  touches: 'unlimited',
  input: Type.Object({ id: idProperty, expect: expectProperty('backups, always 1,') }, { additionalProperties: false }),
  output: Type.Object({
    item: backupItem,
    command: Type.String({ description: 'Run this on the server while the service is stopped.' }),
    ...writeProperties,
  }),
  examples: [{ title: 'How to restore the newest', input: { id: 'latest', expect: 1 } }],
  async run(context, { id, expect }) {
    const row = await getBackup(context.db, id)
    checkExpected(1, expect, 'backups')
    const command = `scripts/postern restore ${row.file}`
    if (context.dryRun) return { item: backupItemOf(row), command, warnings: [], activity_id: null }
    throw new Failure('refused', `A backup is restored while the service is stopped: ${command}`, {
      rule: 'the site is not open while it is replaced',
      hint: `On the server: systemctl stop postern.socket postern.service, then ${command}, then systemctl start the two.`,
    })
  },
})

export const backupsDelete = action({
  class: 'SVC_Backup',
  name: 'delete',
  title: 'Delete [the backup {title}|a backup]',
  summary: 'Deletes backups. This cannot be undone.',
  did: 'deleted [the backup {title}|a backup]',
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
    await context.site.backups.checkHere([...rows.values()])
    await context.db
      .deleteFrom('backup')
      .where('id', 'in', [...rows.keys()])
      .execute()
    // If a file can't be deleted, the next backup adds its row again.
    context.afterCommit(() => context.site.backups.remove([...rows.values()]))
    return { done: [...rows.keys()], unchanged: [], warnings: [], activity_id: null }
  },
})

const atLeast = (minimum: number, of: string) =>
  Type.Optional(Type.Integer({ minimum, maximum: 1000, description: `Keeps the newest backup of each of this many ${of}.` }))

export const backupsSchedule = action({
  class: 'SVC_Backup',
  name: 'schedule',
  title: 'Change the schedule of backups',
  summary: 'Sets how often the service makes a backup by itself, and how many are kept.',
  did: 'changed the schedule of backups',
  tier: 'admin',
  effect: 'act',
  failures: [],
  touches: 'backups',
  input: Type.Object(
    {
      every: Type.Enum([...everies], { description: 'How often. `off` where a system timer runs `postern backup`.' }),
      keep: Type.Optional(
        Type.Object(
          { daily: atLeast(1, 'days'), weekly: atLeast(0, 'weeks'), monthly: atLeast(0, 'months') },
          { additionalProperties: false, description: 'Members that are left out stay unchanged. The defaults are 7, 4 and 6.' },
        ),
      ),
    },
    { additionalProperties: false },
  ),
  output: Type.Object({
    item: Type.Object({
      every: Type.Enum([...everies]),
      keep: Type.Object({ daily: Type.Integer(), weekly: Type.Integer(), monthly: Type.Integer() }),
      next_at: nullable(Type.String(), 'When the next backup is due; null where it is off.'),
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

const writing = [backupsCreate, backupsVerify, restore, backupsDelete, backupsSchedule]
export const backupActions: readonly Action[] = [backupsList, backupsGet, ...writing]
