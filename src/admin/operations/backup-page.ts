// One backup: what is known of it, its link, its test, the command that restores it, and its deletion.

import type { AnswerOf } from '../../actions/call-action.ts'
import { backupsDelete, backupsGet, type backupsList, backupsVerify } from '../../actions/classes/svc-backup.ts'
import { html, type Html } from '../../doors/html.ts'
import type { Failure } from '../../failure.ts'
import type { Reply } from '../../http/reply.ts'
import { passwordAgain, type PasswordRefused } from '../access/confirm-password.ts'
import { formStatus, sentenceOf } from '../failure.ts'
import { csrfField } from '../form.ts'
import { framed } from '../layout.ts'
import { mayRun } from '../navigation.ts'
import { get } from '../page.ts'
import { factList } from '../parts/facts.ts'
import { faultBox, textField } from '../parts/fields.ts'
import { removalForm } from '../parts/removal-form.ts'
import { pageHead } from '../parts/table.ts'
import { shownTime } from '../parts/time.ts'
import { adminPaths, linkTo } from '../paths.ts'
import { pageReply } from '../reply.ts'
import { copyable, copyScript } from '../script.ts'
import type { SignedIn } from '../visit.ts'
import { startedJob } from './job-parts.ts'

/** A backup as the list has it. */
export type BackupItem = AnswerOf<typeof backupsList.output>['items'][number]

interface BackupView extends Partial<PasswordRefused> {
  readonly failure?: Failure
}

/** Whether a backup is good, in a badge. */
export const stateOf = ({ error, verified_at: at, sealed }: BackupItem): Html =>
  html`${error !== null ? html`<span class="badge warn">faulty</span>` : at === null ? html`<span class="badge">not tested</span>` : html`<span class="badge good">tested</span>`}
  ${sealed && html`<span class="badge">sealed</span>`}`

export const sizeOf = ({ bytes }: BackupItem): string =>
  bytes < 1024 ** 2 ? `${Math.ceil(bytes / 1024)} KiB` : `${(bytes / 1024 ** 2).toFixed(1)} MiB`

export async function backupReply(visit: SignedIn, id: string, view: BackupView = {}): Promise<Reply> {
  const { item, url, url_refused: whyNot } = await get(visit, backupsGet, { id })
  const { failure } = view
  const title = item.note ?? `Backup ${item.file}`
  const body = html`${pageHead(
      title,
      undefined,
      html`<a class="button" href="${linkTo(visit.request, adminPaths.backups)}">All backups</a>`,
    )}
    ${faultBox(failure && sentenceOf(failure))} ${faultBox(view.passwordFault)} ${item.error !== null && faultBox(item.error)}
    ${await startedJob(visit, 'The backup is good.')}
    <section class="panel" aria-labelledby="facts">
      <h2 id="facts">The file</h2>
      ${factList({
        State: stateOf(item),
        Made: shownTime(visit, item.created_at),
        'Last tested': shownTime(visit, item.verified_at),
        Size: sizeOf(item),
        Machine: item.node,
        File: html`<code>${item.file}</code>`,
        'SHA-256': html`<code>${item.sha256}</code>`,
      })}
      ${url === null ? html`<p>${whyNot}</p>` : html`<p class="actions"><a class="button" href="${url}">Download</a> <span class="quiet">The link works for ten minutes.</span></p>`}
    </section>
    ${mayRun(visit, backupsVerify) && verifyForm(visit, item)}
    <section class="panel" aria-labelledby="restore">
      <h2 id="restore">Restore it</h2>
      <p>A running service does not replace its own database. On the server:</p>
      <p class="address">${copyable('the command that restores', restoreCommand(item))}</p>
    </section>
    ${
      mayRun(visit, backupsDelete) &&
      removalForm(visit, {
        verb: 'Delete',
        id: item.id,
        name: item.file,
        consequence: 'One backup is deleted with its file. This can’t be undone.',
        path: adminPaths.deleteBackup,
        purpose: 'delete-backup',
        more: passwordAgain(visit, undefined),
      })
    }`
  const status = view.status ?? (failure ? formStatus[failure.code] : 200)
  const page = framed(visit, { title, body, script: copyScript })
  return pageReply(visit, status, page, { headers: view.headers ?? {} })
}

const restoreCommand = ({ file }: BackupItem): string =>
  `systemctl stop postern.socket postern.service && scripts/postern restore ${file} && systemctl start postern.socket postern.service`

const verifyForm = (visit: SignedIn, { id, sealed }: BackupItem): Html =>
  html`<section class="panel" aria-labelledby="test">
    <h2 id="test">Test it</h2>
    <p>The test checks every file in the backup, and opens the site from it in a folder of its own.</p>
    <form method="post" action="${linkTo(visit.request, adminPaths.verifyBackup)}">
      ${csrfField(visit, 'verify-backup')}
      <input type="hidden" name="id" value="${id}" />
      ${
        sealed &&
        textField({
          name: 'passphrase',
          label: 'Passphrase',
          type: 'password',
          help: 'Leave the field empty where it was sealed with the passphrase of the site.',
        })
      }
      <p class="actions"><button>Test now</button></p>
    </form>
  </section>`
