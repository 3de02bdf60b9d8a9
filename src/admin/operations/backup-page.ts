// One backup: its facts, its link, its test, the command that restores it, and its deletion.

import type { AnswerOf } from '../../actions/call/call-action.ts'
import { backups } from '../../actions/backup/index.ts'
import { html, type Html } from '../../doors/shared/html.ts'
import type { Reply } from '../../http/reply.ts'
import { isFresh } from '../../identity/session.ts'
import { passwordAgain } from '../access/confirm-password.ts'
import { mayRun } from '../navigation.ts'
import { get } from '../page.ts'
import { factList } from '../parts/facts.ts'
import { textField } from '../parts/fields.ts'
import { panel } from '../parts/panel.ts'
import { removalForm } from '../parts/removal-form.ts'
import { linkButton, pageHead } from '../parts/table.ts'
import { shownTime } from '../parts/time.ts'
import { adminPaths } from '../paths.ts'
import { copyable, copyScript } from '../script.ts'
import type { SignedIn } from '../visit.ts'
import type { Words } from '../words.ts'
import { startedJob } from './job-parts.ts'
import { framedReply, type Refused } from '../framed-reply.ts'
import { postForm } from '../parts/post-form.ts'

/** A backup as the list returns it. */
export type BackupItem = AnswerOf<typeof backups.list.output>['items'][number]

/** The state of a backup, as a badge. */
export function stateOf({ error, verified_at: at, sealed }: BackupItem, t: Words): Html {
  const [name, key] = error !== null ? badges.faulty : at === null ? badges.untested : badges.tested
  return html`<span class="${name}">${t(key)}</span>
    ${sealed && html`<span class="badge">${t('operations.backup_sealed')}</span>`}`
}

const badges = {
  faulty: ['badge warn', 'operations.backup_faulty'],
  untested: ['badge', 'operations.backup_not_tested'],
  tested: ['badge good', 'operations.backup_tested'],
} as const

export const sizeOf = ({ bytes }: Pick<BackupItem, 'bytes'>): string =>
  bytes < 1024 ** 2 ? `${Math.ceil(bytes / 1024)} KiB` : `${(bytes / 1024 ** 2).toFixed(1)} MiB`

export async function backupReply(visit: SignedIn, id: string, refused: Refused = {}): Promise<Reply> {
  const { item, url, url_refused: whyNot } = await get(visit, backups.get, { id })
  const { t } = visit
  const title = item.note ?? t('operations.backup_named', { file: item.file })
  const restore = html`<p>${t('operations.restore_lead')}</p>
    <p class="address">${copyable(t('operations.restore_command'), restoreCommand(item))}</p>`
  const body = html`${pageHead(title, undefined, linkButton(visit, adminPaths.backups, 'operations.all_backups'))}
    ${item.error !== null && html`<p class="notice fault" role="note">${item.error}</p>`}
    ${await startedJob(visit, t('operations.done_backup_good'))}
    <section class="panel" aria-labelledby="facts">
      <h2 id="facts">${t('operations.backup_file')}</h2>
      ${factList({
        [t('operations.state')]: stateOf(item, t),
        [t('operations.backup_made_at')]: shownTime(visit, item.created_at),
        [t('operations.last_tested')]: shownTime(visit, item.verified_at),
        [t('operations.size')]: sizeOf(item),
        [t('operations.machine')]: item.node,
        [t('operations.file')]: html`<code>${item.file}</code>`,
        'SHA-256': html`<code>${item.sha256}</code>`,
      })}
      ${url === null ? html`<p>${t.said(whyNot ?? '')}</p>` : downloadPart(visit, url)}
    </section>
    ${mayRun(visit, backups.verify) && verifyForm(visit, item)} ${panel('restore', t('operations.restore_backup'), restore)}
    ${
      mayRun(visit, backups.delete) &&
      removalForm(visit, {
        verb: t('operations.delete'),
        id: item.id,
        name: item.file,
        consequence: t('operations.delete_backup_help'),
        path: adminPaths.deleteBackup,
        purpose: 'delete-backup',
        more: passwordAgain(visit, refused.passwordFault),
      })
    }`
  return framedReply(visit, { title, body, script: copyScript }, refused)
}

/** The link to the file, or the way to re-authenticate if the last proof is not recent. */
function downloadPart(visit: SignedIn, url: string): Html {
  const { session, now, t } = visit
  const isProven = isFresh(session.row, now)
  return html`<p class="actions">
    ${isProven ? html`<a class="button" href="${url}">${t('operations.download')}</a>` : linkButton(visit, adminPaths.confirm, 'operations.download_confirm')}
    <span class="quiet">${t(isProven ? 'operations.download_help' : 'operations.download_confirm_help')}</span>
  </p>`
}

const restoreCommand = ({ file }: BackupItem): string =>
  `systemctl stop postern.socket postern.service && scripts/postern restore ${file} && systemctl start postern.socket postern.service`

function verifyForm(visit: SignedIn, { id, sealed }: BackupItem): Html {
  const { t } = visit
  const form = postForm(visit, {
    path: adminPaths.verifyBackup,
    purpose: 'verify-backup',
    hidden: { id },
    body: html`${sealed && textField({ name: 'passphrase', label: t('operations.passphrase'), type: 'password', help: t('operations.test_passphrase_help') })}
      <p class="actions"><button>${t('operations.test_now')}</button></p>`,
  })
  return panel(
    'test',
    t('operations.test_backup'),
    html`<p>${t('operations.test_backup_lead')}</p>
      ${form}`,
  )
}
