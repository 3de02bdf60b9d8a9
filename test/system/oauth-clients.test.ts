// Sign-in as clients do it by themselves: the official ones of both lines and a strict OAuth library, from a bare address to a call that
// only an admin may make. The owner signs in and says yes on the service's own pages.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Client as NewClient, StreamableHTTPClientTransport as NewTransport } from '@modelcontextprotocol/client'
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import * as strict from 'oauth4webapi'
import { letIn } from '../admin/let-in.ts'
import { callback } from '../doors/oauth/flow.ts'
import { openSite, type SiteOptions, type TestSite } from '../site.ts'

/** What a client keeps between its steps; what the browser is told is kept as `back`. */
function createProvider(site: TestSite) {
  const kept = new Map<string, unknown>()
  const state = { back: undefined as URL | undefined, signIns: 0 }
  return {
    state,
    kept,
    provider: {
      redirectUrl: callback,
      clientMetadata: {
        client_name: 'Official client',
        redirect_uris: [callback],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: 'none',
      },
      clientInformation: () => kept.get('client') as never,
      saveClientInformation: (client: unknown) => void kept.set('client', client),
      tokens: () => kept.get('tokens') as never,
      saveTokens: (tokens: unknown) => void kept.set('tokens', tokens),
      saveCodeVerifier: (verifier: string) => void kept.set('verifier', verifier),
      codeVerifier: () => kept.get('verifier') as string,
      async redirectToAuthorization(url: URL) {
        state.signIns += 1
        state.back = new URL(await letIn(site, url.href))
      },
    },
  }
}

type Provider = ReturnType<typeof createProvider>
interface Session {
  call(name: string, args: Record<string, unknown>): Promise<any>
  close(): Promise<void>
}

const about = { name: 'postern-test', version: '1.0.0' }

/** Connects until it is let in: refused first, then with what the browser brought back. */
async function signIn(
  { state }: Provider,
  open: () => { connect(): Promise<void>; finish(back: URL): Promise<void>; session: Session },
): Promise<Session> {
  const first = open()
  await assert.rejects(
    first.connect(),
    (error) => error instanceof Error && /unauthorized/i.test(`${error.name} ${error.constructor.name} ${error.message}`),
  )
  assert.ok(state.back)
  await first.finish(state.back)
  const again = open()
  await again.connect()
  return again.session
}

function openOld(url: string, { provider }: Provider) {
  const client = new OldClient(about)
  const transport = new OldTransport(new URL(url), { authProvider: provider })
  return {
    connect: () => client.connect(transport),
    finish: (back: URL) => transport.finishAuth(back.searchParams.get('code') ?? ''),
    session: {
      call: (name: string, args: Record<string, unknown>) => client.callTool({ name, arguments: args }),
      close: () => client.close(),
    },
  }
}

function openNew(url: string, { provider }: Provider, mode?: 'auto') {
  const client = new NewClient(about, mode ? { versionNegotiation: { mode } } : undefined)
  const transport = new NewTransport(new URL(url), { authProvider: provider as never })
  return {
    connect: () => client.connect(transport),
    finish: (back: URL) => transport.finishAuth(back.searchParams),
    session: {
      call: (name: string, args: Record<string, unknown>) => client.callTool({ name, arguments: args }),
      close: () => client.close(),
    },
  }
}

const clients = {
  '@modelcontextprotocol/sdk': openOld,
  '@modelcontextprotocol/client': (url: string, provider: Provider) => openNew(url, provider),
  '@modelcontextprotocol/client, negotiating': (url: string, provider: Provider) => openNew(url, provider, 'auto'),
}

const installs: Readonly<Record<string, SiteOptions>> = { 'at the root': {}, 'in a subdirectory': { basePath: '/blog' } }

for (const [where, options] of Object.entries(installs)) {
  let site: TestSite
  before(async () => (site = await openSite(options)))
  after(() => site[Symbol.asyncDispose]())

  for (const [name, open] of Object.entries(clients)) {
    for (const path of ['/mcp/', '/mcp']) {
      test(`${name}, ${where}, given ${path}: discovers, registers, signs in, publishes, and refreshes when its token has ended`, async () => {
        const provider = createProvider(site)
        const session = await signIn(provider, () => open(site.base + path, provider))
        const title = `${name} ${where} ${path}`
        const made = await session.call('SVC_API__call-action', {
          action: 'SVC_Content.create',
          arguments: { type: 'page', title, status: 'published', body: 'By a client that signed in.' },
        })
        assert.equal(made.structuredContent.success, true, JSON.stringify(made))
        assert.equal((await site.send(made.structuredContent.data.item.path, { token: null })).status, 200)
        const before = provider.kept.get('tokens') as { access_token: string; refresh_token: string }
        provider.kept.set('tokens', { ...before, access_token: `psa_${'x'.repeat(43)}` })
        const welcome = await session.call('SVC_API__call-action', { action: 'SVC_API.welcome' })
        assert.equal(welcome.structuredContent.data.you.token.name, 'Official client')
        const after = provider.kept.get('tokens') as typeof before
        assert.notEqual(after.refresh_token, before.refresh_token)
        assert.equal(provider.state.signIns, 1)
        await session.close()
      })
    }
  }

  test(`a strict OAuth library, ${where}: every answer is as the RFCs have it`, async () => {
    const insecure = { [strict.allowInsecureRequests]: true }
    const issuer = new URL(site.base)
    const asked = await strict.discoveryRequest(issuer, { ...insecure, algorithm: 'oauth2' })
    const as = await strict.processDiscoveryResponse(issuer, asked)
    const registered = await strict.dynamicClientRegistrationRequest(
      as,
      { redirect_uris: [callback], client_name: 'Strict', grant_types: ['authorization_code', 'refresh_token'] },
      insecure,
    )
    const client = await strict.processDynamicClientRegistrationResponse(registered)
    const verifier = strict.generateRandomCodeVerifier()
    const state = strict.generateRandomState()
    const url = new URL(as.authorization_endpoint ?? '')
    for (const [name, value] of Object.entries({
      response_type: 'code',
      client_id: client.client_id,
      redirect_uri: callback,
      code_challenge: await strict.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state,
      scope: 'content',
      resource: `${site.base}/mcp/`,
    })) {
      url.searchParams.set(name, value)
    }
    const back = strict.validateAuthResponse(as, client, new URL(await letIn(site, url.href)), state)
    const exchanged = await strict.authorizationCodeGrantRequest(as, client, strict.None(), back, callback, verifier, insecure)
    const tokens = await strict.processAuthorizationCodeResponse(as, client, exchanged)
    assert.equal(tokens.scope, 'content')
    const refreshed = await strict.refreshTokenGrantRequest(as, client, strict.None(), tokens.refresh_token ?? '', insecure)
    const next = await strict.processRefreshTokenResponse(as, client, refreshed)
    assert.equal((await site.call('SVC_API.welcome', {}, { token: next.access_token })).you.tier, 'content')
    const revoked = await strict.revocationRequest(as, client, strict.None(), next.refresh_token ?? '', insecure)
    await strict.processRevocationResponse(revoked)
    assert.equal((await site.call('SVC_API.welcome', {}, { token: next.access_token })).you.token, null)
  })
}
