// Comments in the admin, and behind the links of mails: a link moderates one comment, and only its form does.

import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { mailedPath } from '../../src/actions/comments/mailed-link.ts'
import { findSiteKey } from '../../src/identity/site-key.ts'
import type { AccountRow } from '../../src/store/core/schema.ts'
import { editRows } from '../admin/edit-rows.ts'
import { openVisitor, type Visitor } from '../admin/visitor.ts'
import { readRows } from '../rows.ts'
import { openSite, type TestSite } from '../site.ts'

let site: TestSite
let owner: Visitor
before(async () => {
  site = await openSite()
  owner = openVisitor(site)
  await owner.signIn()
  await site.call('SVC_Content.create', { type: 'post', title: 'Soup', status: 'published', body: 'Text.' })
})
after(() => site[Symbol.asyncDispose]())

const write = (text: string) =>
  site.send('/soup', {
    token: null,
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ do: 'comment', name: `Visitor ${text}`, text }).toString(),
  })
const states = async () =>
  Object.fromEntries(
    (await site.call('SVC_Comments.list', {})).items.map((one: { body: string; status: string }) => [one.body, one.status]),
  )

test('the page says that comments are off; several are moderated at once, one is answered and changed', async () => {
  assert.match((await owner.open('/admin/comments')).text, /Comments are off\. You turn them on[^]*page=comments#f-comments/)
  await site.call('SVC_Settings.update', { set: { comments: ['post'] } })
  for (const text of ['one', 'two', 'three']) assert.equal((await write(text)).status, 303)
  const list = await owner.open('/admin/comments')
  assert.match(list.text, /Waiting \(3\)/)
  const ids = (await site.call('SVC_Comments.list', { search: 'one' })).items.map(({ id }: { id: string }) => id)
  const selected =
    list.forms.find(({ action, fields }) => action.endsWith('/admin/comments') && 'csrf' in fields) ?? assert.fail()
  const none = await owner.submit(selected, { do: 'approved' })
  assert.equal(none.status, 422)
  const done = await owner.follow(await owner.submit(selected, { do: 'approved', ids: ids[0] }))
  assert.match(done.text, /Moderated comments/)
  assert.equal((await states())['one'], 'approved')
  const page = await owner.open(`/admin/comments/comment?id=${ids[0]}`)
  const forms = page.forms.filter(({ action }) => action.endsWith('/comments/comment'))
  const answer = forms.find(({ fields }) => fields['do'] === 'answer') ?? assert.fail()
  assert.match((await owner.follow(await owner.submit(answer, { body: 'Thank you' }))).text, /Commented on an entry/)
  const change = forms.find(({ fields }) => fields['do'] === 'change') ?? assert.fail()
  await owner.submit(change, { body: 'one, changed' })
  const { text } = await site.send('/soup', { token: null })
  assert.match(text, /one, changed[^]*Thank you/)
  assert.equal((await owner.open('/admin/comments/comment?id=nothing')).status, 404)
})

test('the link of a mail opens a page, its form decides about that comment, and it ends with the account', async () => {
  await editRows(site.home, 'delete from comment')
  await editRows(site.home, 'delete from sign_in_attempt')
  await site.call('SVC_Accounts.create', { email: 'second@example.org', name: 'Second', role: 'admin' })
  await write('first one')
  await write('second one')
  const key = (await findSiteKey(join(site.home, 'data'))) ?? assert.fail()
  const { account: people = [], comment: comments = [] } = await readRows(site.home)
  const linkIn = (email: string, text: string) => {
    const account = people.find((row) => row['email'] === email) ?? assert.fail()
    const comment = comments.find((row) => row['body'] === text) ?? assert.fail()
    return mailedPath(key, { id: String(comment['id']) }, account as unknown as AccountRow, Date.now())
  }
  const open = (link: string) => openVisitor(site).open(link)
  const link = linkIn('owner@example.org', 'first one')
  for (let n = 0; n < 2; n++) assert.match((await open(link)).text, /first one/)
  assert.deepEqual(await states(), { 'first one': 'pending', 'second one': 'pending' }, 'opening changes nothing')
  const anybody = openVisitor(site)
  const page = await anybody.open(link)
  const done = await anybody.submit(page.form('/admin/comments/decide'), { do: 'approved' })
  assert.match(done.text, /Done: On the page/)
  assert.deepEqual(await states(), { 'first one': 'approved', 'second one': 'pending' })
  const { items } = await site.call('SVC_Activity.list', { limit: 1 })
  assert.equal(items[0].by, 'Owner')
  assert.equal((await open(link.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')))).status, 403)
  const second = linkIn('second@example.org', 'second one')
  assert.equal((await open(second)).status, 200)
  await site.call('SVC_Accounts.update', { id: 'second@example.org', disabled: true })
  assert.equal((await open(second)).status, 403)
})

test('the editor has the choice for one entry beside that of its type', async () => {
  await site.call('SVC_Settings.update', { set: { comments: ['post'] } })
  const { item } = await site.call('SVC_Content.get', { id: '/soup' })
  const editor = await owner.open(`/admin/content/edit?id=${item.id}`)
  assert.match(editor.text, /<summary><h2>Comments<\/h2><\/summary>[^]*As set for its type: on/)
  const form = editor.forms.find(({ fields }) => 'body' in fields) ?? assert.fail()
  assert.equal(form.fields['comments'], '')
  const saved = await owner.submit(form, { comments: 'off', do: 'publish' })
  assert.equal(saved.status, 303)
  assert.equal((await site.call('SVC_Content.get', { id: '/soup' })).item.comments, 'off')
  assert.doesNotMatch((await site.send('/soup', { token: null })).text, /id="comments"/)
  const again = await owner.open(`/admin/content/edit?id=${item.id}`)
  const next = again.forms.find(({ fields }) => 'body' in fields) ?? assert.fail()
  assert.equal(next.fields['comments'], 'off')
  await owner.submit(next, { comments: '', do: 'publish' })
  assert.equal((await site.call('SVC_Content.get', { id: '/soup' })).item.comments, null)
})
