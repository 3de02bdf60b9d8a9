// Backups elsewhere: the state of the place, the buttons that try it and send now, the backups there, and the form that sets it.

import { backups } from '../../actions/backup/index.ts'
import type { AnswerOf } from '../../actions/call/call-action.ts'
import { html, type Html, type HtmlValue } from '../../doors/shared/html.ts'
import type { Reply } from '../../http/reply.ts'
import { passwordAgain, provenTaker } from '../access/confirm-password.ts'
import { framedReply, type Refused } from '../framed-reply.ts'
import { mayRun } from '../navigation.ts'
import { get, run, start } from '../page.ts'
import { goAfter, goDone } from '../parts/done-notice.ts'
import { factList } from '../parts/facts.ts'
import { panel } from '../parts/panel.ts'
import { postForm, type Work } from '../parts/post-form.ts'
import { linkButton, pageHead, table } from '../parts/table.ts'
import { shownTime } from '../parts/time.ts'
import { adminPaths, linkTo } from '../paths.ts'
import { copyable, copyScript } from '../script.ts'
import { sentenceOf } from '../failure.ts'
import type { SignedIn } from '../visit.ts'
import type { MessageKey } from '../words.ts'
import { kindKeys, placeForm, placeInput, type TargetItem } from './elsewhere-form.ts'
import { sizeOf } from './backup-page.ts'
import { startedJob } from './job-parts.ts'

export const showElsewhere = (visit: SignedIn): Promise<Reply> => elsewhereReply(visit)

async function elsewhereReply(visit: SignedIn, refused: Refused = {}): Promise<Reply> {
  const { t, request } = visit
  const { item } = await get(visit, backups.getTarget, {})
  const title = t('operations.elsewhere')
  const body = html`${pageHead(title, t('operations.elsewhere_lead'), linkButton(visit, adminPaths.backups, 'operations.all_backups'))}
  ${await startedJob(visit, t('operations.done_elsewhere'))} ${item && statePanel(visit, item, refused)}
  ${item && request.query.get('there') !== null && (await therePanel(visit))}
  ${mayRun(visit, backups.setTarget) && placeForm(visit, item, refused)}`
  return framedReply(visit, { title, body, script: copyScript }, refused)
}

function statePanel(visit: SignedIn, item: TargetItem, { fields, passwordFault }: Refused): Html {
  const { t, request } = visit
  const proof = (does: string) => passwordAgain(visit, fields?.get('do') === does ? passwordFault : undefined)
  const button = (does: string, label: MessageKey): Html =>
    postForm(visit, {
      path: adminPaths.backupsElsewhere,
      hidden: { do: does },
      body: html`${proof(does)} <button>${t(label)}</button>`,
    })
  return panel(
    'state',
    t('operations.state'),
    html`${item.error !== null && html`<p class="notice fault" role="note">${item.error}</p>`}
      ${factList({
        [t('operations.place')]: t(kindKeys[item.kind]),
        [t('operations.place_address')]: html`<code>${item.address}</code>`,
        [t('operations.place_bucket')]: item.bucket,
        [t('operations.place_folder')]: item.folder,
        [t('operations.place_tried')]: item.tried_at === null ? t('operations.place_not_yet') : shownTime(visit, item.tried_at),
        [t('operations.place_reached')]: item.reached_at !== null && shownTime(visit, item.reached_at),
      })}
      <div class="actions">
        ${button('test', 'operations.place_test')} ${button('send', 'operations.send_now')}
        <a class="button" href="${linkTo(request, adminPaths.backupsElsewhere)}?there">${t('operations.show_there')}</a>
        ${mayRun(visit, backups.setTarget) && button('off', 'operations.place_off')}
      </div>
      <p class="quiet">${t('operations.place_test_help')}</p>`,
  )
}

type Copy = AnswerOf<typeof backups.listCopies.output>['items'][number]

async function therePanel(visit: SignedIn): Promise<Html> {
  const { t } = visit
  const { data, failure } = await run(visit, backups.listCopies, {})
  if (failure)
    return panel('there', t('operations.there'), html`<p class="notice fault" role="note">${sentenceOf(failure, t)}</p>`)
  const [newest] = data.items
  const command = `systemctl stop postern.socket postern.service && scripts/postern restore --from elsewhere ${newest?.file ?? ''} && systemctl start postern.socket postern.service`
  const list: HtmlValue =
    newest &&
    html`${table(t, {
        caption: t('operations.backups'),
        rows: data.items,
        columns: [
          { label: t('operations.file'), cell: ({ file }) => html`<code>${file}</code>` },
          { label: t('operations.state'), cell: (copy) => stateOf(visit, copy) },
          { label: t('operations.note'), cell: ({ note }) => note, wideOnly: true },
          { label: t('operations.size'), cell: sizeOf, end: true },
        ],
      })}
      <p>${t('operations.restore_there')}</p>
      <p class="address">${copyable(t('operations.restore_command'), command)}</p>`
  return panel('there', t('operations.there'), list ?? html`<p>${t('operations.none_there')}</p>`)
}

function stateOf({ t }: SignedIn, { ours, error, verified_at: at }: Copy): Html {
  if (!ours) return html`<span class="badge">${t('operations.copy_foreign')}</span>`
  if (error !== null) return html`<span class="badge warn">${t('operations.backup_faulty')}</span>`
  if (at !== null) return html`<span class="badge good">${t('operations.backup_tested')}</span>`
  return html`<span class="badge">${t('operations.backup_not_tested')}</span>`
}

const works: Readonly<Record<string, Work>> = {
  async set(visit, fields) {
    const { failure } = await run(visit, backups.setTarget, placeInput(fields))
    return failure ?? goDone(visit, adminPaths.backupsElsewhere, backups.setTarget)
  },
  async off(visit) {
    const { failure } = await run(visit, backups.setTarget, { kind: 'off' })
    return failure ?? goDone(visit, adminPaths.backupsElsewhere, backups.setTarget)
  },
  async test(visit) {
    const { job, failure } = await start(visit, backups.testTarget, {})
    return failure ?? goAfter(visit, adminPaths.backupsElsewhere, job, 'operations.done_elsewhere')
  },
  async send(visit) {
    const { job, failure } = await start(visit, backups.send, {})
    return failure ?? goAfter(visit, adminPaths.backupsElsewhere, job, 'operations.done_elsewhere')
  },
}

export const saveElsewhere = provenTaker(adminPaths.backupsElsewhere, works, elsewhereReply)
