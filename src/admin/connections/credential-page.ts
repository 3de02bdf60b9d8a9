// One token or one connected app: its access, its recent activity, and the forms that rename it, tighten its limits or give it a
// new secret.

import { activity } from '../../actions/classes/svc-activity/index.ts'
import { apps } from '../../actions/classes/svc-apps/index.ts'
import { tokens } from '../../actions/classes/svc-tokens/index.ts'
import { type AppItem } from '../../actions/classes/svc-apps/app-item.ts'
import type { TokenItem } from '../../actions/classes/token-item.ts'
import { html, type Html, type HtmlValue } from '../../doors/html.ts'
import { type Failure, notFound } from '../../failure.ts'
import type { Reply } from '../../http/reply.ts'
import { confirmPassword, passwordAgain, type PasswordRefused } from '../access/confirm-password.ts'
import { formStatus, sentenceOf } from '../failure.ts'
import { csrfField, type Fields, readFields } from '../form.ts'
import { recordPath, whatOf } from '../activity/record-parts.ts'
import { framed } from '../layout.ts'
import { get, run } from '../page.ts'
import { goDone } from '../parts/done-notice.ts'
import { factList } from '../parts/facts.ts'
import { faultBox, textField } from '../parts/fields.ts'
import { limitsInWords } from '../parts/limits-in-words.ts'
import { scopeSentences } from '../parts/scope-words.ts'
import { emptyState, pageHead, table } from '../parts/table.ts'
import { shownTime } from '../parts/time.ts'
import { adminPaths, linkTo } from '../paths.ts'
import { goTo, pageReply } from '../reply.ts'
import type { SignedIn } from '../visit.ts'
import { limitFieldOf, limitFields, limitNames, limitsWithFault, limitValues, readLimitFields } from './limit-fields.ts'
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

interface View extends Partial<PasswordRefused> {
  readonly fields?: Fields
  readonly failure?: Failure
}

export const showToken = (visit: SignedIn): Promise<Reply> => pageOf(visit, token, idIn(visit))
export const showApp = (visit: SignedIn): Promise<Reply> => pageOf(visit, app, idIn(visit))
export const changeToken = (visit: SignedIn): Promise<Reply> => change(visit, token)
export const changeApp = (visit: SignedIn): Promise<Reply> => change(visit, app)

const idIn = ({ request }: SignedIn): string => request.query.get('id')?.slice(0, 200) || '-'

async function pageOf(visit: SignedIn, kind: Kind, id: string, view: View = {}): Promise<Reply> {
  const item = await kind.read(visit, id)
  const { failure } = view
  const { t } = visit
  const field = limitFieldOf(failure?.detail.field)
  const atField = field === 'name' || limitsWithFault.includes(field ?? '')
  const fault = view.passwordFault ?? (failure && !atField ? sentenceOf(failure, t) : undefined)
  const body = html`${pageHead(item.name, scopeSentences(t, item.scope))} ${faultBox(fault)}
  ${factList({
    [t('connections.limits')]: limitsInWords(t, item.limits),
    [t('connections.account')]: item.account,
    [t('connections.created')]: shownTime(visit, item.created_at),
    [t('connections.last_used')]: shownTime(visit, item.last_used),
    [t('connections.expires')]: shownTime(visit, item.expires_at),
  })}
  ${await doneTable(visit, item)} ${changeForm(visit, kind, item, view)}
  ${kind === token && rotateForm(visit, item, view.passwordFault)}`
  return pageReply(visit, view.status ?? 200, framed(visit, { title: item.name, body }), { headers: view.headers ?? {} })
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
        : table(
            {
              caption: t('connections.did_lately'),
              rows: items,
              columns: [
                { label: t('connections.change'), cell: (item) => whatOf(visit, item) },
                { label: t('connections.call'), cell: ({ call }) => html`<code>${call}</code>`, wideOnly: true },
                {
                  label: t('connections.when'),
                  end: true,
                  cell: ({ id: record, at }) => html`<a href="${recordPath(visit, record)}">${shownTime(visit, at)}</a>`,
                },
              ],
            },
            t,
          )
    }
  </section>`
}

function formFor(visit: SignedIn, { id }: Item, path: string, purpose: string, fields: HtmlValue): Html {
  return html`<form method="post" action="${linkTo(visit.request, path)}">
    ${csrfField(visit, purpose)}
    <input type="hidden" name="id" value="${id}" />
    ${fields}
  </form>`
}

function changeForm(visit: SignedIn, kind: Kind, item: Item, { fields, failure }: View): Html {
  const { t } = visit
  const values: Readonly<Record<string, string>> = { name: item.name, ...limitValues(item.limits) }
  const value = (name: string) => (fields ? fields.get(name) : values[name])
  const field = limitFieldOf(failure?.detail.field)
  const fault = (name: string) => (field === name ? failure?.message : undefined)
  return html`<section class="card" aria-labelledby="change">
    <h2 id="change">${t('connections.name_and_limits')}</h2>
    <p>${t('connections.only_tighter')}</p>
    ${formFor(
      visit,
      item,
      kind.path,
      kind.path,
      html`${textField({ name: 'name', label: t('connections.name'), value: value('name'), required: true, fault: fault('name') })}
        ${limitFields(t, { value, fault })}
        <p class="actions"><button class="primary">${t('connections.save')}</button></p>`,
    )}
  </section>`
}

async function change(visit: SignedIn, kind: Kind): Promise<Reply> {
  const fields = await readFields(visit, kind.path)
  const id = fields.get('id').slice(0, 200) || '-'
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
  if (failure) return pageOf(visit, kind, id, { status: formStatus[failure.code], fields, failure })
  return goDone(visit, `${kind.path}?id=${encodeURIComponent(id)}`, kind.update)
}

/** A limit that restricts nothing. The action refuses it with its own sentence. */
const emptyLimit = {
  drafts_only: { drafts_only: false },
  ask: { ask: ['SVC_API.welcome'] },
  addresses: { addresses: ['0.0.0.0/0', '::/0'] },
  per_minute: { per_minute: 1_000_000 },
} as const

const rotatePurpose = 'rotate-token'

function rotateForm(visit: SignedIn, item: Item, passwordFault: string | undefined): Html {
  const { t } = visit
  return html`<details class="card">
    <summary>${t('connections.new_secret')}</summary>
    <p>${t('connections.new_secret_help')}</p>
    ${formFor(visit, item, adminPaths.rotateToken, rotatePurpose, html`${passwordAgain(visit, passwordFault)} <button>${t('connections.make_secret')}</button>`)}
  </details>`
}

const graceSeconds = 86_400

/** POST: gives a token a new secret. */
export async function rotateToken(visit: SignedIn): Promise<Reply> {
  const fields = await readFields(visit, rotatePurpose)
  const id = fields.get('id').slice(0, 200) || '-'
  const refused = await confirmPassword(visit, fields)
  if (refused) return pageOf(visit, token, id, refused)
  const { data, failure } = await run(visit, tokens.rotate, { id, grace: graceSeconds })
  if (failure) return pageOf(visit, token, id, { status: formStatus[failure.code], failure })
  return data.token === undefined ? goTo(visit, adminPaths.tokens) : secretReply(visit, data.item, data.token)
}
