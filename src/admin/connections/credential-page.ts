// One token or one connected app: its access, its recent activity, and the forms that rename it, tighten its limits or give it a
// new secret.

import { activity } from '../../actions/activity/index.ts'
import { apps } from '../../actions/apps/index.ts'
import { tokens } from '../../actions/tokens/index.ts'
import { type AppItem } from '../../actions/apps/app-item.ts'
import type { TokenItem } from '../../actions/shared/token-item.ts'
import { html, type Html } from '../../doors/shared/html.ts'
import { notFound } from '../../base/failure.ts'
import type { Reply } from '../../http/reply.ts'
import { passwordAgain, provenTaker } from '../access/confirm-password.ts'
import { recordPath, whatOf } from '../activity/record-parts.ts'
import type { Fields } from '../form.ts'
import { framedReply, type Refused } from '../framed-reply.ts'
import { get, run } from '../page.ts'
import { declareForm, declaredForm } from '../parts/declared-form.ts'
import { goDone } from '../parts/done-notice.ts'
import { factList } from '../parts/facts.ts'
import { doing } from '../parts/form-input.ts'
import { limitsInWords, rightsInWords } from '../parts/limits-in-words.ts'
import { lineList, panel } from '../parts/panel.ts'
import { formTaker, postForm, type Work } from '../parts/post-form.ts'
import { scopeName } from '../parts/scope-words.ts'
import { emptyState, pageHead, table } from '../parts/table.ts'
import { shownTime } from '../parts/time.ts'
import { adminPaths, linkTo } from '../paths.ts'
import type { SignedIn } from '../visit.ts'
import { limitNames, limitRows, limitValues, readLimitFields } from './limit-fields.ts'
import { secretReply } from './secret-page.ts'

type Item = TokenItem | AppItem

/** The differences between tokens and apps. */
interface Kind {
  readonly path: string
  readonly read: (visit: SignedIn, id: string) => Promise<Item>
  readonly update: typeof tokens.update | typeof apps.update
}

const token: Kind = {
  path: adminPaths.token,
  async read(visit, id) {
    const { items } = await get(visit, tokens.list, { where: { id }, limit: 1 })
    if (!items[0]) throw notFound('token', id)
    return items[0]
  },
  update: tokens.update,
}

const app: Kind = {
  path: adminPaths.app,
  read: async (visit, id) => (await get(visit, apps.get, { id })).item,
  update: apps.update,
}

export const showToken = (visit: SignedIn): Promise<Reply> => pageOf(visit, token, visit.request.query.get('id'))
export const showApp = (visit: SignedIn): Promise<Reply> => pageOf(visit, app, visit.request.query.get('id'))

const idOf = (text: string | null | undefined): string => text?.slice(0, 200) || '-'

async function pageOf(visit: SignedIn, kind: Kind, id: string | null | undefined, refused: Refused = {}): Promise<Reply> {
  const item = await kind.read(visit, idOf(id))
  const { t } = visit
  const body = html`${pageHead(item.name, scopeName(t, item.scope))}
  ${panel('may', t('connections.what_it_may'), lineList(rightsInWords(t, item), 'rights'))}
  ${factList({
    [t('connections.limits')]: limitsInWords(t, item.limits),
    [t('connections.account')]: item.account,
    [t('connections.created')]: shownTime(visit, item.created_at),
    [t('connections.last_used')]: shownTime(visit, item.last_used),
    [t('connections.expires')]: shownTime(visit, item.expires_at),
  })}
  ${await doneTable(visit, item)} ${changePanel(visit, kind, item, refused)}
  ${kind === token && rotateForm(visit, item, refused.passwordFault)}`
  return framedReply(visit, { title: item.name, body }, refused)
}

