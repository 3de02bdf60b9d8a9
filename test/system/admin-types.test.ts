// Types and fields in the admin: fields are added, ordered, renamed and removed by forms, and a type is deleted with a place for its entries.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Form, openVisitor, type Page, type Visitor } from '../admin/visitor.ts'
import { openSite, type TestSite } from '../site.ts'

let site: TestSite
let owner: Visitor
before(async () => {
  site = await openSite()
  owner = openVisitor(site)
  await owner.signIn()
})
after(() => site[Symbol.asyncDispose]())

const formOf = (page: Page, fields: Readonly<Record<string, string>>): Form => {
  const form = page.forms.find((one) => Object.entries(fields).every(([name, value]) => one.fields[name] === value))
  assert.ok(form, `no form with ${JSON.stringify(fields)}: ${page.text}`)
  return form
}
const path = '/admin/types/edit?id=product'
const fieldsNow = async (): Promise<any[]> => (await site.call('SVC_Types.get', { id: 'product' })).item.fields

test('a type is added, and gets fields that are ordered, renamed with their values, and removed', async () => {
  const made = await owner.submit(formOf(await owner.open('/admin/types'), { do: 'create' }), {
    name: 'Product',
    slug: 'product',
  })
  assert.equal(made.status, 303, made.text)
  const add = async (fields: Record<string, string>) =>
    owner.submit(formOf(await owner.open(path), { do: 'field', field: '' }), fields)
  assert.equal((await add({ name: 'price', kind: 'number', label: 'Price', default: '5', filter: 'yes' })).status, 303)
  assert.equal((await add({ name: 'size', kind: 'choice', options: 'S\nM', many: 'yes', help: 'In stock' })).status, 303)
  assert.equal((await add({ name: 'maker', kind: 'group', fields: '[{"name": "town", "kind": "text"}]' })).status, 303)
  assert.deepEqual(await fieldsNow(), [
    { name: 'price', kind: 'number', label: 'Price', default: 5, filter: true },
    { name: 'size', kind: 'choice', help: 'In stock', options: ['S', 'M'], many: true },
    { name: 'maker', kind: 'group', of: [{ name: 'town', kind: 'text' }] },
  ])
  const { item } = await site.call('SVC_Content.create', { type: 'product', title: 'Lamp', body: 'Words', fields: { price: 12 } })
  const page = await owner.open(path)
  const move = page.forms.find(({ fields }) => fields['field'] === 'size' && !('do' in fields))
  assert.ok(move)
  assert.equal((await owner.submit(move, { do: 'up' })).status, 303)
  assert.deepEqual(
    (await fieldsNow()).map(({ name }) => name),
    ['size', 'price', 'maker'],
  )
  assert.equal((await owner.submit(move, { do: 'down' })).status, 409, 'the type has changed since the page was shown')
  const rename = formOf(await owner.open(path), { do: 'field', field: 'price' })
  assert.equal(rename.fields['default'], '5')
  assert.equal((await owner.submit(rename, { name: 'cost' })).status, 303)
  assert.equal((await site.call('SVC_Content.get', { id: item.id })).item.fields.cost, 12)
  assert.equal((await owner.submit(formOf(await owner.open(path), { do: 'remove', field: 'size' }))).status, 303)
  assert.deepEqual(
    (await fieldsNow()).map(({ name }) => name),
    ['cost', 'maker'],
  )
  assert.match((await owner.open(path)).text, /still stored:\s*<code>size<\/code>/)
})

test('a type is renamed and moved, and deleted with another type for its entries', async () => {
  const wrong = await owner.submit(formOf(await owner.open(path), { do: 'settings' }), { name: 'Goods', path: 'nowhere' })
  assert.ok(wrong.status >= 400 && wrong.status < 500)
  assert.match(wrong.text, /id="e-path"/)
  assert.equal(formOf(wrong, { do: 'settings' }).fields['name'], 'Goods')
  const saved = await owner.submit(formOf(await owner.open(path), { do: 'settings' }), { name: 'Goods', path: '/shop/{slug}' })
  assert.equal(saved.status, 303, saved.text)
  const { item } = await site.call('SVC_Types.get', { id: 'product' })
  assert.deepEqual([item.name, item.path], ['Goods', '/shop/{slug}'])
  const page = await owner.open(path)
  assert.match(page.text, /its 1 entry gets another type/)
  assert.equal((await owner.submit(formOf(page, { do: 'delete' }), { move_to: 'post' })).status, 303)
  assert.equal((await owner.open(path)).status, 404)
  assert.equal((await site.call('SVC_Content.list', { where: { type: 'post' }, search: 'Lamp' })).items.length, 1)
})

test('attacks 69, 98, 104, 105: forms of types need their token, and hostile names are text', async () => {
  const hostile = '"><script>alert(1)</script>'
  const field = { name: 'note', kind: 'text', label: hostile, help: hostile, default: hostile }
  await site.call('SVC_Types.create', { slug: 'hostile', name: hostile, fields: [field] })
  for (const address of ['/admin/types', '/admin/types/edit?id=hostile']) {
    const page = await owner.open(address)
    assert.equal(page.status, 200, address)
    assert.ok(!page.text.includes('<script>alert'), address)
    for (const form of page.forms.filter(({ method }) => method === 'post'))
      assert.equal((await owner.submit(form, { csrf: 'x' })).status, 403, `${address} ${form.action}`)
  }
})

test('the order of a list, what it leaves out and the fields on cards are chosen in a form, and a refused one keeps the choices', async () => {
  await site.call('SVC_Types.create', {
    slug: 'event',
    name: 'Event',
    feed: true,
    fields: [
      { name: 'starts', kind: 'date', label: 'Starts' },
      { name: 'place', kind: 'text' },
    ],
  })
  const address = '/admin/types/edit?id=event'
  const page = await owner.open(address)
  assert.match(page.text, /<option value="starts"\s*>Starts: earliest first<\/option>/)
  const sent = await owner.submit(formOf(page, { do: 'list' }), { sort: 'starts', hide_past: 'starts', shows: 'starts' })
  assert.equal(sent.status, 303, sent.text)
  const { item } = await site.call('SVC_Types.get', { id: 'event' })
  assert.deepEqual(item.list, { sort: 'starts', hide_past: 'starts', shows: ['starts'] })
  assert.match((await owner.open(address)).text, /<option value="starts" selected>Starts: earliest first/)
  const wrong = await owner.submit(formOf(await owner.open(address), { do: 'list' }), { sort: '-starts', hide_past: 'place' })
  assert.ok(wrong.status >= 400 && wrong.status < 500)
  assert.match(wrong.text, /id="e-hide_past"/)
  assert.match(wrong.text, /<option value="-starts" selected>/)
})
