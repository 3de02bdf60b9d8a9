// Backups: the list, the form that makes one, and the schedule. One backup has a page of its own with its link, its test and its deletion.

import { everies, readSchedule } from '../../backup/backup-store.ts'
import { backupsCreate, backupsList, backupsSchedule } from '../../actions/classes/svc-backup.ts'
import { html, type Html } from '../../doors/html.ts'
import type { Failure } from '../../failure.ts'
import type { Reply } from '../../http/reply.ts'
import { confirmPassword, passwordAgain, type PasswordRefused } from '../access/confirm-password.ts'
import { formStatus, sentenceOf } from '../failure.ts'
import { csrfField, type Fields, readFields } from '../form.ts'
import { framed } from '../layout.ts'
import { mayRun } from '../navigation.ts'
import { get, start } from '../page.ts'
import { type Choice, doneBox, faultBox, selectField, textField } from '../parts/fields.ts'
import { listAddress } from '../parts/list-address.ts'
import { pagerOf } from '../parts/pager.ts'
import { emptyState, pageHead, table } from '../parts/table.ts'
import { shownTime } from '../parts/time.ts'
import { adminPaths, linkTo } from '../paths.ts'
import { goTo, pageReply } from '../reply.ts'
import { copyScript } from '../script.ts'
import type { SignedIn } from '../visit.ts'
import { type BackupItem, backupReply, sizeOf, stateOf } from './backup-page.ts'
import { startedJob } from './job-parts.ts'

const doneWords: Readonly<Record<string, string>> = {
  deleted: 'The backup is deleted.',
  scheduled: 'The schedule is saved.',
}

/** After a form that failed: what was filled in, and what was wrong. */
export interface BackupsView extends Partial<PasswordRefused> {
  readonly failure?: Failure
  readonly fields?: Fields
  /** The form that failed. */
  readonly of?: 'create' | 'schedule'
}

/** GET; `id` shows one backup. */
export async function showBackups(visit: SignedIn): Promise<Reply> {
  const id = visit.request.query.get('id')
  return id === null ? backupsReply(visit) : backupReply(visit, id)
}

export async function backupsReply(visit: SignedIn, view: BackupsView = {}): Promise<Reply> {
  const { request } = visit
  const { failure } = view
  const address = listAddress(request, adminPaths.backups)
  const [cursor, sort] = [address.get('cursor'), address.get('sort')]
  const { items, next_cursor: next } = await get(visit, backupsList, { ...(cursor && { cursor }), ...(sort && { sort }) })
  const body = html`${pageHead('Backups', 'Each backup is one file with everything of this site. It is tested as soon as it is made.')}
    ${failure ? undefined : doneBox(doneWords[request.query.get('done') ?? ''])}
    ${faultBox(failure && view.of === undefined ? sentenceOf(failure) : undefined)}
    ${await startedJob(visit, 'The backup is made and tested.')}
    ${
      items.length === 0
        ? emptyState('There is no backup yet', 'Make the first one below, and let the service make one every night.')
        : backupTable(visit, items, address)
    }
    ${pagerOf(address.with({}), next)}
    <div class="columns">${mayRun(visit, backupsCreate) && createForm(visit, view)} ${await scheduleForm(visit, view)}</div>`
  const status = view.status ?? (failure ? formStatus[failure.code] : 200)
  const page = framed(visit, { title: 'Backups', body, script: copyScript })
  return pageReply(visit, status, page, { headers: view.headers ?? {} })
}

const backupTable = (visit: SignedIn, items: readonly BackupItem[], query: ReturnType<typeof listAddress>): Html =>
  table({
    caption: 'Backups',
    rows: items,
    query,
    sort: '-created_at',
    columns: [
      {
        label: 'Made',
        cell: ({ id, created_at: at }) =>
          html`<a href="${linkTo(visit.request, adminPaths.backups)}?id=${encodeURIComponent(id)}">${shownTime(visit, at)}</a>`,
        sort: 'created_at',
      },
      { label: 'State', cell: stateOf },
      { label: 'Note', cell: ({ note }) => note, wideOnly: true },
      { label: 'Size', cell: sizeOf, sort: 'bytes', end: true },
    ],
  })

