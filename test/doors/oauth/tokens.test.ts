// Codes, tokens and grants by their rules, with a clock that the test moves: the endpoints' own handlers over a real site.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { codeExpired } from '../../../src/doors/shared/profiles/code-expiry.ts'
import type { Handler } from '../../../src/http/route.ts'
import type { Scope } from '../../../src/identity/caller.ts'
import { type AuthorizeRequest, parseAuthorizeRequest } from '../../../src/doors/oauth/authorize-request.ts'
import { issueCode } from '../../../src/doors/oauth/consent.ts'
import { makeClientId } from '../../../src/doors/oauth/client-id.ts'
import { createRevoke } from '../../../src/doors/oauth/revoke-endpoint.ts'
import { createToken } from '../../../src/doors/oauth/token-endpoint.ts'
import type { AccountRow } from '../../../src/store/core/schema.ts'
import { openTestSite, type TestSite } from '../../identity/open-test-site.ts'
import { inZone } from '../../in-zone.ts'
import { askedOf, authorizeUrl, callback, exchangeForm, good, makeProof } from './flow.ts'

const base = 'https://example.org'
const second = 1000
const day = 24 * 60 * 60 * second
const free = { check: () => undefined }

interface Fields {
  readonly [name: string]: string | undefined
}
interface Answered {
  readonly status: number
  readonly text: string
  // oxlint-disable-next-line no-explicit-any -- JSON of many shapes
  readonly json: any
}

async function send(handler: Handler, fields: Fields): Promise<Answered> {
  const given = Object.entries(fields).filter((entry): entry is [string, string] => entry[1] !== undefined)
  const body = Buffer.from(new URLSearchParams(given).toString())
  const request = {
    ...askedOf(new URL(base)),
    client: '192.0.2.7',
    header: (name: string) => (name === 'content-type' ? 'application/x-www-form-urlencoded' : undefined),
    readBody: async () => body,
  }
  const { status, body: answered } = await handler(request as never, {})
  const text = answered && 'text' in answered ? answered.text : ''
  return { status, text, json: text === '' ? undefined : JSON.parse(text) }
}

interface App {
  readonly clientId: string
  readonly form: Readonly<Record<string, string>>
}

function requestOf(on: TestSite, changes: Parameters<typeof authorizeUrl>[2], refreshes: boolean): AuthorizeRequest {
  const clientId = makeClientId(on.site.key, { redirectUris: [callback], name: 'Claude', refreshes, issuedAt: 1 })
  return good(parseAuthorizeRequest(on.site, askedOf(authorizeUrl(base, clientId, changes))))
}

async function consented(
  on: TestSite,
  { scope = 'admin', refreshes = true, account = on.owner }: { scope?: Scope; refreshes?: boolean; account?: AccountRow } = {},
): Promise<App> {
  const { verifier, challenge } = makeProof()
  const request = requestOf(on, { code_challenge: challenge }, refreshes)
  const code = new URL(await issueCode(on.site, { request, account, scope })).searchParams.get('code') ?? ''
  const { clientId } = request
  const form = exchangeForm(code, clientId, verifier)
  return { clientId, form }
}

const token = (on: TestSite, fields: Fields) => send(createToken(on.site, free), fields)
const revoke = (on: TestSite, fields: Fields) => send(createRevoke(on.site, free), fields)
const callerOf = (on: TestSite, secret: string) => on.site.tokens.authenticate(secret, 'mcp', '192.0.2.7')
const refreshForm = (clientId: string, refreshToken: string) => ({
  grant_type: 'refresh_token',
  client_id: clientId,
  refresh_token: refreshToken,
})

async function connected(on: TestSite, options?: Parameters<typeof consented>[1]) {
  const app = await consented(on, options)
  const { json, status, text } = await token(on, app.form)
  assert.equal(status, 200, text)
  return { ...app, access: json.access_token as string, refresh: json.refresh_token as string, answer: json }
}

