// The main job, by the official MCP clients of both lines: with a token, from the list of actions to a page that the public sees.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Client as NewClient, StreamableHTTPClientTransport as NewTransport } from '@modelcontextprotocol/client'
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { openSite, type SiteOptions, type TestSite } from '../site.ts'

interface ToolResult {
  readonly isError?: boolean
  readonly structuredContent?: any
  readonly content: readonly { readonly type: string; readonly text?: string }[]
}

/** What the test asks of a client, whichever it is. */
interface Session {
  readonly server: string | undefined
  tools(): Promise<readonly string[]>
  call(name: string, args: Record<string, unknown>): Promise<ToolResult>
  close(): Promise<void>
}

const about = { name: 'postern-test', version: '1.0.0' }
const bearer = (token: string) => ({ requestInit: { headers: { Authorization: `Bearer ${token}` } } })

async function openOld(url: string, token: string): Promise<Session> {
  const client = new OldClient(about)
  await client.connect(new OldTransport(new URL(url), bearer(token)))
  return {
    server: client.getServerVersion()?.name,
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async (name, args) => (await client.callTool({ name, arguments: args })) as unknown as ToolResult,
    close: () => client.close(),
  }
}

async function openNew(url: string, token: string, mode?: 'auto' | 'legacy'): Promise<Session> {
  const client = new NewClient(about, mode ? { versionNegotiation: { mode } } : undefined)
  await client.connect(new NewTransport(new URL(url), bearer(token)))
  return {
    server: client.getServerVersion()?.name,
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async (name, args) => (await client.callTool({ name, arguments: args })) as unknown as ToolResult,
    close: () => client.close(),
  }
}

const clients = {
  '@modelcontextprotocol/sdk': openOld,
  '@modelcontextprotocol/client': (url: string, token: string) => openNew(url, token),
  '@modelcontextprotocol/client, negotiating': (url: string, token: string) => openNew(url, token, 'auto'),
}

let kindsMade = 0

const installs: Readonly<Record<string, SiteOptions>> = { 'at the root': {}, 'in a subdirectory': { basePath: '/blog' } }

for (const [where, options] of Object.entries(installs)) {
  let site: TestSite
  before(async () => (site = await openSite(options)))
  after(() => site[Symbol.asyncDispose]())

  for (const [name, open] of Object.entries(clients)) {
    for (const endpoint of ['/mcp/', '/mcp']) {
      test(`${name} ${where}, by ${endpoint}: lists, describes and calls actions, writes a page and publishes it`, async () => {
        const session = await open(site.base + endpoint, site.token)
        try {
          assert.equal(session.server, 'postern')
          assert.deepEqual(await session.tools(), ['SVC_API__list-actions', 'SVC_API__describe-action', 'SVC_API__call-action'])
          const listed = await session.call('SVC_API__list-actions', { full: true })
          assert.ok(listed.structuredContent.data.items.some((one: { action: string }) => one.action === 'publish'))
          const described = await session.call('SVC_API__describe-action', { action: 'SVC_Content.create' })
          assert.equal(described.structuredContent.data.action, 'create')

          const call = (action: string, args: Record<string, unknown>) =>
            session.call('SVC_API__call-action', { action, arguments: args })
          const created = await call('SVC_Content.create', { type: 'page', title: `By ${name}`, body: `Written by **${name}**.` })
          const { id, path, url } = created.structuredContent.data.item
          assert.equal((await site.send(path as string, { token: null })).status, 404)
          await call('SVC_Content.publish', { id })
          assert.match(await (await fetch(url as string)).text(), /Written by <strong>/)

          // A client that is connected sees a new type when it describes an action again.
          const slug = `kind-${(kindsMade += 1)}`
          await site.call('SVC_Types.create', { slug, name: 'Kind', fields: [{ name: 'weight', kind: 'number' }] })
          const anew = await session.call('SVC_API__describe-action', { action: 'SVC_Content.create', full: true })
          const { type, fields } = anew.structuredContent.data.input.properties
          assert.ok(type.enum.includes(slug) && fields.anyOf[0].properties.weight)
          const filled = await call('SVC_Content.create', { type: slug, title: 'Heavy', fields: { weight: 5 } })
          assert.equal(filled.structuredContent.data.item.path, `/${slug}/heavy`)
          const misfit = await call('SVC_Content.create', { type: slug, title: 'Heavy', fields: { weight: 'much' } })
          assert.equal(misfit.structuredContent.error.field, 'fields.weight')

          const wrong = await call('SVC_Content.publish', { id: '/no-such-page' })
          assert.equal(wrong.isError, true)
          assert.equal(JSON.parse(wrong.content[0]?.text ?? '').error.code, 'not_found')
        } finally {
          await session.close()
        }
      })
    }
  }
}