function createForm(visit: SignedIn, { fields, failure, passwordFault, of }: BackupsView): Html {
  const failed = of === 'create' ? failure : undefined
  const fault = (name: string) => (failed?.detail.field === name ? sentenceOf(failed) : undefined)
  const other = failed && !['note', 'passphrase'].includes(failed.detail.field ?? '') ? sentenceOf(failed) : undefined
  return html`<section class="panel" aria-labelledby="make">
    <h2 id="make">Make a backup</h2>
    ${faultBox(other)}
    <form method="post" action="${linkTo(visit.request, adminPaths.backups)}">
      ${csrfField(visit, 'create-backup')}
      ${textField({
        name: 'note',
        label: 'Note',
        value: of === 'create' ? fields?.get('note') : undefined,
        help: 'What it is for. A backup with a note is kept until you delete it.',
        fault: fault('note'),
      })}
      ${textField({
        name: 'passphrase',
        label: 'Passphrase',
        type: 'password',
        autocomplete: 'new-password',
        help: 'Seals the backup, so that it can be downloaded. Without this passphrase it can’t be opened. Leave the field empty to use the one of the site, if it has one.',
        fault: fault('passphrase'),
      })}
      ${passwordAgain(visit, passwordFault)}
      <p class="actions"><button class="primary">Make a backup</button></p>
    </form>
  </section>`
}

const everyChoices: Readonly<Record<(typeof everies)[number], string>> = {
  off: 'Never',
  hour: 'Every hour',
  day: 'Every night',
  week: 'Every week',
}

async function scheduleForm(visit: SignedIn, { fields, failure, of }: BackupsView): Promise<Html | false> {
  if (!mayRun(visit, backupsSchedule)) return false
  const { every, keep, nextAt } = await readSchedule(visit.site.store.read)
  const failed = of === 'schedule' ? failure : undefined
  const choices: readonly Choice[] = everies.map((value) => ({ value, label: everyChoices[value] }))
  const number = (name: keyof typeof keep, label: string) =>
    textField({
      name,
      label,
      type: 'number',
      value: (of === 'schedule' ? fields?.get(name) : undefined) ?? String(keep[name]),
      fault: failed?.detail.field === `keep.${name}` ? failed.message : undefined,
    })
  return html`<section class="panel" aria-labelledby="schedule">
    <h2 id="schedule">Schedule</h2>
    ${nextAt !== null && html`<p class="quiet">The next one: ${shownTime(visit, new Date(nextAt).toISOString())}.</p>`}
    ${faultBox(failed && !failed.detail.field?.startsWith('keep.') ? sentenceOf(failed) : undefined)}
    <form method="post" action="${linkTo(visit.request, adminPaths.backupSchedule)}">
      ${csrfField(visit, 'backup-schedule')}
      ${selectField({ name: 'every', label: 'Make one', value: (of === 'schedule' ? fields?.get('every') : undefined) ?? every, groups: new Map([['', choices]]) })}
      ${number('daily', 'Keep of so many days')} ${number('weekly', 'Keep of so many weeks')}
      ${number('monthly', 'Keep of so many months')}
      <p class="actions"><button>Save</button></p>
    </form>
  </section>`
}

/** POST */
export async function createBackup(visit: SignedIn): Promise<Reply> {
  const fields = await readFields(visit, 'create-backup')
  const refused = await confirmPassword(visit, fields)
  if (refused) return backupsReply(visit, { fields, of: 'create', ...refused })
  const [note, passphrase] = [fields.get('note').trim(), fields.get('passphrase')]
  const input = { ...(note === '' ? {} : { note }), ...(passphrase === '' ? {} : { passphrase }) }
  const { job, failure } = await start(visit, backupsCreate, input)
  if (failure) return backupsReply(visit, { fields, failure, of: 'create' })
  return goTo(visit, `${adminPaths.backups}${job === undefined ? '' : `?job=${encodeURIComponent(job)}`}`)
}