async function patchAccount(on: TestSite, patch: Partial<AccountRow>): Promise<void> {
  await on.site.store.transaction((db) => db.updateTable('account').set(patch).where('id', '=', on.owner.id).execute())
  on.site.tokens.clear()
}

test('a client that refreshes gets an access token of an hour and a refresh token; any other one as long as the grant', async () => {
  await using on = await openTestSite()
  const { answer, access } = await connected(on)
  assert.deepEqual(Object.keys(answer), ['access_token', 'token_type', 'expires_in', 'scope', 'refresh_token'])
  assert.deepEqual([answer.token_type, answer.expires_in, answer.scope], ['Bearer', 3600, 'admin'])
  assert.match(access, /^psa_[\w-]{43}$/)
  assert.match(answer.refresh_token, /^psr_[\w-]{43}$/)
  const lasting = await connected(on, { refreshes: false, scope: 'read' })
  assert.deepEqual(Object.keys(lasting.answer), ['access_token', 'token_type', 'expires_in', 'scope'])
  assert.deepEqual([lasting.answer.expires_in, lasting.answer.scope], [30 * 86_400, 'read'])
})

test('an access token stands for its account with the grant’s name, scope and end, at once the second time', async () => {
  await using on = await openTestSite()
  const { access } = await connected(on, { scope: 'content' })
  const caller = await callerOf(on, access)
  const { kind, name, scope, expiresAt } = caller?.token ?? {}
  assert.deepEqual([caller?.tier, kind, name, scope], ['content', 'access', 'Claude', 'content'])
  assert.equal(expiresAt, on.clock.at + 30 * day)
  assert.ok(!(callerOf(on, access) instanceof Promise))
  const { items } = await on.ok('SVC_Apps.list')
  assert.equal(items.length, 1)
  const [{ id, ...shown }] = items
  assert.equal(id, caller?.token?.id)
  assert.deepEqual(
    [shown.client, shown.host, shown.account, shown.scope, shown.state, shown.last_used],
    ['Claude', 'localhost', 'owner@example.org', 'content', 'active', '2026-11-21T09:00:00.000Z'],
  )
  assert.equal(shown.expires_at, '2026-12-21T09:00:00.000Z')
})

test('an access token of an hour ends after it, one of a grant with it', async () => {
  await using on = await openTestSite()
  const short = await connected(on)
  const long = await connected(on, { refreshes: false })
  on.clock.at += 3599 * second
  assert.ok(await callerOf(on, short.access))
  on.clock.at += second
  assert.equal(await callerOf(on, short.access), undefined)
  assert.ok(await callerOf(on, long.access))
  on.clock.at += 30 * day - 3601 * second
  assert.ok(await callerOf(on, long.access))
  on.clock.at += second
  assert.equal(await callerOf(on, long.access), undefined)
})

test('connecting leaves a record that undo refuses, and no secret in any table', async () => {
  await using on = await openTestSite()
  const { access, refresh, form } = await connected(on)
  const { items } = await on.ok('SVC_Activity.list')
  const [{ call, by, door, effect, id }] = items
  assert.deepEqual([call, by, door, effect], ['SVC_Apps.connect', 'owner', 'oauth', 'act'])
  assert.equal((await on.fails('SVC_Activity.undo', { ids: [id] })).code, 'refused')
  for (const table of ['app_grant', 'auth_code', 'access_token', 'refresh_token', 'activity', 'token_use'] as const) {
    const rows = JSON.stringify(await on.site.store.read.selectFrom(table).selectAll().execute())
    for (const secret of [access, refresh, form['code'] ?? '', form['code_verifier'] ?? ''])
      assert.ok(!rows.includes(secret), table)
  }
  const diff = JSON.stringify(await on.ok('SVC_Activity.get', { id }))
  assert.ok(!diff.includes('client_hash') && !diff.includes('epoch'))
})

