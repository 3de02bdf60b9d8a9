// Logs: SVC_Logs.list and the admin find what is in them, and no secret is. That answers name their lines is fault-references.test.ts's.

import assert from 'node:assert/strict'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { openVisitor, ownersPassword, type Visitor } from '../admin/visitor.ts'
import { withoutTable } from '../missing-table.ts'
import { authorizeUrl, exchangeForm, makeProof, postForm, register } from '../doors/oauth/flow.ts'
import { openSite, type TestSite } from '../site.ts'

interface Item {
  readonly id: string
  readonly at: string
  readonly level: string
  readonly source: string
  readonly reference: string | null
  readonly message: string
  readonly plugin?: string
  readonly process?: string
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

const list = async (
  input: Record<string, unknown> = {},
): Promise<{ items: Item[]; next_cursor: string | null; total?: number }> => site.call('SVC_Logs.list', input)
const logFile = (name = 'postern-errors.log') => join(site.home, 'user-content', 'logs', name)

const without = <T>(table: string, run: () => Promise<T>): Promise<T> => withoutTable(site.home, table, run)

const json = { 'content-type': 'application/json' }
const ping = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })
test('a line of one of several processes has its number, by which lines can be chosen', async (t) => {
  const line = (process?: string) =>
    JSON.stringify({ at: '2019-05-01T00:00:00.000Z', level: 'warn', event: 'Of one', ...(process && { process }) })
  const file = logFile('postern-errors.20190501T000000000Z-1.log')
  t.after(() => rm(file))
  await writeFile(file, `${line('1')}\n${line('2')}\n${line()}\n`)
  const at = { lt: '2019-06-01' }
  const all = (await list({ where: { at } })).items
  assert.deepEqual(
    all.map(({ process }) => process),
    [undefined, '2', '1'],
  )
  const second = await list({ where: { at, process: '2' }, count: true })
  assert.deepEqual([second.total, second.items[0]?.process, second.items[0]?.fields], [1, '2', {}])
})

test('where, search, sort, limit, cursor and count are those of every list', async () => {
  const lines = Array.from({ length: 150 }, (_, at) => ({
    at: new Date(Date.parse('2020-01-01T00:00:00Z') + at * 1000).toISOString(),
    level: at % 3 === 0 ? 'error' : 'warn',
    event: `Made up ${at}`,
    ...(at % 5 === 0 ? { plugin: 'useful' } : { door: 'api' }),
    ...(at < 100 ? { reference: `r-${at}` } : {}),
    nested: { word: at % 50 === 0 ? 'Zebra \u212a Élan' : 'horse', text: `pst_${'s'.repeat(43)}` },
  }))
  await writeFile(
    logFile('postern-errors.20200101T000000000Z-1.log'),
    ['not json', ...lines.map((line) => JSON.stringify(line))].map((line) => `${line}\n`).join(''),
  )
  const madeUp = { at: { lt: '2020-02-01' } }
  const events = ({ items }: { items: readonly Item[] }) => items.map(({ message }) => message)

  const first = await list({ where: madeUp, limit: 3, count: true })
  assert.deepEqual(events(first), ['Made up 149', 'Made up 148', 'Made up 147'])
  assert.equal(first.total, 150)
  const second = await list({ where: madeUp, limit: 3, cursor: first.next_cursor })
  assert.deepEqual(events(second), ['Made up 146', 'Made up 145', 'Made up 144'])
  assert.equal(new Set([...first.items, ...second.items].map(({ id }) => id)).size, 6)
  assert.deepEqual(events(await list({ where: madeUp, sort: 'at', limit: 2 })), ['Made up 0', 'Made up 1'])

  const all: string[] = []
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page = await list({ where: { ...madeUp, level: 'error' }, sort: 'at', limit: 7, ...(cursor ? { cursor } : {}) })
    all.push(...events(page))
    cursor = page.next_cursor
  }
  assert.deepEqual(
    all,
    lines.filter(({ level }) => level === 'error').map(({ event }) => event),
  )

  const plugin = await list({ where: { ...madeUp, plugin: 'useful' }, limit: 1 })
  assert.deepEqual([plugin.items[0]?.source, plugin.items[0]?.plugin], ['plugin:useful', 'useful'])
  assert.equal((await list({ where: { ...madeUp, source: 'plugin:useful' }, count: true })).total, 30)
  assert.equal((await list({ where: { ...madeUp, plugin: { exists: false } }, count: true })).total, 120)
  for (const search of ['zEBRA made', 'éLAN', '\u212a', 'zebra élan \u212a'])
    assert.deepEqual(
      events(await list({ where: madeUp, search, sort: 'at' })),
      ['Made up 0', 'Made up 50', 'Made up 100'],
      search,
    )
  assert.deepEqual(events(await list({ where: madeUp, search: 'API elan' })), [], 'an accent is none')
  for (const [reference, found] of [
    ['r-7', ['Made up 7']],
    ['r-', []],
    ['R-7', []],
    [{ in: ['r-7', 'r-70'] }, ['Made up 70', 'Made up 7']],
  ] as const)
    assert.deepEqual(events(await list({ where: { ...madeUp, reference } })), found)
  assert.equal((await list({ where: { reference: 'r-7' }, count: true })).total, 1)
  assert.equal((await list({ where: madeUp, search: 'ssssss' })).items.length, 0, 'what is blanked is not found')
  for (const [input, field] of [
    [{ where: { message: 'x' } }, 'where.message'],
    [{ where: { level: 'loud' } }, 'where.level'],
    [{ sort: 'level' }, 'sort'],
    [{ cursor: first.next_cursor }, 'cursor'],
  ] as const) {
    const { error } = (await site.api('SVC_Logs.list', input)).json
    assert.deepEqual([error.code, error.field], ['invalid', field])
  }
})

