// The actions console: every action has a form made from its schema. What a form says is run as the equal call, tried first without doing it, and the
// line for a shell that the page shows does the same.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { openVisitor, type Visitor } from '../admin/visitor.ts'
import { openSite, type TestSite } from '../site.ts'
import { lacksTool } from '../tools.ts'

let site: TestSite
let owner: Visitor
before(async () => {
  site = await openSite()
  owner = openVisitor(site)
  await owner.signIn()
})
after(() => site[Symbol.asyncDispose]())

const pathOf = (action: string) => `/admin/console?action=${action}`

interface Listed {
  readonly class: string
  readonly action: string
}

const unescaped = (text: string) =>
  text.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')

test('every action that the owner may run is listed, and has a form with all of its arguments', async () => {
  const { items } = (await site.call('SVC_API.list-actions', { full: true })) as { items: readonly Listed[] }
  const list = await owner.open('/admin/console')
  for (const { class: name, action } of items) {
    const path = pathOf(`${name}.${action}`)
    assert.ok(list.text.includes(`href="${path}"`), path)
    const page = await owner.open(path)
    assert.equal(page.status, 200, path)
    const form = page.form(path)
    const described = await site.call('SVC_API.describe-action', { arguments: { class: name, action, full: true } })
    for (const argument of Object.keys((described.input as { properties: object }).properties))
      assert.ok(`arg.${argument}` in form.fields || page.text.includes(`name="arg.${argument}"`), `${path} ${argument}`)
  }
})

test('a write is tried, done, and done no second time by the same form', async () => {
  const page = await owner.open(pathOf('SVC_Content.create'))
  const values = { 'arg.type': 'page', 'arg.title': 'From the <console>', dry_run: 'yes' }
  const tried = await owner.submit(page.form(pathOf('SVC_Content.create')), values)
  assert.equal(tried.status, 200, tried.text)
  assert.match(tried.text, /What would happen/)
  assert.ok(tried.text.includes('From the &lt;console&gt;'))
  const search = { where: { title: 'From the <console>' }, count: true }
  assert.equal((await site.call('SVC_Content.list', search)).total, 0)
  const form = tried.form(pathOf('SVC_Content.create'))
  assert.equal(form.fields['arg.title'], 'From the <console>')
  const { dry_run: _, ...fields } = form.fields
  const again = { ...form, fields }
  for (const _attempt of [1, 2]) assert.match((await owner.submit(again, {})).text, /The answer/)
  assert.equal((await site.call('SVC_Content.list', search)).total, 1)
})

test('the line for a shell does the same', { skip: lacksTool('curl') }, async () => {
  const page = await owner.open(pathOf('SVC_Content.list'))
  const values = { 'arg.where': '{"title": {"has": "it\'s"}}', 'arg.limit': '3', select: 'title, slug' }
  const answer = await owner.submit(page.form(pathOf('SVC_Content.list')), values)
  const line = unescaped(/data-copy="the line for a shell">([^<]*)</.exec(answer.text)?.[1] ?? '')
  await site.call('SVC_Content.create', { type: 'page', title: "it's here" })
  const { stdout } = await promisify(execFile)('sh', ['-c', line], { env: { ...process.env, TOKEN: site.token } })
  const { data } = JSON.parse(stdout) as { data: { items: readonly object[] } }
  assert.deepEqual(data.items, [{ title: "it's here", slug: 'its-here' }])
})

test('what is wrong stands at its argument, and what was filled in stays', async () => {
  const rows: readonly (readonly [string, Readonly<Record<string, string>>, RegExp])[] = [
    ['SVC_Content.list', { 'arg.where': '{title' }, /id="e-arg\.where"[^]*must be JSON/],
    ['SVC_Content.list', { 'arg.limit': '1000' }, /id="e-arg\.limit"/],
    ['SVC_Content.create', { 'arg.type': 'page' }, /id="e-arg\.title"/],
  ]
  for (const [action, values, fault] of rows) {
    const page = await owner.submit((await owner.open(pathOf(action))).form(pathOf(action)), values)
    assert.equal(page.status, 422, action)
    assert.match(page.text, fault)
  }
})

test('attack 69: the console takes no form of another session, and attack 84: nothing that the person may not run', async () => {
  const stranger = openVisitor(site)
  const form = (await owner.open(pathOf('SVC_Content.create'))).form(pathOf('SVC_Content.create'))
  assert.equal((await stranger.submit(form, { 'arg.type': 'page', 'arg.title': 'x' })).status, 403)
  assert.equal((await owner.submit({ ...form, fields: { ...form.fields, csrf: 'x' } }, {})).status, 403)
  assert.equal((await owner.open(pathOf('SVC_Content.nothing'))).status, 403)
  assert.equal((await owner.open(pathOf('__proto__.constructor'))).status, 403)
})