test('attack 49: a code used twice is unknown, and ends what the first use brought', async () => {
  await using on = await openTestSite()
  const { form, access, refresh, clientId } = await connected(on)
  assert.ok(await callerOf(on, access))
  const again = await token(on, form)
  assert.deepEqual([again.status, again.json], [400, { error: 'invalid_grant', error_description: 'Unknown or used code' }])
  assert.equal(await callerOf(on, access), undefined)
  assert.equal((await token(on, refreshForm(clientId, refresh))).json.error, 'invalid_grant')
  const { items } = await on.ok('SVC_Activity.list')
  assert.deepEqual(
    [items[0].call, items[0].by, items[0].summary],
    ['SVC_Apps.revoke', 'Postern', 'Ends a connection whose code was used twice.'],
  )
})

test('an unknown code is told like a used one', async () => {
  await using on = await openTestSite()
  const { form } = await consented(on)
  for (const code of [`psc_${'a'.repeat(43)}`, 'x', "' or 1=1 --"]) {
    const { status, json } = await token(on, { ...form, code })
    assert.deepEqual([status, json], [400, { error: 'invalid_grant', error_description: 'Unknown or used code' }])
  }
})

const spoilt: readonly (readonly [rule: string, changes: Fields, error: string])[] = [
  ['attack 51: another redirect_uri', { redirect_uri: 'http://localhost:1/callback' }, 'invalid_grant'],
  ['attack 51: no redirect_uri', { redirect_uri: undefined }, 'invalid_grant'],
  ['attack 52: no code_verifier', { code_verifier: undefined }, 'invalid_grant'],
  ['attack 52: an empty code_verifier', { code_verifier: '' }, 'invalid_grant'],
  ['attack 52: a code_verifier of 42 characters', { code_verifier: 'a'.repeat(42) }, 'invalid_grant'],
  ['attack 52: another code_verifier', { code_verifier: 'a'.repeat(43) }, 'invalid_grant'],
  ['attack 55: a foreign resource', { resource: 'https://evil.example/mcp/' }, 'invalid_target'],
]
for (const [rule, changes, error] of spoilt) {
  test(`${rule}: ${error}, and the code is spent`, async () => {
    await using on = await openTestSite()
    const { form } = await consented(on)
    const refused = await token(on, { ...form, ...changes })
    assert.deepEqual([refused.status, refused.json.error], [400, error])
    assert.equal((await token(on, form)).json.error_description, 'Unknown or used code')
    assert.equal((await on.ok('SVC_Apps.list')).items.length, 0)
  })
}

test('attack 52: the challenge itself is no verifier', async () => {
  await using on = await openTestSite()
  const { verifier, challenge } = makeProof()
  assert.notEqual(verifier, challenge)
  const request = requestOf(on, { code_challenge: challenge }, false)
  const code = new URL(await issueCode(on.site, { request, account: on.owner, scope: 'read' })).searchParams.get('code') ?? ''
  const form = {
    grant_type: 'authorization_code',
    code,
    client_id: request.clientId,
    redirect_uri: callback,
    code_verifier: challenge,
  }
  assert.equal((await token(on, form)).json.error, 'invalid_grant')
})

test('attack 51: another client spends the code and gets nothing', async () => {
  await using on = await openTestSite()
  const { form } = await consented(on)
  const other = await consented(on)
  assert.equal((await token(on, { ...form, client_id: other.clientId })).json.error, 'invalid_grant')
  assert.equal((await token(on, form)).json.error, 'invalid_grant')
})

test('an unknown client is 401, told to register again, and spends nothing', async () => {
  await using on = await openTestSite()
  const { form } = await consented(on)
  for (const clientId of [undefined, '', 'https://client.example/x.json', `${form['client_id']}=`]) {
    const { status, json } = await token(on, { ...form, client_id: clientId })
    assert.deepEqual([status, json.error], [401, 'invalid_client'])
  }
  assert.equal((await token(on, form)).status, 200)
})

