// Backups: the list, the form that creates a backup, and the schedule. Each backup has a page with its link, its test and its
// deletion.

import { everies, readSchedule } from '../../backup/backup-store.ts'
import { backups } from '../../actions/backup/index.ts'
import { exportActions } from '../../actions/exports/index.ts'
import type { ExportFormat } from '../../exports/formats.ts'
import { html, type Html } from '../../doors/shared/html.ts'
import type { Reply } from '../../http/reply.ts'
import { passwordAgain, provenTaker } from '../access/confirm-password.ts'
import { mayRun } from '../navigation.ts'
import { get, start } from '../page.ts'
import { goAfter } from '../parts/done-notice.ts'
import { selectField, textField } from '../parts/fields.ts'
import { listAddress } from '../parts/list-address.ts'
import { pagerOf } from '../parts/pager.ts'
import { emptyState, linkButton, pageHead, table } from '../parts/table.ts'
import { shownTime } from '../parts/time.ts'
import { adminPaths, linkTo } from '../paths.ts'
import { copyScript } from '../script.ts'
import type { SignedIn } from '../visit.ts'
import type { MessageKey } from '../words.ts'
import { type BackupItem, backupReply, sizeOf, stateOf } from './backup-page.ts'
import { startedJob } from './job-parts.ts'
import { framedReply, type Refused } from '../framed-reply.ts'
import { faultsOf, postForm, type Work } from '../parts/post-form.ts'

/** The refusal of the form that has a field of this name; the other form of the page shows nothing of it. */
const refusedBy = (refused: Refused, field: string): Refused => (refused.fields?.has(field) ? refused : {})

/** GET; `id` shows one backup. */
export async function showBackups(visit: SignedIn): Promise<Reply> {
  const id = visit.request.query.get('id')
  return id === null ? backupsReply(visit) : backupReply(visit, id)
}

export async function backupsReply(visit: SignedIn, refused: Refused = {}): Promise<Reply> {
  const { request, t } = visit
  const address = listAddress(request, adminPaths.backups)
  const { items, next_cursor: next } = await get(visit, backups.list, address.pick('cursor', 'sort'))
  const body = html`${pageHead(t('operations.backups'), t('operations.backups_lead'), linkButton(visit, adminPaths.backupsElsewhere, 'operations.elsewhere'))}
    ${await startedJob(visit, t('operations.done_backup_made'))}
    ${
      items.length === 0
        ? emptyState(t('operations.no_backups'), t('operations.no_backups_next'))
        : backupTable(visit, items, address)
    }
    ${pagerOf(address.with({}), next, t)}
    <div class="columns">
      ${mayRun(visit, backups.create) && createForm(visit, refusedBy(refused, 'note'))}
      ${await scheduleForm(visit, refusedBy(refused, 'every'))}
    </div>
    ${await exportLinks(visit)}`
  return framedReply(visit, { title: t('operations.backups'), body, script: copyScript }, refused)
}

const backupTable = (visit: SignedIn, items: readonly BackupItem[], query: ReturnType<typeof listAddress>): Html =>
  table(visit.t, {
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
  })

function createForm(visit: SignedIn, { fields, failure, passwordFault }: Refused): Html {
  const { t } = visit
  const faults = faultsOf(t, failure, ['note', 'passphrase'])
  return html`<section class="panel" aria-labelledby="make">
    <h2 id="make">${t('operations.make_backup')}</h2>
    ${postForm(visit, {
      path: adminPaths.backups,
      purpose: 'create-backup',
      body: html`${textField({
          name: 'note',
          label: t('operations.note'),
          value: fields?.get('note'),
          help: t('operations.note_help'),
          fault: faults.at('note'),
        })}
        ${textField({
          name: 'passphrase',
          label: t('operations.passphrase'),
          type: 'password',
          autocomplete: 'new-password',
          help: t('operations.passphrase_help'),
          fault: faults.at('passphrase'),
        })}
        ${passwordAgain(visit, passwordFault)}
        <p class="actions"><button class="primary">${t('operations.make_backup')}</button></p>`,
    })}
  </section>`
}

const exportWords: Readonly<Record<ExportFormat, readonly [MessageKey, MessageKey]>> = {
  postern: ['operations.export_postern', 'operations.export_postern_help'],
  markdown: ['operations.export_markdown', 'operations.export_markdown_help'],
  csv: ['operations.export_csv', 'operations.export_csv_help'],
  wxr: ['operations.export_wxr', 'operations.export_wxr_help'],
  static: ['operations.export_static', 'operations.export_static_help'],
}

/** Links to a download of the site in each format. */
async function exportLinks(visit: SignedIn): Promise<Html> {
  const { t } = visit
  const formats = Object.keys(exportWords) as ExportFormat[]
  const links = await Promise.all(formats.map((format) => get(visit, exportActions.run, { format })))
  return html`<section class="panel" aria-labelledby="export">
    <h2 id="export">${t('operations.export_title')}</h2>
    <p class="quiet">${t('operations.export_lead')}</p>
    <dl>
      ${formats.map((format, place) => {
        const [label, help] = exportWords[format]
        return html`<dt><a href="${links[place]?.url ?? ''}" download>${t(label)}</a></dt>
          <dd>${t(help)}</dd>`
      })}
    </dl>
  </section>`
}

const everyKeys: Readonly<Record<(typeof everies)[number], MessageKey>> = {
  off: 'operations.every_off',
  hour: 'operations.every_hour',
  day: 'operations.every_day',
  week: 'operations.every_week',
}

async function scheduleForm(visit: SignedIn, { fields, failure, passwordFault }: Refused): Promise<Html | false> {
  if (!mayRun(visit, backups.schedule)) return false
  const { every, keep, nextAt } = await readSchedule(visit.site.store.read)
  const { t } = visit
  const choices = everies.map((value) => ({ value, label: t(everyKeys[value]) }))
  const number = (name: keyof typeof keep, label: string) =>
    textField({
      name,
      label,
      type: 'number',
      value: fields?.get(name) ?? String(keep[name]),
      fault: failure?.detail.field === `keep.${name}` ? t.said(failure.message) : undefined,
    })
  return html`<section class="panel" aria-labelledby="schedule">
    <h2 id="schedule">${t('operations.schedule')}</h2>
    ${nextAt !== null && html`<p class="quiet">${t.rich('operations.schedule_next', { time: shownTime(visit, new Date(nextAt).toISOString()) })}</p>`}
    ${postForm(visit, {
      path: adminPaths.backupSchedule,
      purpose: 'backup-schedule',
      body: html`${selectField({ name: 'every', label: t('operations.schedule_every'), value: fields?.get('every') ?? every, choices })}
        ${number('daily', t('operations.keep_daily'))} ${number('weekly', t('operations.keep_weekly'))}
        ${number('monthly', t('operations.keep_monthly'))} ${passwordAgain(visit, passwordFault)}
        <p class="actions"><button>${t('operations.save')}</button></p>`,
    })}
  </section>`
}

const create: Work = async (visit, fields) => {
  const [note, passphrase] = [fields.get('note').trim(), fields.get('passphrase')]
  const input = { ...(note === '' ? {} : { note }), ...(passphrase === '' ? {} : { passphrase }) }
  const { job, failure } = await start(visit, backups.create, input)
  return failure ?? goAfter(visit, adminPaths.backups, job, 'operations.done_backup_made')
}

export const createBackup = provenTaker('create-backup', create, backupsReply)
