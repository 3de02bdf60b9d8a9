// Personal tokens: the list, the form that creates a token, and revocation. A new token is shown once. Creating a token requires
// re-authentication if the last sign-in is not recent.

import { randomBytes } from 'node:crypto'
import type { InputOf } from '../../actions/call-action.ts'
import { tokens } from '../../actions/classes/svc-tokens/index.ts'
import type { TokenItem } from '../../actions/classes/token-item.ts'
import { html, type Html, raw } from '../../doors/html.ts'
import type { Failure } from '../../failure.ts'
import type { Reply } from '../../http/reply.ts'
import { confirmPassword, passwordAgain, type PasswordRefused } from '../access/confirm-password.ts'
import { formStatus, sentenceOf } from '../failure.ts'
import { goDone } from '../parts/done-notice.ts'
import { faultBox, radioField, textField } from '../parts/fields.ts'
import { csrfField, type Fields, readFields } from '../form.ts'
import { framed } from '../layout.ts'
import { get, run } from '../page.ts'
import { pagerOf } from '../parts/pager.ts'
import { adminPaths, linkTo } from '../paths.ts'
import { goTo, pageReply } from '../reply.ts'
import { credentialColumns } from './credential-list.ts'
import { limitFieldOf, limitFields, limitNames, limitsWithFault, readLimitFields } from './limit-fields.ts'
import { choicesOf, findPreset, presets } from './presets.ts'
import { secretReply } from './secret-page.ts'
import { listAddress } from '../parts/list-address.ts'
import { emptyState, pageHead, table } from '../parts/table.ts'
import { shownTime } from '../parts/time.ts'
import type { SignedIn } from '../visit.ts'

/** The state after a refused form: the failure and the values that were filled in. */
interface View extends Partial<PasswordRefused> {
  readonly fields?: Fields
  readonly failure?: Failure
}

export async function showTokens(visit: SignedIn): Promise<Reply> {
  return tokensReply(visit)
}

async function tokensReply(visit: SignedIn, view: View = {}): Promise<Reply> {
  const { request, t } = visit
  const address = listAddress(request, adminPaths.tokens)
  const found = await get(visit, tokens.list, address.pick('cursor', 'sort'))
  const body = html`${pageHead(t('connections.tokens_title'), t('connections.tokens_lead'))}
  ${
    found.items.length === 0
      ? emptyState(t('connections.tokens_empty'), t('connections.tokens_empty_help'))
      : await tokenTable(visit, found.items)
  }
  ${pagerOf(linkTo(request, adminPaths.tokens), found.next_cursor, t)} ${mintForm(visit, view)}`
  return pageReply(visit, view.status ?? 200, framed(visit, { title: t('connections.tokens_title'), body }), {
    headers: view.headers ?? {},
  })
}

async function tokenTable(visit: SignedIn, items: readonly TokenItem[]): Promise<Html> {
  const { t } = visit
  const { access, lastUsed, changes, end } = await credentialColumns(visit, items, (name) => ({
    verb: t('connections.revoke'),
    button: t('connections.revoke_named', { name }),
    consequence: t('connections.revoke_help'),
    path: adminPaths.revokeToken,
    purpose: 'revoke-token',
  }))
  return table(
    {
      caption: t('connections.tokens_title'),
      rows: items,
      query: listAddress(visit.request, adminPaths.tokens),
      sort: '-created_at',
      columns: [
        {
          label: t('connections.name'),
          sort: 'name',
          cell: ({ id, name, account }) =>
            html`<a href="${linkTo(visit.request, adminPaths.token)}?id=${id}">${name}</a> <small>${account}</small>`,
        },
        access,
        {
          label: t('connections.expires'),
          sort: 'expires_at',
          cell: (token) => shownTime(visit, token.expires_at),
          wideOnly: true,
        },
        lastUsed,
        changes,
        end,
      ],
    },
    t,
  )
}

function mintForm(visit: SignedIn, { fields, failure, passwordFault }: View): Html {
  const { t } = visit
  const value = (name: string) => fields?.get(name)
  const field = limitFieldOf(failure?.detail.field)
  const fault = (name: string) => (field === name ? failure?.message : undefined)
  const known = ['name', 'scope', 'expires_at', ...limitsWithFault].includes(field ?? '')
  return html`<section class="card" aria-labelledby="new">
    <h2 id="new">${t('connections.new_token')}</h2>
    ${faultBox(failure && !known ? sentenceOf(failure, t) : undefined)}
    <form method="post" action="${linkTo(visit.request, adminPaths.tokens)}">
      ${csrfField(visit, 'mint-token')}
      <input type="hidden" name="key" value="${randomBytes(15).toString('base64url')}" />
      ${textField({ name: 'name', label: t('connections.name'), value: value('name'), placeholder: t('connections.token_example'), required: true, fault: fault('name') })}
      ${radioField({ name: 'scope', label: t('connections.access'), value: value('scope') ?? 'content', choices: choicesOf(t, presets), fault: fault('scope') })}
      <details ${fields && hasLimits(fields) ? raw('open') : ''}>
        <summary>${t('connections.limits')}</summary>
        ${limitFields(t, { value, fault })}
        ${textField({ name: 'expires_at', label: t('connections.last_day'), type: 'date', value: value('expires_at'), help: t('connections.last_day_help'), fault: fault('expires_at') })}
      </details>
      ${passwordAgain(visit, passwordFault)}
      <p class="actions"><button class="primary">${t('connections.create')}</button></p>
    </form>
  </section>`
}

const hasLimits = (fields: Fields): boolean => [...limitNames, 'expires_at'].some((name) => fields.get(name) !== '')

export async function mintToken(visit: SignedIn): Promise<Reply> {
  const fields = await readFields(visit, 'mint-token')
  const refused = await confirmPassword(visit, fields)
  if (refused) return tokensReply(visit, { ...refused, fields })
  const key = fields.get('key')
  const { data, failure } = await run(visit, tokens.create, inputOf(fields), {
    idempotencyKey: /^[\w-]{20}$/.test(key) ? key : undefined,
  })
  if (failure) return tokensReply(visit, { status: formStatus[failure.code], fields, failure })
  return data.token === undefined ? goTo(visit, adminPaths.tokens) : secretReply(visit, data.item, data.token)
}

function inputOf(fields: Fields): InputOf<typeof tokens.create.input> {
  const preset = findPreset(fields.get('scope'))
  const limits = { ...preset?.limits, ...readLimitFields(fields) }
  const expires = fields.get('expires_at').trim()
  return {
    name: fields.get('name').trim(),
    scope: preset?.scope ?? fields.get('scope'),
    ...(Object.keys(limits).length > 0 ? { limits } : {}),
    ...(expires === '' ? {} : { expires_at: expires }),
  }
}

export async function revokeToken(visit: SignedIn): Promise<Reply> {
  const fields = await readFields(visit, 'revoke-token')
  const { failure } = await run(visit, tokens.revoke, { ids: [fields.get('id')], expect: 1 })
  if (failure) return tokensReply(visit, { status: formStatus[failure.code], failure })
  return goDone(visit, adminPaths.tokens, tokens.revoke)
}