test('both forms of the resource are good at the token endpoint, and none is', async () => {
  await using on = await openTestSite()
  for (const resource of [`${base}/mcp`, `${base}/mcp/`, undefined]) {
    assert.equal((await token(on, { ...(await consented(on)).form, resource })).status, 200)
  }
})

for (const [release, zone, atSecond, status] of [
  ['1', 'Pacific/Kiritimati', 59, 200],
  ['1', 'Pacific/Kiritimati', 61, 400],
  ['1', 'America/Los_Angeles', 59, 200],
  ['1', 'America/Los_Angeles', 61, 400],
  ['0.11', 'Pacific/Kiritimati', 59, 200],
  ['0.10', 'UTC', 59, 200],
  ['0.10', 'UTC', 61, 400],
  ['0.10', 'Pacific/Kiritimati', 0, 400],
  ['0.10', 'Europe/Berlin', 0, 400],
  ['0.10', 'America/Los_Angeles', 59, 200],
  ['0.10', 'America/Los_Angeles', 61, 400],
] as const) {
  test(`attack 53: release ${release}, TZ=${zone}: a code after ${atSecond} s is ${status}`, () =>
    inZone(zone, async () => {
      await using on = await openTestSite({ POSTERN_COMPAT: release })
      const { form } = await consented(on)
      on.clock.at += atSecond * second
      const answer = await token(on, form)
      assert.equal(answer.status, status, answer.text)
      if (status === 400) assert.equal(answer.json.error_description, 'Unknown or used code')
    }))
}

test('the end of a code is the moment itself', () => {
  assert.equal(codeExpired({ codeExpiry: 'utc' }, 1000, 999), false)
  assert.equal(codeExpired({ codeExpiry: 'utc' }, 1000, 1000), true)
})

test('attack 48: a grant never exceeds its account', async () => {
  await using on = await openTestSite()
  const editor = await on.account('editor@example.org', 'content')
  const { answer, access } = await connected(on, { account: editor, scope: 'admin' })
  assert.equal(answer.scope, 'content')
  assert.equal((await callerOf(on, access))?.tier, 'content')
})

for (const [what, patch] of Object.entries({
  disabled: { disabled: 1 },
  demoted: { role: 'content' },
  'reset (a new epoch)': { epoch: 1 },
})) {
  test(`attack 48, attack 58: when the account is ${what}, code, access and refresh token are no good any more`, async () => {
    await using on = await openTestSite()
    const waiting = await consented(on)
    const { access, refresh, clientId } = await connected(on)
    assert.ok(await callerOf(on, access))
    await patchAccount(on, patch)
    assert.equal(await callerOf(on, access), undefined)
    assert.equal((await token(on, refreshForm(clientId, refresh))).json.error, 'invalid_grant')
    assert.equal((await token(on, waiting.form)).json.error, 'invalid_grant')
    const { id } = await on.site.store.read.selectFrom('app_grant').select('id').executeTakeFirstOrThrow()
    assert.equal((await on.ok('SVC_Apps.get', { id })).item.state, 'ended')
  })
}

test('attack 58: after day 30 nothing refreshes, and no token outlives the grant', async () => {
  await using on = await openTestSite()
  const { refresh, clientId } = await connected(on)
  on.clock.at += 30 * day - 600 * second
  const last = await token(on, refreshForm(clientId, refresh))
  assert.deepEqual([last.status, last.json.expires_in], [200, 600])
  on.clock.at += 600 * second
  assert.equal((await token(on, refreshForm(clientId, last.json.refresh_token))).json.error, 'invalid_grant')
  assert.equal(await callerOf(on, last.json.access_token), undefined)
  on.clock.at -= 3600 * second
  assert.equal((await token(on, refreshForm(clientId, last.json.refresh_token))).json.error, 'invalid_grant', 'attack 122')
  on.clock.at += 3600 * second
  assert.deepEqual((await on.ok('SVC_Apps.list')).items, [])
  const { items } = await on.ok('SVC_Apps.list', { where: { expires_at: { exists: true } } })
  assert.equal(items[0].state, 'expired')
})

