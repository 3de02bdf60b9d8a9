// Maintenance: the ways to switch it, and who learns of it when. What each door answers is maintenance-releases.test.ts's.

import assert from 'node:assert/strict'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { openVisitor } from '../admin/visitor.ts'
import { call, callMessage, postMcp, shownWords, words } from '../maintenance-calls.ts'
import { openSite, type SendOptions, type TestSite } from '../site.ts'
import { until } from '../until.ts'

const close = (site: TestSite, input: Record<string, unknown> = {}, more: SendOptions = {}) =>
  site.call(call, { on: true, message: words, ...input }, more)
const open = (site: TestSite) => site.call(call, { on: false })

let site: TestSite
before(async () => {
  site = await openSite()
})
after(() => site[Symbol.asyncDispose]())

const state = async () => (await site.send('/', { token: null })).status

test('it says what it was told, keeps what is left out, and tells what changed', async () => {
  const first = await close(site, { until: '2099-01-31' })
  const item = { on: true, message: words, until: '2099-01-31T00:00:00.000Z', by_file: false }
  assert.deepEqual([first.item, first.changed], [item, ['on', 'message', 'until']])
  const second = await site.call(call, { on: true, until: null })
  assert.deepEqual([second.item, second.changed], [{ ...item, until: null }, ['until']])
  assert.deepEqual((await site.call(call, { on: true })).changed, [])
  assert.deepEqual((await site.call(call, { on: true, message: null })).changed, ['message'])
  const off = await open(site)
  assert.deepEqual([off.item, off.changed], [{ on: false, message: null, until: null, by_file: false }, ['on']])
  assert.equal(await state(), 200)
})

test('a dry run changes nothing, no settings list shows it, and undo does not take it back', async () => {
  const dry = await site.call(call, { on: true, dry_run: true })
  assert.ok(dry.diff.length > 0)
  assert.equal(await state(), 200)
  const { activity_id: activity } = await close(site)
  await open(site)
  assert.equal((await site.api('SVC_Activity.undo', { ids: [activity] })).json.error.code, 'refused')
  const listed = await site.call('SVC_Settings.list')
  assert.ok(!JSON.stringify(listed).includes('maintenance'))
  assert.equal((await site.api('SVC_Settings.update', { set: { maintenance: 1 } })).json.error.code, 'invalid')
})

for (const [rule, input, field] of [
  ['a time that has passed', { on: true, until: '2001-01-01' }, 'until'],
  ['what is no time', { on: true, until: 'noon' }, 'until'],
  ['a message to open with', { on: false, message: 'Hello' }, 'message'],
  ['an end to open with', { on: false, until: '2099-01-01' }, 'until'],
] as const) {
  test(`refused: ${rule}`, async () => {
    const { error } = (await site.api(call, input)).json
    assert.deepEqual([error.code, error.field], ['invalid', field])
  })
}

test('callers below admin do not know the call, on or off', async () => {
  const { token } = await site.call('SVC_Tokens.create', { name: 'writer', scope: 'content' })
  assert.equal((await site.api(call, { on: true }, { token })).json.error.code, 'unknown_action')
  await close(site)
  assert.equal((await site.api(call, { on: false }, { token })).json.error.code, 'unavailable')
  await open(site)
})

test('of a batch on /mcp/ each request is refused by its own id, and what follows the opening goes on', async () => {
  await close(site)
  const ping = { jsonrpc: '2.0', method: 'ping' }
  const refused = await postMcp(site, [{ ...ping, id: 1 }, ping, { ...ping, id: 2 }])
  assert.equal(refused.status, 503)
  assert.ok(refused.headers.has('retry-after'))
  assert.deepEqual(
    refused.json.map(({ id, error }: any) => [id, error.code]), // oxlint-disable-line no-explicit-any
    [
      [1, -32603],
      [2, -32603],
    ],
  )
  const opening = await postMcp(site, [{ ...ping, id: 1 }, callMessage(call, { on: false }, 2), { ...ping, id: 3 }])
  assert.equal(opening.status, 200)
  assert.deepEqual(
    opening.json.map((one: object) => 'error' in one),
    [true, false, false],
  )
})

test('what one process closes another closes soon after, and a kill changes nothing of it', async () => {
  await using other = await openSite({ home: site.home, ownProcess: true })
  await close(site)
  await until('closed at the other', async () => (await other.send('/')).status === 503)
  await other.stop('SIGKILL')
  await using third = await openSite({ home: site.home })
  assert.equal((await third.send('/')).status, 503)
  await third.call(call, { on: false }, { token: site.token })
  await until('open at the first', async () => (await state()) === 200)
})

