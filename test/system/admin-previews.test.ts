// Preview links in the admin: the page that lists and ends them, and the buttons that make links to the site in a theme.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openVisitor, type Visitor } from '../admin/visitor.ts'
import { openSite, type TestSite } from '../site.ts'

let site: TestSite
let owner: Visitor
before(async () => {
  site = await openSite()
  owner = openVisitor(site)
  await owner.signIn()
})
after(() => site[Symbol.asyncDispose]())

const statusOf = async (url: string) => (await fetch(url)).status

test('links are listed with what they show and who made them, and end by a button', async () => {
  assert.match((await owner.open('/admin/previews')).text, /No preview links/)
  await site.call('SVC_Content.create', { type: 'page', title: 'Plan <b>', body: 'Hush.' })
  const { token, item } = await site.call('SVC_Tokens.create', { name: 'Assistant', scope: 'content' })
  const made = await site.call('SVC_Content.preview', { id: '/plan-b' }, { token })
  const theme = await site.call('SVC_Themes.preview', { id: 'default', follow: true })
  const page = await owner.open('/admin/previews')
  for (const words of ['Plan &lt;b&gt;', 'Revision 1', 'Assistant', 'The site in the theme', 'Always the newest'])
    assert.ok(page.text.includes(words), words)
  const form = page.forms.find(({ fields }) => fields['id'] === theme.id)
  assert.ok(form)
  const ended = await owner.follow(await owner.submit(form))
  assert.match(ended.text, /Ended a preview link\./)
  assert.deepEqual([await statusOf(theme.url), await statusOf(made.url)], [404, 200])
  await site.call('SVC_Tokens.revoke', { ids: [item.id], expect: 1 })
  assert.match((await owner.open('/admin/previews')).text, /No longer works/)
  const again = await owner.submit(form)
  assert.deepEqual([again.status, /There is no preview link/.test(again.text)], [404, true])
})

test('a page of themes makes no link until its button is pressed', async () => {
  const count = async () => (await site.call('SVC_Content.previews')).items.length as number
  const before = await count()
  const list = await owner.open('/admin/themes')
  assert.equal(await count(), before)
  for (const page of [list, await owner.open('/admin/themes/edit?id=default')]) {
    const form = page.forms.find(({ fields }) => fields['do'] === 'preview')
    assert.ok(form, page.text)
    const gone = await owner.submit(form)
    assert.equal(gone.status, 303)
    assert.equal(await statusOf(gone.location), 200)
  }
  assert.equal(await count(), before + 2)
})