test('refresh tokens rotate, and each successor works', async () => {
  await using on = await openTestSite()
  let { refresh, access, clientId } = await connected(on)
  for (let round = 0; round < 3; round++) {
    on.clock.at += 3000 * second
    const { status, json } = await token(on, refreshForm(clientId, refresh))
    assert.equal(status, 200)
    assert.notEqual(json.refresh_token, refresh)
    assert.notEqual(json.access_token, access)
    assert.equal((await callerOf(on, json.access_token))?.tier, 'admin')
    refresh = json.refresh_token
    access = json.access_token
  }
})

test('attack 56: within 30 s the same refresh gets the same bytes', async () => {
  await using on = await openTestSite()
  const { refresh, clientId } = await connected(on)
  const first = await token(on, refreshForm(clientId, refresh))
  on.clock.at += 30 * second
  const again = await token(on, refreshForm(clientId, refresh))
  assert.deepEqual([again.status, again.text], [200, first.text])
})

test('attack 56: after 30 s an old refresh token ends the grant', async () => {
  await using on = await openTestSite()
  const { refresh, clientId } = await connected(on)
  const { json: next } = await token(on, refreshForm(clientId, refresh))
  on.clock.at += 31 * second
  assert.equal((await token(on, refreshForm(clientId, refresh))).json.error, 'invalid_grant')
  assert.equal((await token(on, refreshForm(clientId, next.refresh_token))).json.error, 'invalid_grant')
  assert.equal(await callerOf(on, next.access_token), undefined)
  assert.deepEqual((await on.ok('SVC_Apps.list')).items, [])
})

test('attack 56: another client, or a revoked grant, gets nothing within the 30 s; another client spends nothing', async () => {
  await using on = await openTestSite()
  const { refresh, clientId } = await connected(on)
  const other = await consented(on)
  assert.equal((await token(on, refreshForm(other.clientId, refresh))).json.error, 'invalid_grant')
  assert.equal((await token(on, refreshForm(clientId, refresh))).status, 200)
  assert.equal((await token(on, refreshForm(other.clientId, refresh))).json.error, 'invalid_grant')
  await on.ok('SVC_Apps.revoke', { ids: ['Claude'], expect: 1 })
  assert.equal((await token(on, refreshForm(clientId, refresh))).json.error, 'invalid_grant')
})

test('attack 57: a wider scope is invalid_scope and spends nothing; a narrower one is for that access token alone', async () => {
  await using on = await openTestSite()
  const { refresh, clientId } = await connected(on, { scope: 'content' })
  const wider = await token(on, { ...refreshForm(clientId, refresh), scope: 'admin' })
  assert.deepEqual([wider.status, wider.json.error], [400, 'invalid_scope'])
  const { json } = await token(on, { ...refreshForm(clientId, refresh), scope: 'read' })
  assert.equal(json.scope, 'read')
  const narrow = await callerOf(on, json.access_token)
  assert.deepEqual([narrow?.tier, narrow?.token?.scope], ['read', 'read'])
  const next = await token(on, refreshForm(clientId, json.refresh_token))
  assert.equal(next.json.scope, 'content')
  assert.equal((await callerOf(on, next.json.access_token))?.tier, 'content')
})

test('attack 59: a refresh token or a code is no bearer, and an access token no refresh token', async () => {
  await using on = await openTestSite()
  const { refresh, access, form, clientId } = await connected(on)
  assert.equal(await callerOf(on, refresh), undefined)
  assert.equal(await callerOf(on, form['code'] ?? ''), undefined)
  assert.equal((await token(on, refreshForm(clientId, access))).json.error, 'invalid_grant')
  assert.ok(await callerOf(on, access))
})

