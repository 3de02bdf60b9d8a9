// Personal tokens: the list, the form that creates a token, and revocation. A new token is shown once. Creating a token requires
// re-authentication if the last sign-in is not recent.

import { randomBytes } from 'node:crypto'
import type { InputOf } from '../../actions/call/call-action.ts'
import { tokens } from '../../actions/tokens/index.ts'
import type { TokenItem } from '../../actions/shared/token-item.ts'
import { html, type Html, raw } from '../../doors/shared/html.ts'
import type { Reply } from '../../http/reply.ts'
import { passwordAgain, provenTaker } from '../access/confirm-password.ts'
import type { Fields } from '../form.ts'
import { framedReply, type Refused } from '../framed-reply.ts'
import { get, run } from '../page.ts'
import { controlsOf, type FormRows } from '../parts/declared-form.ts'
import { goDone } from '../parts/done-notice.ts'
import { onItem } from '../parts/form-input.ts'
import { listAddress } from '../parts/list-address.ts'
import { pagerOf } from '../parts/pager.ts'
import { panel } from '../parts/panel.ts'
import { formTaker, postForm } from '../parts/post-form.ts'
import { emptyState, pageHead, table } from '../parts/table.ts'
import { shownTime } from '../parts/time.ts'
import { adminPaths, linkTo } from '../paths.ts'
import type { SignedIn } from '../visit.ts'
import { credentialColumns } from './credential-list.ts'
import { limitNames, limitRows, readLimitFields } from './limit-fields.ts'
import { choicesOf, findPreset, presets } from './presets.ts'
import { secretReply } from './secret-page.ts'

const rows: FormRows = [
  { name: 'name', label: 'connections.name', placeholder: 'connections.token_example', required: true },
  { name: 'scope', control: 'radio', label: 'connections.access', blank: 'content' },
]

const foldedRows: FormRows = [
  ...limitRows,
  { name: 'expires_at', control: 'date', label: 'connections.last_day', help: 'connections.last_day_help' },
]

export const showTokens = (visit: SignedIn): Promise<Reply> => tokensReply(visit)

async function tokensReply(visit: SignedIn, refused: Refused = {}): Promise<Reply> {
  const { request, t } = visit
  const address = listAddress(request, adminPaths.tokens)
  const found = await get(visit, tokens.list, address.pick('cursor', 'sort'))
  const body = html`${pageHead(t('connections.tokens_title'), t('connections.tokens_lead'))}
  ${
    found.items.length === 0
      ? emptyState(t('connections.tokens_empty'), t('connections.tokens_empty_help'))
      : await tokenTable(visit, found.items)
  }
  ${pagerOf(linkTo(request, adminPaths.tokens), found.next_cursor, t)} ${mintForm(visit, refused)}`
  return framedReply(visit, { title: t('connections.tokens_title'), body }, refused)
}

async function tokenTable(visit: SignedIn, items: readonly TokenItem[]): Promise<Html> {
  const { t } = visit
  const { access, lastUsed, changes, end } = await credentialColumns(visit, items, (name) => ({
    verb: t('connections.revoke'),
    button: t('connections.revoke_named', { name }),
    consequence: t('connections.revoke_help'),
    path: adminPaths.revokeToken,
  }))
  return table(t, {
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
  })
}

function mintForm(visit: SignedIn, refused: Refused): Html {
  const { t } = visit
  const form = postForm(visit, {
    path: adminPaths.tokens,
    hidden: { key: randomBytes(15).toString('base64url') },
    body: html`${controlsOf(t, { rows }, { refused, choices: { scope: choicesOf(t, presets) } })}
      <details ${refused.fields && hasLimits(refused.fields) ? raw('open') : ''}>
        <summary>${t('connections.limits')}</summary>
        ${controlsOf(t, { rows: foldedRows }, { refused })}
      </details>
      ${passwordAgain(visit, refused.passwordFault)}
      <p class="actions"><button class="primary">${t('connections.create')}</button></p>`,
  })
  return panel('new', t('connections.new_token'), form, 'card')
}

const hasLimits = (fields: Fields): boolean => [...limitNames, 'expires_at'].some((name) => fields.get(name) !== '')

export const mintToken = provenTaker(
  adminPaths.tokens,
  async (visit, fields) => {
    const key = fields.get('key')
    const idempotencyKey = /^[\w-]{20}$/.test(key) ? key : undefined
    const { data, failure } = await run(visit, tokens.create, inputOf(fields), { idempotencyKey })
    return failure ?? secretReply(visit, data)
  },
  tokensReply,
)

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

const revoke = onItem(tokens.revoke, (visit) => goDone(visit, adminPaths.tokens, tokens.revoke))

export const revokeToken = formTaker(adminPaths.revokeToken, revoke, tokensReply)
