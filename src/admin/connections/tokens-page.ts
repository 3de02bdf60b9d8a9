// Personal tokens: the list, the form that creates one, and revoking. A new token is shown once. Creating one asks for the password again
// where the last sign-in is some time ago.

import { randomBytes } from 'node:crypto'
import type { InputOf } from '../../actions/call-action.ts'
import { tokensList, tokensRevoke } from '../../actions/classes/svc-tokens.ts'
import type { TokenItem } from '../../actions/classes/token-item.ts'
import { tokensCreate } from '../../actions/classes/token-minting.ts'
import { html, type Html, raw } from '../../doors/html.ts'
import { baseOf } from '../../doors/paths.ts'
import type { Failure } from '../../failure.ts'
import type { Reply } from '../../http/reply.ts'
import { scopes } from '../../identity/caller.ts'
import { confirmPassword, passwordAgain, type PasswordRefused } from '../access/confirm-password.ts'
import { formStatus, sentenceOf } from '../failure.ts'
import { factList } from '../parts/facts.ts'
import { checkField, doneBox, faultBox, radioField, textField } from '../parts/fields.ts'
import { csrfField, type Fields, readFields } from '../form.ts'
import { framed } from '../layout.ts'
import { limitsInWords } from '../parts/limits-in-words.ts'
import { get, run } from '../page.ts'
import { pagerOf } from '../parts/pager.ts'
import { adminPaths, linkTo } from '../paths.ts'
import { removalForm } from '../parts/removal-form.ts'
import { goTo, pageReply } from '../reply.ts'
import { copyable, copyScript } from '../script.ts'
import { scopeWords } from '../parts/scope-words.ts'
import { shownTime } from '../parts/time.ts'
import type { SignedIn } from '../visit.ts'

/** After a form that failed: its failure, and what was filled in. */
interface View extends Partial<PasswordRefused> {
  readonly fields?: Fields
  readonly failure?: Failure
}

/** GET */
export async function showTokens(visit: SignedIn): Promise<Reply> {
  return tokensReply(visit)
}

async function tokensReply(visit: SignedIn, view: View = {}): Promise<Reply> {
  const { request } = visit
  const cursor = request.query.get('cursor')
  const tokens = await get(visit, tokensList, cursor === null ? {} : { cursor })
  const done = request.query.get('done') === 'revoked' ? 'The token is revoked.' : undefined
  const body = html`<h1>Tokens</h1>
    <p class="lead">
      A script or an app uses a token instead of signing in. Anyone who has a token can use it, so keep tokens secret.
    </p>
    ${doneBox(done)}
    ${
      tokens.items.length > 0 &&
      html`<ul class="things">
        ${tokens.items.map((token) => tokenItem(visit, token))}
      </ul>`
    }
    ${pagerOf(linkTo(request, adminPaths.tokens), tokens.next_cursor)} ${mintForm(visit, view)}`
  return pageReply(visit, view.status ?? 200, framed(visit, { title: 'Tokens', body }), { headers: view.headers ?? {} })
}

function tokenItem(visit: SignedIn, token: TokenItem): Html {
  return html`<li class="card">
    <h2>${token.name}</h2>
    ${factList({
      Access: scopeWords[token.scope].label,
      Account: token.account,
      Created: shownTime(visit, token.created_at),
      'Last used': shownTime(visit, token.last_used),
      Expires: shownTime(visit, token.expires_at),
      Limits: limitsInWords(token.limits),
    })}
    ${removalForm(visit, {
      verb: 'Revoke',
      id: token.id,
      name: token.name,
      consequence: 'The token stops working at once. This cannot be undone.',
      path: adminPaths.revokeToken,
      purpose: 'revoke-token',
    })}
  </li>`
}

