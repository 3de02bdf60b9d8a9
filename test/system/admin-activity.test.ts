// Home and activity in the admin: what changed and who did it, with titles; one change, or a whole stretch of work, is taken back after a page has said
// what that does.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openVisitor, type Page, type Visitor } from '../admin/visitor.ts'
import { openSite, type TestSite } from '../site.ts'

let site: TestSite
let owner: Visitor
let app: string
before(async () => {
  site = await openSite()
  owner = openVisitor(site)
  await owner.signIn()
})
after(() => site[Symbol.asyncDispose]())

const bodyOf = async (id: string): Promise<string> => (await site.call('SVC_Content.get', { id })).item.body as string
const asApp = async (call: string, input: Record<string, unknown>) =>
  (await site.api(call, input, { token: app })).json.data as { activity_id: string }
const sendTakeBack = (page: Page): Promise<Page> => owner.submit(page.form('/admin/activity/take-back'))

test('the home page of an empty site says the next steps', async () => {
  const page = await owner.open('/admin/')
  assert.match(page.text, /What is left to do/)
  assert.match(page.text, /Create a page/)
  assert.ok(page.text.includes(`${site.base}/mcp/`), 'the address for assistants')
})

test('home names drafts, pending changes and what changed by their titles, with links to the editor', async () => {
  app = ((await site.call('SVC_Tokens.create', { name: 'Claude', scope: 'content' })) as { token: string }).token
  const hours = await site.call('SVC_Content.create', { type: 'page', title: 'Hours', status: 'published', body: 'Nine.' })
  const draft = await site.call('SVC_Content.create', { type: 'post', title: 'A new oven' })
  await site.call('SVC_Content.update', { id: hours.item.id, body: 'Ten.', stage: true })
  const page = await owner.open('/admin/')
  assert.ok(page.text.includes(`href="/admin/content/edit?id=${draft.item.id}">A new oven`))
  assert.match(page.text, /Changes waiting\s*<span class="count">1/)
  assert.match(page.text, /Created and published <a href="\/admin\/content\/edit\?id=\w+">Hours<\/a>/)
  await site.call('SVC_Content.discard', { id: hours.item.id })
})

test('a theme that is activated is named, and not the one before it', async () => {
  await site.call('SVC_Themes.activate', { id: 'magazine' })
  const page = await owner.open('/admin/activity')
  assert.match(page.text, /<span class="what">Activated the theme <a href="[^"]*magazine">[^<]*<\/a><\/span>/)
  await site.call('SVC_Themes.activate', { id: 'default' })
})

test('activity is grouped by token and stretch; one change is shown with its difference and taken back', async () => {
  await asApp('SVC_Content.edit', { id: '/hours', edits: [{ find: 'Nine', replace: 'Eight' }] })
  const { activity_id: id } = await asApp('SVC_Content.update', { id: '/hours', title: 'Opening hours' })
  const list = await owner.open('/admin/activity')
  assert.match(list.text, /<h2 id="s-\w+">Claude<\/h2>/)
  assert.match(list.text, /Undo all 2…/)
  const record = await owner.open(`/admin/activity?id=${id}`)
  assert.match(record.text, /<del>Hours<\/del>\s*<ins>Opening hours<\/ins>/)
  const trial = await owner.open(`/admin/activity/take-back?ids=${id}`)
  assert.match(trial.text, /Undo 1 change/)
  assert.equal((await site.call('SVC_Content.get', { id: '/hours' })).item.title, 'Opening hours', 'nothing was done yet')
  assert.equal((await sendTakeBack(trial)).status, 303)
  assert.equal((await site.call('SVC_Content.get', { id: '/hours' })).item.title, 'Hours')
  const after = await owner.open('/admin/activity?done=activity.done_undone-1')
  assert.match(after.text, /1 change undone/)
  assert.match(after.text, /class="badge">undone/)
  assert.match(after.text, />Redo</)
})

test('a page names the later work that would be lost before anything is taken back, and the button says so', async () => {
  const { activity_id: first } = await asApp('SVC_Content.update', { id: '/hours', body: 'Seven.' })
  await site.call('SVC_Content.update', { id: '/hours', body: 'Six.' })
  const trial = await owner.open(`/admin/activity/take-back?ids=${first}`)
  assert.match(trial.text, /Later work that would be lost/)
  assert.match(trial.text, /<strong>Hours<\/strong>:\s+Text</)
  assert.match(trial.text, /Undo 1 change\. Later work on 1 item is lost/)
  assert.equal(await bodyOf('/hours'), 'Six.')
  assert.equal((await sendTakeBack(trial)).status, 303)
  assert.equal(await bodyOf('/hours'), 'Eight.')
})