/** The recent activity. */
async function doneTable(visit: SignedIn, { id }: Item): Promise<Html> {
  const { t } = visit
  const { items } = await get(visit, activity.list, { where: { token: id }, limit: 20 })
  return html`<section aria-labelledby="did">
    <h2 id="did">${t('connections.what_it_did')}</h2>
    ${
      items.length === 0
        ? emptyState(t('connections.nothing_done'), t('connections.nothing_done_help'))
        : table(t, {
            caption: t('connections.did_lately'),
            rows: items,
            columns: [
              { label: t('connections.change'), cell: (item) => whatOf(visit, item) },
              {
                label: t('connections.when'),
                end: true,
                cell: ({ id: record, at }) => html`<a href="${recordPath(visit, record)}">${shownTime(visit, at)}</a>`,
              },
            ],
          })
    }
    ${
      items.length > 0 &&
      html`<p>
        <a href="${linkTo(visit.request, adminPaths.activity)}?token=${encodeURIComponent(id)}">${t('connections.all_it_did')}</a>
      </p>`
    }
  </section>`
}

function changePanel(visit: SignedIn, { path, update }: Kind, { id, name, limits }: Item, refused: Refused): Html {
  const rows = [{ name: 'name', label: 'connections.name', required: true } as const, ...limitRows]
  const form = declareForm(update as typeof tokens.update, { path, button: 'connections.save' }, rows)
  const content = html`<p>${visit.t('connections.only_tighter')}</p>
    ${declaredForm(visit, form, { item: { id, name, ...limitValues(limits) }, refused })}`
  return panel('change', visit.t('connections.name_and_limits'), content, 'card')
}

async function change(visit: SignedIn, kind: Kind, fields: Fields): ReturnType<Work> {
  const id = idOf(fields.get('id'))
  const before = limitValues((await kind.read(visit, id)).limits)
  // Fields that nobody changed are not sent, so limits that this form can't show remain. An empty field would remove a limit.
  const given = readLimitFields(fields)
  const emptied = limitNames.find((name) => before[name] !== '' && !(name in given))
  const limits = Object.fromEntries(
    Object.entries(given).filter(([name]) => fields.get(name) !== before[name as keyof typeof before]),
  )
  const { failure } = await run(visit, kind.update as typeof tokens.update, {
    id,
    name: fields.get('name').trim(),
    ...(emptied === undefined ? {} : { limits: emptyLimit[emptied] }),
    ...(emptied === undefined && Object.keys(limits).length > 0 ? { limits } : {}),
  })
  return failure ?? goDone(visit, `${kind.path}?id=${encodeURIComponent(id)}`, kind.update)
}

const changeTaker = (kind: Kind) =>
  formTaker(
    kind.path,
    (visit, fields) => change(visit, kind, fields),
    (visit, refused) => pageOf(visit, kind, refused.fields.get('id'), refused),
  )

export const changeToken = changeTaker(token)
export const changeApp = changeTaker(app)

/** A limit that restricts nothing. The action refuses it with its own sentence. */
const emptyLimit = {
  drafts_only: { drafts_only: false },
  ask: { ask: ['SVC_API.welcome'] },
  addresses: { addresses: ['0.0.0.0/0', '::/0'] },
  per_minute: { per_minute: 1_000_000 },
} as const

function rotateForm(visit: SignedIn, { id }: Item, passwordFault: string | undefined): Html {
  const { t } = visit
  const body = html`${passwordAgain(visit, passwordFault)} <button>${t('connections.make_secret')}</button>`
  return html`<details class="card">
    <summary>${t('connections.new_secret')}</summary>
    <p>${t('connections.new_secret_help')}</p>
    ${postForm(visit, { path: adminPaths.rotateToken, hidden: { id }, body })}
  </details>`
}

const graceSeconds = 86_400

/** POST: gives a token a new secret. */
export const rotateToken = provenTaker(
  adminPaths.rotateToken,
  doing(tokens.rotate, (fields) => ({ id: idOf(fields.get('id')), grace: graceSeconds }), secretReply),
  (visit, refused) => pageOf(visit, token, refused.fields.get('id'), refused),
)
