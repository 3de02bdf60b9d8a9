// The condition of a webhook in the forms of the admin: lines in, lines out, one sentence for a line that is none.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openVisitor, ownersPassword } from '../admin/visitor.ts'
import { openSite } from '../site.ts'

test('an owner says in the admin which objects a webhook is about', async () => {
  await using site = await openSite()
  const visitor = openVisitor(site, { 'accept-language': 'de' })
  await visitor.signIn()
  const proof = { password: ownersPassword }
  const url = 'https://hooks.example.org/postern'
  const list = await visitor.open('/admin/webhooks')
  const wrong = { url, events: 'content.*', where: 'typ = event', ...proof }
  const refused = await visitor.submit(list.form('/admin/webhooks'), wrong)
  assert.equal(refused.status, 422)
  assert.match(refused.text, /Jede Zeile hat kind, type, status oder language, einen Doppelpunkt und Werte/)
  assert.equal(refused.form('/admin/webhooks').fields['where'], 'typ = event')
  const where = 'Type: event, post\r\n\r\nstatus: published\r\ntype: page'
  await visitor.submit(refused.form('/admin/webhooks'), { ...wrong, where })
  const [item] = (await site.call('SVC_Webhooks.list')).items
  assert.deepEqual(item.where, { type: ['event', 'post', 'page'], status: ['published'] })

  const path = `/admin/webhooks/webhook?id=${item.id}`
  const page = await visitor.open(path)
  const change = page.forms.find(({ fields }) => fields['do'] === 'change') ?? assert.fail(page.text)
  assert.equal(change.fields['where'], 'type: event, post, page\nstatus: published')
  const again = await visitor.submit(change, { where: 'status:', ...proof })
  assert.equal(again.status, 422)
  assert.match(again.text, /Jede Zeile hat kind/)
  assert.equal((await visitor.submit(change, { where: '', ...proof })).status, 303)
  assert.equal((await site.call('SVC_Webhooks.get', { id: item.id })).item.where, null)
})