test('a whole stretch is taken back by one button, and redone by another', async () => {
  const ids: string[] = []
  for (const find of ['Eight', 'Five', 'Four']) {
    const replace = { Eight: 'Five', Five: 'Four', Four: 'Three' }[find]
    ids.push((await asApp('SVC_Content.edit', { id: '/hours', edits: [{ find, replace }] })).activity_id)
  }
  const trial = await owner.open(`/admin/activity/take-back?ids=${ids.join(',')}`)
  assert.match(trial.text, /Undo 3 changes/)
  assert.equal((await sendTakeBack(trial)).location, '/admin/activity?done=activity.done_undone-3')
  assert.equal(await bodyOf('/hours'), 'Eight.')
  const [undo] = (await site.call('SVC_Activity.list', { limit: 1 })).items
  const redo = await owner.open(`/admin/activity/take-back?ids=${undo.id}`)
  assert.match(redo.text, /Redo 1 change/)
  await sendTakeBack(redo)
  assert.equal(await bodyOf('/hours'), 'Three.')
})

test("an app's afternoon is taken back as one", async () => {
  const made = await site.call('SVC_Tokens.create', { name: 'Busy', scope: 'content' })
  const token = (made as { token: string }).token
  for (const title of ['One', 'Two', 'Three']) await site.api('SVC_Content.create', { type: 'page', title }, { token })
  const query = `token=${(made as { item: { id: string } }).item.id}&since=2020-01-01`
  const trial = await owner.open(`/admin/activity/take-back?${query}`)
  assert.match(trial.text, /Undo 3 changes/)
  assert.equal((await sendTakeBack(trial)).status, 303)
  for (const path of ['/one', '/two', '/three']) assert.equal((await site.api('SVC_Content.get', { id: path })).status, 404)
  const again = await owner.open(`/admin/activity/take-back?${query}`)
  assert.match(again.text, /There is nothing to undo/)
})

test('filters narrow the list, and a filter that makes no sense says so', async () => {
  const titles = (page: Page) => [...page.text.matchAll(/class="what"/g)].length
  assert.equal(titles(await owner.open('/admin/activity?call=SVC_Tokens.create')), 3)
  assert.equal(titles(await owner.open('/admin/activity?object=/hours&door=admin')), 4, 'the undos that went through the admin')
  assert.match((await owner.open('/admin/activity?to=2020-01-01')).text, /No change matches/)
  const wrong = await owner.open('/admin/activity?from=soon')
  assert.equal(wrong.status, 422)
  assert.match(wrong.text, /id="refusal"/)
})

test('attack 85: a person who may only write content can’t take back what is above them', async () => {
  const { activity_id: id } = await site.call('SVC_Settings.update', { set: { site_tagline: 'Bread' } })
  const { link } = await site.call('SVC_Accounts.create', { email: 'w@example.org', name: 'W', role: 'content' })
  const writer = openVisitor(site)
  const form = (await writer.open(link)).form('/admin/new-password')
  const password = 'another long password here'
  assert.equal((await writer.submit(form, { password, again: password })).status, 303)
  const page = await writer.open(`/admin/activity/take-back?ids=${id}`)
  assert.equal(page.status, 403)
  assert.ok(!page.text.includes('Bread'))
})

test('what published an entry says so, by whichever call', async () => {
  const { item } = await site.call('SVC_Content.create', { type: 'page', title: 'Prices', body: 'Rye 4' })
  await site.call('SVC_Content.update', { id: item.id, status: 'published' })
  await site.call('SVC_Content.create', { type: 'page', title: 'Fair', body: 'Soon', status: 'published' })
  await site.call('SVC_Content.update', { id: item.id, body: 'Rye 5' })
  const text = (await owner.open('/admin/activity')).text.replace(/<[^>]+>/g, '')
  assert.match(text, /Changed and published Prices/)
  assert.match(text, /Created and published Fair/)
  assert.match(text, /Changed Prices/)
})