test('an answer ends early, with its cursor, before it is too long, and no line is too long for one', async () => {
  const long = (at: number) => ({
    at: new Date(Date.parse('2019-01-01T00:00:00Z') + at * 1000).toISOString(),
    level: 'error',
    event: `Long ${at}`,
    ...Object.fromEntries(Array.from({ length: 7 }, (_, n) => [`part${n}`, 'x'.repeat(5000)])),
  })
  const huge = { ...long(50), event: 'Huge', parts: Array.from({ length: 100 }, () => 'y'.repeat(1900)) }
  await writeFile(
    logFile('postern-errors.20190101T000000000Z-1.log'),
    [huge, ...Array.from({ length: 30 }, (_, at) => long(at))].map((line) => `${JSON.stringify(line)}\n`).join(''),
  )
  const found: string[] = []
  let pages = 0
  for (let cursor: string | null | undefined; cursor !== null; pages++) {
    const page = await list({ where: { at: { lt: '2019-02-01' } }, limit: 100, ...(cursor ? { cursor } : {}) })
    found.push(...page.items.map(({ message }) => message))
    cursor = page.next_cursor
  }
  assert.equal(found.length, 31)
  assert.ok(pages > 1 && found.at(-1) === 'Huge')
})

test('callers below admin have no such action', async () => {
  const { token } = await site.call('SVC_Tokens.create', { name: 'writer', scope: 'content' })
  assert.equal((await site.api('SVC_Logs.list', {}, { token })).json.error.code, 'unknown_action')
})

test('the admin shows the log, finds a line by its reference, and pages with what was asked', async () => {
  assert.ok((await owner.open('/admin/settings')).text.includes('href="/admin/logs"'))
  const failed = await without('app_grant', () => owner.open('/admin/apps'))
  const [, reference = ''] = /the log has it as ([\w-]+)\./.exec(failed.text) ?? []
  const page = await owner.open(`/admin/logs?search=&level=error&reference=${reference}`)
  assert.equal(page.status, 200)
  assert.equal(page.text.split('<li class="card">').length - 1, 1)
  assert.ok(page.text.includes(reference) && page.text.includes('SVC_Apps.list'))
  assert.deepEqual(page.form('/admin/logs').fields, { search: '', level: 'error', reference })
  const words = await owner.open('/admin/logs?search=%22%3E%3Cb%3E&level=&reference=')
  assert.ok(words.text.includes('&quot;&gt;&lt;b&gt;') && words.text.includes('No lines match'))
  const many = await owner.open('/admin/logs?search=Made+up')
  const [, more = ''] = /href="([^"]*cursor=[^"]*)"/.exec(many.text) ?? []
  const next = await owner.open(more.replaceAll('&amp;', '&'))
  assert.equal(next.status, 200)
  assert.match(next.text, /Made up 129\b/)
  assert.equal((await owner.open('/admin/logs?cursor=made-up')).status, 422)
})

test('attack 123: tokens, codes, cookies and passwords are in no log, whatever went wrong with them', async () => {
  const id = await register(site)
  const { verifier, challenge } = makeProof()
  const page = await owner.open(authorizeUrl(site.base, id, { code_challenge: challenge }).href)
  const answered = await owner.submit(page.form('/oauth/consent'), { answer: 'allow', scope: 'content' })
  const code = new URL(answered.location).searchParams.get('code') ?? ''
  const exchange = exchangeForm(code, id, verifier)
  await without('auth_code', () => postForm(site, '/oauth/token', exchange))
  const token = (await postForm(site, '/oauth/token', exchange)).json.access_token as string
  assert.ok(token)
  await postForm(site, '/oauth/token', exchange) // used twice: a warning
  const wrong = 'wrong horse battery staple'
  await openVisitor(site).signIn('owner@example.org', wrong)
  const stranger = openVisitor(site)
  await without('sign_in_attempt', () => stranger.signIn('owner@example.org', wrong))
  const cookies = [...owner.cookies.values(), ...stranger.cookies.values()]
  const bad = `pst_${'b'.repeat(43)}`
  await without('token', async () => {
    for (const path of ['/api/', `/api/?access_token=${bad}`, '/mcp/'])
      await site.send(path, { method: 'POST', headers: json, body: ping, token: bad })
  })
  await without('entry', () => site.send(`/x?code=${code}&token=${token}&password=${encodeURIComponent(ownersPassword)}`))
  await without('app_grant', () => site.api('SVC_Apps.list', { search: token }))
  assert.ok((await list({ where: { source: 'oauth' } })).items.length >= 2)

  const secrets: Record<string, string> = {
    code,
    verifier,
    token,
    site: site.token,
    bad,
    wrong,
    ownersPassword,
    ...Object.fromEntries(cookies.entries()),
  }
  const folder = join(site.home, 'user-content', 'logs')
  const texts = [site.log.join('\n'), site.words.join('\n')]
  for (const name of await readdir(folder)) texts.push(await readFile(join(folder, name), 'utf8'))
  texts.push(
    JSON.stringify((await list({ limit: 100 })).items),
    JSON.stringify((await site.call('SVC_Activity.list', { limit: 100 })).items),
  )
  for (const [name, secret] of Object.entries(secrets)) {
    assert.ok(secret.length >= 20, name)
    for (const text of texts)
      assert.ok(
        !text.includes(secret),
        `${name} is in: ${text.slice(Math.max(0, text.indexOf(secret) - 200), text.indexOf(secret))}`,
      )
  }
})
