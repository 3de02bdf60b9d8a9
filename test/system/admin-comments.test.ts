// Comments in the admin, and behind the links of mails: a link moderates one comment, and only its form does.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { editRows } from '../admin/edit-rows.ts'
import { openVisitor, type Visitor } from '../admin/visitor.ts'
import { openRelay, readable, type Relay, relayInput } from '../mail/relay-server.ts'
import { openSite, type TestSite } from '../site.ts'
import { until } from '../until.ts'

let site: TestSite
let relay: Relay
let owner: Visitor
before(async () => {
  relay = await openRelay()
  site = await openSite()
  owner = openVisitor(site)
  await owner.signIn()
  await site.call('SVC_Content.create', { type: 'post', title: 'Soup', status: 'published', body: 'Text.' })
})
after(async () => {
  await site[Symbol.asyncDispose]()
  await relay[Symbol.asyncDispose]()
})

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
  assert.match((await owner.open('/admin/comments')).text, /Comments are off\. You turn them on[^]*page=content#f-comments/)
  await site.call('SVC_Settings.update', { set: { comments: ['post'] } })
  for (const text of ['one', 'two', 'three']) assert.equal((await write(text)).status, 303)
  const list = await owner.open('/admin/comments')
  assert.match(list.text, /Waiting \(3\)/)
  const ids = (await site.call('SVC_Comments.list', { search: 'one' })).items.map(({ id }: { id: string }) => id)
  const selected =
    list.forms.find(({ action, fields }) => action.endsWith('/admin/comments') && 'csrf' in fields) ?? assert.fail()
  const none = await owner.submit(selected, { do: 'approved' })
  assert.equal(none.status, 400)
  const done = await owner.submit(selected, { do: 'approved', ids: ids[0] })
  assert.match(done.text, /Moderated comments/)
  assert.equal((await states())['one'], 'approved')
  const page = await owner.open(`/admin/comments/comment?id=${ids[0]}`)
  const forms = page.forms.filter(({ action }) => action.endsWith('/comments/comment'))
  const answer = forms.find(({ fields }) => fields['do'] === 'answer') ?? assert.fail()
  assert.match((await owner.submit(answer, { body: 'Thank you' })).text, /Commented on an entry/)
  const change = forms.find(({ fields }) => fields['do'] === 'change') ?? assert.fail()
  await owner.submit(change, { body: 'one, changed' })
  const { text } = await site.send('/soup', { token: null })
  assert.match(text, /one, changed[^]*Thank you/)
  assert.equal((await owner.open('/admin/comments/comment?id=nothing')).status, 404)
})

test('the link of a mail opens a page, its form decides about that comment, and it ends with the account', async () => {
  await editRows(site.home, 'delete from comment')
  await editRows(site.home, 'delete from sign_in_attempt')
  await editRows(site.home, "update account set proposal_mails = 'at_once'")
  await site.call('SVC_Mail.set-relay', relayInput(relay, { site_url: site.address, per_minute: 1000 }))
  await site.call('SVC_Accounts.create', { email: 'second@example.org', name: 'Second', role: 'admin' })
  await write('first one')
  await write('second one')
  const mailTo = (email: string) => relay.taken.find((mail) => mail.to[0] === email && /comments wait/.test(readable(mail)))
  await until(
    'the mails came',
    () => mailTo('owner@example.org') !== undefined && mailTo('second@example.org') !== undefined,
    90_000,
  )
  const linkIn = (email: string, text: string) =>
    new RegExp(`${text}\\r?\\n(http\\S+link=psm_[\\w-]+)`).exec(readable(mailTo(email) ?? assert.fail()))?.[1] ?? assert.fail()
  const open = (link: string) => openVisitor(site).open(link.slice(link.indexOf('/admin/')))
  const link = linkIn('owner@example.org', 'first one')
  for (let n = 0; n < 2; n++) assert.match((await open(link)).text, /first one/)
  assert.deepEqual(await states(), { 'first one': 'pending', 'second one': 'pending' }, 'opening changes nothing')
  const anybody = openVisitor(site)
  const page = await anybody.open(link.slice(link.indexOf('/admin/')))
  const done = await anybody.submit(page.form('/admin/comments/decide'), { do: 'approved' })
  assert.match(done.text, /Done: On the page/)
  assert.deepEqual(await states(), { 'first one': 'approved', 'second one': 'pending' })
  const { items } = await site.call('SVC_Activity.list', { limit: 1 })
  assert.equal(items[0].by, 'Owner')
  assert.equal((await open(link.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')))).status, 403)
  const second = linkIn('second@example.org', 'second one')
  assert.equal((await open(second)).status, 200)
  const { items: people } = await site.call('SVC_Accounts.list', { where: { email: 'second@example.org' } })
  await site.call('SVC_Accounts.update', { id: people[0].id, disabled: true })
  assert.equal((await open(second)).status, 403)
})
