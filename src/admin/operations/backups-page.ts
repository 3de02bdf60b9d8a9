// Backups: the list, the form that creates a backup, and the schedule. Each backup has a page with its link, its test and its
// deletion.

import { everies, readSchedule } from '../../backup/backup-store.ts'
import { backups } from '../../actions/backup/index.ts'
import { html, type Html } from '../../doors/shared/html.ts'
import type { Failure } from '../../base/failure.ts'
import type { Reply } from '../../http/reply.ts'
import { confirmPassword, passwordAgain, type PasswordRefused } from '../access/confirm-password.ts'
import { formStatus, sentenceOf } from '../failure.ts'
import { csrfField, type Fields, readFields } from '../form.ts'
import { framed } from '../layout.ts'
import { mayRun } from '../navigation.ts'
import { get, start } from '../page.ts'
import { goAfter } from '../parts/done-notice.ts'
import { type Choice, faultBox, selectField, textField } from '../parts/fields.ts'
import { listAddress } from '../parts/list-address.ts'
import { pagerOf } from '../parts/pager.ts'
import { emptyState, pageHead, table } from '../parts/table.ts'
import { shownTime } from '../parts/time.ts'
import { adminPaths, linkTo } from '../paths.ts'
import { pageReply } from '../reply.ts'
import { copyScript } from '../script.ts'
import type { SignedIn } from '../visit.ts'
import type { MessageKey } from '../words.ts'
import { type BackupItem, backupReply, sizeOf, stateOf } from './backup-page.ts'
import { startedJob } from './job-parts.ts'

/** The state after a refused form: the values that were filled in, and the fault. */
export interface BackupsView extends Partial<PasswordRefused> {
  readonly failure?: Failure
  readonly fields?: Fields
  /** The form that was refused. */
  readonly of?: 'create' | 'schedule'
}

/** GET; `id` shows one backup. */
export async function showBackups(visit: SignedIn): Promise<Reply> {
  const id = visit.request.query.get('id')
  return id === null ? backupsReply(visit) : backupReply(visit, id)
}

export async function backupsReply(visit: SignedIn, view: BackupsView = {}): Promise<Reply> {
  const { request, t } = visit
  const { failure } = view
  const address = listAddress(request, adminPaths.backups)
  const { items, next_cursor: next } = await get(visit, backups.list, address.pick('cursor', 'sort'))
  const body = html`${pageHead(t('operations.backups'), t('operations.backups_lead'))}
    ${faultBox(failure && view.of === undefined ? sentenceOf(failure, t) : undefined)}
    ${await startedJob(visit, t('operations.done_backup_made'))}
    ${
      items.length === 0
        ? emptyState(t('operations.no_backups'), t('operations.no_backups_next'))
        : backupTable(visit, items, address)
    }
    ${pagerOf(address.with({}), next, t)}
    <div class="columns">${mayRun(visit, backups.create) && createForm(visit, view)} ${await scheduleForm(visit, view)}</div>`
  const status = view.status ?? (failure ? formStatus[failure.code] : 200)
  const page = framed(visit, { title: t('operations.backups'), body, script: copyScript })
  return pageReply(visit, status, page, { headers: view.headers ?? {} })
}

const backupTable = (visit: SignedIn, items: readonly BackupItem[], query: ReturnType<typeof listAddress>): Html =>
  table(
    {
      caption: visit.t('operations.backups'),
      rows: items,
      query,
      sort: '-created_at',
      columns: [
        {
          label: visit.t('operations.backup_made_at'),
          cell: ({ id, created_at: at }) =>
            html`<a href="${linkTo(visit.request, adminPaths.backups)}?id=${encodeURIComponent(id)}">${shownTime(visit, at)}</a>`,
          sort: 'created_at',
        },
        { label: visit.t('operations.state'), cell: (item) => stateOf(item, visit.t) },
        { label: visit.t('operations.note'), cell: ({ note }) => note, wideOnly: true },
        { label: visit.t('operations.size'), cell: sizeOf, sort: 'bytes', end: true },
      ],
    },
    visit.t,
  )