function mintForm(visit: SignedIn, { fields, failure, passwordFault }: View): Html {
  const value = (name: string) => fields?.get(name)
  const field = failure?.detail.field?.replace(/^limits\./, '').replace(/\.\d+$/, '')
  const fault = (name: string) => (field === name ? failure?.message : undefined)
  const known = ['name', 'scope', 'expires_at', 'addresses', 'per_minute'].includes(field ?? '')
  return html`<section class="card" aria-labelledby="new">
    <h2 id="new">New token</h2>
    ${faultBox(failure && !known ? sentenceOf(failure) : undefined)}
    <form method="post" action="${linkTo(visit.request, adminPaths.tokens)}">
      ${csrfField(visit, 'mint-token')}
      <input type="hidden" name="key" value="${randomBytes(15).toString('base64url')}" />
      ${textField({ name: 'name', label: 'Name', value: value('name'), placeholder: 'Nightly export', required: true, fault: fault('name') })}
      ${radioField({ name: 'scope', label: 'Access', value: value('scope') ?? 'content', choices: scopes.map((scope) => scopeWords[scope]), fault: fault('scope') })}
      <details ${fields && hasLimits(fields) ? raw('open') : ''}>
        <summary>Limits</summary>
        ${checkField({ name: 'drafts_only', label: 'Drafts only', value: value('drafts_only') })}
        <div class="two">
          ${textField({ name: 'expires_at', label: 'Last day', type: 'date', value: value('expires_at'), help: 'The token expires at the end of this day. Leave the field empty for a token that does not expire.', fault: fault('expires_at') })}
          ${textField({ name: 'per_minute', label: 'Calls per minute', type: 'number', value: value('per_minute'), fault: fault('per_minute') })}
        </div>
        ${textField({ name: 'addresses', label: 'Allowed network addresses', value: value('addresses'), placeholder: '203.0.113.7, 2001:db8::/48', fault: fault('addresses') })}
      </details>
      ${passwordAgain(visit, passwordFault)}
      <p class="actions"><button class="primary">Create</button></p>
    </form>
  </section>`
}

const hasLimits = (fields: Fields): boolean =>
  ['drafts_only', 'expires_at', 'addresses', 'per_minute'].some((name) => fields.get(name) !== '')

/** POST */
export async function mintToken(visit: SignedIn): Promise<Reply> {
  const fields = await readFields(visit, 'mint-token')
  const refused = await confirmPassword(visit, fields)
  if (refused) return tokensReply(visit, { ...refused, fields })
  const key = fields.get('key')
  const { data, failure } = await run(visit, tokensCreate, inputOf(fields), {
    idempotencyKey: /^[\w-]{20}$/.test(key) ? key : undefined,
  })
  if (failure) return tokensReply(visit, { status: formStatus[failure.code], fields, failure })
  return data.token === undefined ? goTo(visit, adminPaths.tokens) : shownOnce(visit, data.item, data.token)
}

function inputOf(fields: Fields): InputOf<typeof tokensCreate.input> {
  const addresses = fields
    .get('addresses')
    .split(/[\s,]+/)
    .filter((item) => item !== '')
  const calls = fields.get('per_minute').trim()
  const limits = {
    ...(fields.has('drafts_only') ? { drafts_only: true } : {}),
    ...(addresses.length > 0 ? { addresses } : {}),
    ...(calls === '' ? {} : { per_minute: /^\d+$/.test(calls) ? Number(calls) : calls }),
  }
  const expires = fields.get('expires_at').trim()
  return {
    name: fields.get('name').trim(),
    scope: fields.get('scope'),
    ...(Object.keys(limits).length > 0 ? { limits } : {}),
    ...(expires === '' ? {} : { expires_at: expires }),
  }
}

function shownOnce(visit: SignedIn, { name, scope }: TokenItem, token: string): Reply {
  const { request } = visit
  const command = `curl -H "Authorization: Bearer ${token}" ${baseOf(request)}/api/ -d '{"action": "SVC_API.welcome"}'`
  const body = html`<h1>${name}</h1>
    <p class="lead">Copy the token now. It is not stored, and it is not shown again.</p>
    <section class="card secret" aria-label="The token">
      <p>${copyable('the token', token)}</p>
      <p class="quiet">${scopeWords[scope].label}. ${scopeWords[scope].help}</p>
    </section>
    <section class="card" aria-labelledby="try">
      <h2 id="try">Try it</h2>
      <p class="address">${copyable('the command', command)}</p>
    </section>
    <p class="actions"><a class="button" href="${linkTo(request, adminPaths.tokens)}">I have copied it</a></p>`
  return pageReply(visit, 200, framed(visit, { title: name, body, script: copyScript }))
}

/** POST */
export async function revokeToken(visit: SignedIn): Promise<Reply> {
  const fields = await readFields(visit, 'revoke-token')
  const { failure } = await run(visit, tokensRevoke, { ids: [fields.get('id')], expect: 1 })
  if (failure) return tokensReply(visit, { status: formStatus[failure.code], failure })
  return goTo(visit, `${adminPaths.tokens}?done=revoked`)
}
