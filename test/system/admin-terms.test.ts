// Terms and redirects in the admin: every form does what the action of its name does.

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
const hostile = '"><script>alert(1)</script>'
const categories = '/admin/terms?taxonomy=category'

test('terms are added as a tree with counts, changed, merged and deleted', async () => {
  const add = async (fields: Record<string, string>) =>
    owner.submit(formOf(await owner.open(categories), { do: 'create' }), fields)
  assert.equal((await add({ name: 'News' })).status, 303)
  const { item: news } = await site.call('SVC_Terms.get', { id: 'category/news' })
  assert.equal((await add({ name: 'Local', parent: news.id })).status, 303)
  assert.equal((await add({ name: 'Nearby' })).status, 303)
  await site.call('SVC_Content.create', {
    type: 'post',
    title: 'Fair',
    status: 'published',
    terms: ['category/local'],
    body: 'Words',
  })
  const page = await owner.open(categories)
  assert.match(page.text, /News<\/a>[^]*?1 public entry[^]*?<ul class="tree">[^]*?Local/)
  const { item: nearby } = await site.call('SVC_Terms.get', { id: 'category/nearby' })
  const edit = formOf(await owner.open(`/admin/terms/edit?id=${nearby.id}`), { do: 'save' })
  assert.equal((await owner.submit(edit, { name: 'Near <us>', slug: 'near', parent: news.id, text: 'About.' })).status, 303)
  assert.equal((await owner.submit(edit, { name: 'Late' })).status, 409)
  assert.ok((await owner.open(categories)).text.includes('Near &lt;us&gt;'))
  const { item: local } = await site.call('SVC_Terms.get', { id: 'category/local' })
  assert.equal(
    (await owner.submit(formOf(await owner.open(categories), { do: 'merge' }), { ids: nearby.id, into: local.id })).status,
    303,
  )
  assert.equal((await owner.open(`/admin/terms/edit?id=${nearby.id}`)).status, 404)
  assert.equal((await owner.submit(formOf(await owner.open(`/admin/terms/edit?id=${local.id}`), { do: 'delete' }))).status, 303)
  assert.deepEqual(
    (await site.call('SVC_Terms.list', { taxonomy: 'category' })).items.map(({ name }: any) => name),
    ['News'],
  )
})

test('a taxonomy is added, changed and deleted', async () => {
  const made = await owner.submit(formOf(await owner.open('/admin/terms'), { do: 'new-taxonomy' }), {
    name: 'Regions',
    slug: 'region',
  })
  assert.equal(made.status, 303, made.text)
  const page = await owner.follow(made)
  assert.equal((await owner.submit(formOf(page, { do: 'taxonomy' }), { name: 'Areas', types: 'post', tree: 'yes' })).status, 303)
  const { items } = await site.call('SVC_Terms.taxonomies')
  const { name, types, tree } = items.find(({ slug }: any) => slug === 'region')
  assert.deepEqual([name, types, tree], ['Areas', ['post'], true])
  assert.equal((await owner.submit(formOf(page, { do: 'delete-taxonomy' }))).status, 303)
  assert.match((await owner.open('/admin/terms?taxonomy=region')).text, /There is no such group/)
})

test('redirects are added, changed, pasted and deleted, with faults at their fields', async () => {
  const open = () => owner.open('/admin/redirects')
  const added = await owner.submit(formOf(await open(), { do: 'save' }), { from: '/old', to: '/new', note: hostile })
  assert.equal(added.status, 303, added.text)
  const again = await owner.submit(formOf(await open(), { do: 'save' }), { from: '/old', to: '/other' })
  assert.equal(again.status, 409)
  assert.match(again.text, /id="e-from"/)
  assert.equal(formOf(again, { do: 'save' }).fields['to'], '/other')
  const { item } = await site.call('SVC_Redirects.get', { id: '/old' })
  const edit = formOf(await owner.open(`/admin/redirects?edit=${item.id}`), { do: 'save', id: item.id })
  assert.equal((await owner.submit(edit, { to: '', status: '302' })).status, 303)
  assert.equal((await site.call('SVC_Redirects.get', { id: '/old' })).item.to, null)
  const csv = 'from,to\n/a-old,/a\n/b-old,/b\n'
  assert.equal((await owner.submit(formOf(await open(), { do: 'paste' }), { csv })).status, 303)
  const list = (await open()).forms.find(
    ({ action, fields }) => action.endsWith('/redirects') && 'csrf' in fields && !('do' in fields),
  )
  assert.ok(list)
  assert.equal((await owner.submit(list, { do: 'delete', ids: item.id })).status, 303)
  assert.equal((await site.call('SVC_Redirects.list', { where: { origin: 'hand' } })).items.length, 2)
})

test('what visitors missed is redirected to the suggestion in one press', async () => {
  await site.call('SVC_Content.create', {
    type: 'page',
    title: 'Opening hours',
    slug: 'opening-hours',
    status: 'published',
    body: 'Words',
  })
  await fetch(`${site.base}/opening-hour`, { headers: { accept: 'text/html' } })
  const page = await owner.open('/admin/redirects?list=missed')
  const form = formOf(page, { do: 'save', from: '/opening-hour', to: '/opening-hours' })
  assert.equal((await owner.submit(form)).status, 303)
  assert.equal((await site.call('SVC_Redirects.get', { id: '/opening-hour' })).item.to, '/opening-hours')
  assert.ok(!(await owner.open('/admin/redirects?list=missed')).text.includes('/opening-hour<'))
})

test('attacks 69, 98, 104, 105: forms need their token, and hostile names are text', async () => {
  const { item } = await site.call('SVC_Terms.create', { taxonomy: 'category', name: hostile, text: hostile })
  await site.call('SVC_Redirects.create', { from: '/hostile', to: '/new', note: hostile })
  const search = encodeURIComponent(hostile)
  for (const path of [
    categories,
    `/admin/terms/edit?id=${item.id}`,
    '/admin/redirects',
    `/admin/redirects?from=${search}&search=${search}`,
    `/admin/redirects?list=missed&search=${search}`,
  ]) {
    const page = await owner.open(path)
    assert.equal(page.status, 200, path)
    assert.ok(!page.text.includes('<script>alert'), path)
    for (const form of page.forms.filter(({ method }) => method === 'post'))
      assert.equal((await owner.submit(form, { csrf: 'x' })).status, 403, `${path} ${form.action}`)
  }
})