function createForm(visit: SignedIn, { fields, failure, passwordFault, of }: BackupsView): Html {
  const { t } = visit
  const failed = of === 'create' ? failure : undefined
  const fault = (name: string) => (failed?.detail.field === name ? sentenceOf(failed, t) : undefined)
  const other = failed && !['note', 'passphrase'].includes(failed.detail.field ?? '') ? sentenceOf(failed, t) : undefined
  return html`<section class="panel" aria-labelledby="make">
    <h2 id="make">${t('operations.make_backup')}</h2>
    ${faultBox(other)}
    <form method="post" action="${linkTo(visit.request, adminPaths.backups)}">
      ${csrfField(visit, 'create-backup')}
      ${textField({
        name: 'note',
        label: t('operations.note'),
        value: of === 'create' ? fields?.get('note') : undefined,
        help: t('operations.note_help'),
        fault: fault('note'),
      })}
      ${textField({
        name: 'passphrase',
        label: t('operations.passphrase'),
        type: 'password',
        autocomplete: 'new-password',
        help: t('operations.passphrase_help'),
        fault: fault('passphrase'),
      })}
      ${passwordAgain(visit, of === 'create' ? passwordFault : undefined)}
      <p class="actions"><button class="primary">${t('operations.make_backup')}</button></p>
    </form>
  </section>`
}

const everyKeys: Readonly<Record<(typeof everies)[number], MessageKey>> = {
  off: 'operations.every_off',
  hour: 'operations.every_hour',
  day: 'operations.every_day',
  week: 'operations.every_week',
}

async function scheduleForm(visit: SignedIn, { fields, failure, passwordFault, of }: BackupsView): Promise<Html | false> {
  if (!mayRun(visit, backups.schedule)) return false
  const { every, keep, nextAt } = await readSchedule(visit.site.store.read)
  const { t } = visit
  const failed = of === 'schedule' ? failure : undefined
  const choices: readonly Choice[] = everies.map((value) => ({ value, label: t(everyKeys[value]) }))
  const number = (name: keyof typeof keep, label: string) =>
    textField({
      name,
      label,
      type: 'number',
      value: (of === 'schedule' ? fields?.get(name) : undefined) ?? String(keep[name]),
      fault: failed?.detail.field === `keep.${name}` ? failed.message : undefined,
    })
  return html`<section class="panel" aria-labelledby="schedule">
    <h2 id="schedule">${t('operations.schedule')}</h2>
    ${nextAt !== null && html`<p class="quiet">${t.rich('operations.schedule_next', { time: shownTime(visit, new Date(nextAt).toISOString()) })}</p>`}
    ${faultBox(failed && !failed.detail.field?.startsWith('keep.') ? sentenceOf(failed, t) : undefined)}
    <form method="post" action="${linkTo(visit.request, adminPaths.backupSchedule)}">
      ${csrfField(visit, 'backup-schedule')}
      ${selectField({ name: 'every', label: t('operations.schedule_every'), value: (of === 'schedule' ? fields?.get('every') : undefined) ?? every, groups: new Map([['', choices]]) })}
      ${number('daily', t('operations.keep_daily'))} ${number('weekly', t('operations.keep_weekly'))}
      ${number('monthly', t('operations.keep_monthly'))} ${passwordAgain(visit, of === 'schedule' ? passwordFault : undefined)}
      <p class="actions"><button>${t('operations.save')}</button></p>
    </form>
  </section>`
}

export async function createBackup(visit: SignedIn): Promise<Reply> {
  const fields = await readFields(visit, 'create-backup')
  const refused = await confirmPassword(visit, fields)
  if (refused) return backupsReply(visit, { fields, of: 'create', ...refused })
  const [note, passphrase] = [fields.get('note').trim(), fields.get('passphrase')]
  const input = { ...(note === '' ? {} : { note }), ...(passphrase === '' ? {} : { passphrase }) }
  const { job, failure } = await start(visit, backups.create, input)
  if (failure) return backupsReply(visit, { fields, failure, of: 'create' })
  return goAfter(visit, adminPaths.backups, job, 'operations.done_backup_made')
}