test('attack 60: an unknown token is as good as revoked, another client’s is refused without effect', async () => {
  await using on = await openTestSite()
  const { refresh, access, clientId } = await connected(on)
  const other = await consented(on)
  assert.equal((await revoke(on, { client_id: clientId, token: 'psr_unknown' })).status, 200)
  for (const secret of [refresh, access]) {
    const { status, json } = await revoke(on, { client_id: other.clientId, token: secret })
    assert.deepEqual([status, json.error], [400, 'invalid_grant'])
  }
  assert.equal((await revoke(on, { client_id: 'x', token: refresh })).status, 401)
  assert.equal((await revoke(on, { client_id: clientId })).json.error, 'invalid_request')
  assert.ok(await callerOf(on, access))
})

for (const which of ['refresh', 'access'] as const) {
  test(`attack 60: whoever revokes the ${which} token ends all that was issued with it`, async () => {
    await using on = await openTestSite()
    const app = await connected(on)
    assert.ok(await callerOf(on, app.access))
    const { status, text } = await revoke(on, { client_id: app.clientId, token: app[which], token_type_hint: 'whatever' })
    assert.deepEqual([status, text], [200, ''])
    assert.equal(await callerOf(on, app.access), undefined)
    assert.equal((await token(on, refreshForm(app.clientId, app.refresh))).json.error, 'invalid_grant')
    assert.equal((await revoke(on, { client_id: app.clientId, token: app[which] })).status, 200)
    assert.deepEqual((await on.ok('SVC_Apps.list')).items, [])
  })
}

test('a connected app is renamed, and its scope and limits only tighten, at once', async () => {
  await using on = await openTestSite()
  const { access } = await connected(on, { scope: 'content' })
  assert.equal((await on.fails('SVC_Apps.update', { id: 'Claude', scope: 'admin' })).code, 'refused')
  await on.ok('SVC_Apps.update', { id: 'Claude', name: 'Laptop', scope: 'read', limits: { per_minute: 7 } })
  const caller = await callerOf(on, access)
  assert.deepEqual([caller?.tier, caller?.token?.name, caller?.token?.limits], ['read', 'Laptop', { per_minute: 7 }])
  assert.equal((await on.fails('SVC_Apps.update', { id: 'Laptop', limits: { per_minute: 8 } })).code, 'refused')
  assert.equal((await on.ok('SVC_Apps.get', { id: 'Laptop' })).item.client, 'Claude')
})

test('attack 140: an app that refreshes keeps the limits that it was given, and mints nothing without them', async () => {
  await using on = await openTestSite()
  const app = await connected(on, { scope: 'admin' })
  await on.ok('SVC_Apps.update', { id: 'Claude', limits: { drafts_only: true } })
  const refreshed = (await token(on, refreshForm(app.clientId, app.refresh))).json
  const caller = await callerOf(on, refreshed.access_token)
  assert.deepEqual(caller?.token?.limits, { drafts_only: true })
  const minted = await on.ok('SVC_Tokens.create', { name: 'x', scope: 'admin' }, caller)
  assert.deepEqual(minted.item.limits, { drafts_only: true })
  assert.equal((await on.fails('SVC_Settings.update', { set: { site_title: 'x' } }, caller)).code, 'refused')
})

test('what ended more than a day ago is forgotten at the next sign-in; a spent code is remembered as long as its grant', async () => {
  await using on = await openTestSite()
  const { form } = await connected(on)
  on.clock.at += 29 * day
  await connected(on)
  const count = async (table: 'auth_code' | 'access_token' | 'refresh_token') =>
    (await on.site.store.read.selectFrom(table).selectAll().execute()).length
  assert.deepEqual([await count('auth_code'), await count('access_token'), await count('refresh_token')], [2, 1, 2])
  await token(on, form)
  assert.equal((await on.ok('SVC_Apps.list', { where: { revoked_at: { exists: true } } })).items.length, 1)
  on.clock.at += 3 * day
  await connected(on)
  assert.deepEqual([await count('auth_code'), await count('access_token'), await count('refresh_token')], [2, 1, 2])
})
