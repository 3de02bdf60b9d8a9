// Every answer that is our fault names the line of the log that has it: one line, with the door it came through.

import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import sqlite3 from 'sqlite3'
import { openVisitor, type Visitor } from '../admin/visitor.ts'
import { withoutTable } from '../missing-table.ts'
import { exchangeForm, postForm, register } from '../doors/oauth/flow.ts'
import { usesPostgres } from '../postgres.ts'
import { openSite, type TestSite } from '../site.ts'
import { onlySqlite } from '../sqlite-only.ts'

interface Item {
  readonly level: string
  readonly source: string
  readonly reference: string | null
  readonly fields: Readonly<Record<string, unknown>>
}

let site: TestSite
let owner: Visitor
before(async () => {
  site = await openSite()
  owner = openVisitor(site)
  await owner.signIn()
})
after(() => site[Symbol.asyncDispose]())

const list = async (input: Record<string, unknown>): Promise<{ items: Item[] }> => site.call('SVC_Logs.list', input)
const without = <T>(table: string, run: () => Promise<T>): Promise<T> => withoutTable(site.home, table, run)

const json = { 'content-type': 'application/json' }
/** What the database says of a missing table. */
const missingTable = usesPostgres ? /relation .* does not exist/ : /no such table/
const unknownToken = `pst_${'u'.repeat(43)}`
const ping = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })
const callList = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'SVC_API__call-action', arguments: { action: 'SVC_Tokens.list' } },
})

const faults: readonly {
  readonly rule: string
  readonly table: string
  readonly source: string
  readonly status: number
  send(): Promise<{ status: number; text: string }>
}[] = [
  {
    rule: 'an action over /api/',
    table: 'app_grant',
    source: 'api',
    status: 500,
    send: () => site.api('SVC_Apps.list'),
  },
  {
    rule: 'an action over /mcp/',
    table: 'token_use',
    source: 'mcp',
    status: 200,
    send: () => site.send('/mcp/', { method: 'POST', headers: json, body: callList }),
  },
  {
    rule: 'below an action, over /api/',
    table: 'token',
    source: 'api',
    status: 500,
    send: () => site.send('/api/', { method: 'POST', body: ping, token: unknownToken }),
  },
  {
    rule: 'below an action, over /mcp/',
    table: 'token',
    source: 'mcp',
    status: 500,
    send: () => site.send('/mcp/', { method: 'POST', headers: json, body: ping, token: unknownToken }),
  },
  {
    rule: 'the token endpoint',
    table: 'auth_code',
    source: 'oauth',
    status: 500,
    send: async () => {
      const id = await register(site)
      const form = exchangeForm('x', id, 'v'.repeat(43))
      return postForm(site, '/oauth/token', form)
    },
  },
  { rule: 'a page of the admin', table: 'app_grant', source: 'admin', status: 500, send: () => owner.open('/admin/apps') },
  { rule: 'the sign-in of the admin', table: 'session', source: 'admin', status: 500, send: () => owner.open('/admin/') },
  { rule: 'a page of the site', table: 'entry', source: 'site', status: 500, send: () => site.send('/no-such') },
]
for (const { rule, table, source, status, send } of faults) {
  test(`a fault of ours names its line: ${rule}`, async () => {
    const answer = await without(table, send)
    assert.equal(answer.status, status, answer.text)
    assert.doesNotMatch(answer.text, missingTable)
    const [, reference = ''] = /[Tt]he log has it as ([\w-]+)\./.exec(answer.text) ?? []
    assert.ok(reference, answer.text)
    const { items } = await list({ where: { reference } })
    assert.equal(items.length, 1, 'one event is one line')
    assert.deepEqual([items[0]?.level, items[0]?.source, items[0]?.reference], ['error', source, reference])
    assert.match(JSON.stringify(items[0]?.fields), missingTable)
  })
}

test('REST and MCP carry the id as a member too', async () => {
  const rest = await without('token', () => site.api('SVC_API.welcome', {}, { token: unknownToken }))
  const mcp = await without('token', () => site.send('/mcp/', { method: 'POST', headers: json, body: ping, token: unknownToken }))
  for (const reference of [rest.json.error.reference, mcp.json.error.data.reference] as string[])
    assert.equal((await list({ where: { reference } })).items.length, 1)
  assert.equal(mcp.json.error.code, -32603)
})

const oneLock = onlySqlite('a lock that readiness asks for')
test('a database that takes no writes is told as “not now”, with the line that says why', oneLock, async () => {
  const db = new sqlite3.Database(join(site.home, 'data', 'postern.db'))
  const exec = (sql: string) =>
    new Promise<void>((resolve, reject) => db.exec(sql, (error) => (error ? reject(error) : resolve())))
  await exec('begin immediate')
  const answer = await site.api('SVC_Content.create', { type: 'page', title: 'Late' })
  const ready = await site.send('/readyz')
  await exec('rollback')
  await new Promise((closed) => db.close(closed))
  assert.deepEqual([answer.status, answer.json.error.code, ready.status], [503, 'unavailable', 503])
  const { items } = await list({ where: { reference: answer.json.error.reference as string } })
  assert.deepEqual([items.length, items[0]?.level, items[0]?.source], [1, 'warn', 'api'])
  const [, reference = ''] = /The log has the details under ([\w-]+)\./.exec(ready.text) ?? []
  assert.equal((await list({ where: { reference } })).items.length, 1)
})