test('a file in the home closes the site too, and wins', async () => {
  const file = join(site.home, 'MAINTENANCE')
  await writeFile(file, 'Moving house.\u001b[31m\r\nSoon back.\n')
  await until('closed by the file', async () => (await state()) === 503)
  const page = (await site.send('/')).text
  assert.match(page, /Moving house\.\[31m<br \/>\s*Soon back\./)
  const refused = (await site.api(call, { on: false })).json.error
  assert.equal(refused.code, 'refused')
  assert.ok(refused.hint.includes(file))
  const closed = await close(site)
  assert.deepEqual([closed.item.by_file, closed.warnings[0].code], [true, 'by_file'])
  await rm(file)
  await until('the row’s words', async () => (await site.send('/')).text.includes(shownWords))
  await open(site)
  assert.equal(await state(), 200)
})

test('the command line closes and opens it, and welcome there tells that it is on', async () => {
  const on = await site.postern(['maintenance', 'on', '--message', 'By hand.', '--until', '2099-01-31T18:00', '--json'])
  assert.deepEqual(JSON.parse(on.stdout), { on: true, message: 'By hand.', until: '2099-01-31T18:00:00.000Z', by_file: false })
  await until('closed', async () => (await state()) === 503)
  const welcome = await site.postern(['call', 'SVC_API.welcome'])
  assert.match(welcome.stdout, /Maintenance is on: By hand\./)
  assert.deepEqual((await site.postern(['maintenance', 'off'])).stdout, 'off\n')
  await until('open', async () => (await state()) === 200)
  assert.equal((await site.postern(['maintenance'])).code, 2)
  const lost = await site.postern(['maintenance', 'on', '--until', 'noon'])
  assert.deepEqual([lost.code, lost.stdout], [2, ''])
})

test('postern maintenance status says whether the site is closed, until when, with which words, and whether the file does it', async () => {
  const status = async () => JSON.parse((await site.postern(['maintenance', 'status', '--json'])).stdout)
  const plain = { on: false, message: null, until: null, by_file: false }
  assert.deepEqual(await status(), plain)
  await site.postern(['maintenance', 'on', '--message', 'By hand.', '--until', '2099-01-31T18:00'])
  assert.deepEqual(await status(), { ...plain, on: true, message: 'By hand.', until: '2099-01-31T18:00:00.000Z' })
  await site.postern(['maintenance', 'off'])
  const file = join(site.home, 'MAINTENANCE')
  await writeFile(file, 'Moved to a new disk.\n')
  assert.deepEqual(await status(), { ...plain, on: true, message: 'Moved to a new disk.', by_file: true })
  const told = await site.postern(['maintenance', 'status'])
  assert.deepEqual([told.code, told.stdout, told.stderr.includes(`rm ${file}`)], [0, 'on\n', true])
  await rm(file)
  assert.deepEqual(await status(), plain)
  await until('open', async () => (await state()) === 200)
})

test('where the database can not be opened, the command line names the file', async () => {
  await using bare = await openSite({ bare: true, database: 'sqlite' })
  await bare.stop()
  for (const rest of ['-wal', '-shm']) await rm(join(bare.home, 'data', `postern.db${rest}`), { force: true })
  await writeFile(
    join(bare.home, 'data', 'postern.db'),
    'no database at all, but long enough to be looked at as one. '.repeat(20),
  )
  const failed = await bare.postern(['maintenance', 'on'])
  assert.deepEqual([failed.code, failed.stdout], [5, ''])
  assert.ok(failed.stderr.includes(`> ${join(bare.home, 'MAINTENANCE')}`), failed.stderr)
})

test('in the admin a person closes and opens it, and every page says while it is closed', async () => {
  const owner = openVisitor(site)
  await owner.signIn()
  assert.ok((await owner.open('/admin/settings')).text.includes('/admin/maintenance'))
  const form = (await owner.open('/admin/maintenance')).form('/admin/maintenance')
  const wrong = await owner.submit(form, { message: 'Kept.', until: '2001-01-01T10:00' })
  assert.equal(wrong.status, 422)
  assert.match(wrong.text, /Kept\./)
  const sent = await owner.submit(form, { message: words, until: '2099-01-31T18:00' })
  assert.equal(sent.status, 303)
  assert.equal(await state(), 503)
  const page = await owner.follow(sent)
  assert.ok(page.text.includes('The site is closed.') && page.text.includes(shownWords))
  for (const path of ['/admin/', '/admin/apps', '/admin/account']) {
    assert.match((await owner.open(path)).text, /Maintenance is on:/, path)
  }
  const fresh = openVisitor(site)
  assert.equal((await fresh.signIn()).status, 303)
  assert.equal((await owner.submit(page.forms.find(({ fields }) => fields['on'] === 'no') ?? page.form('none'))).status, 303)
  assert.equal(await state(), 200)
  assert.doesNotMatch((await owner.open('/admin/')).text, /Maintenance is on/)
})
