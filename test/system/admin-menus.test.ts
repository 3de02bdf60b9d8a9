// Menus in the admin: items are added from a search, moved by buttons, renamed and removed, and hidden ones say why.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Form, openVisitor, type Page, type Visitor } from '../admin/visitor.ts'
import { moved, movesOf, placed } from '../../src/admin/structure/move-item.ts'
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

const tree = [
  { id: 'a', label: 'A', url: '/a' },
  { id: 'b', label: 'B', url: '/b', items: [{ id: 'c', label: 'C', url: '/c' }] },
]
const drawn = (items: readonly any[]): string =>
  items.map(({ id, items: below }) => (below ? `${id}(${drawn(below)})` : id)).join(' ')

test('an item moves up, down, in and out, and never below itself', () => {
  assert.equal(drawn(moved(tree, 'b', 'up') ?? []), 'b(c) a')
  assert.equal(drawn(moved(tree, 'a', 'down') ?? []), 'b(c) a')
  assert.equal(drawn(moved(tree, 'b', 'in') ?? []), 'a(b(c))')
  assert.equal(drawn(moved(tree, 'c', 'out') ?? []), 'a b c')
  assert.equal(moved(tree, 'a', 'up'), undefined)
  assert.deepEqual(movesOf(tree, 'c'), ['out'])
  assert.equal(placed(tree, 'b', { under: 'c' }), undefined)
  assert.equal(placed(tree, 'b', { before: 'nowhere' }), undefined)
  assert.equal(drawn(placed(tree, 'a', { under: 'b' }) ?? []), 'b(c a)')
})

test('a menu is made, filled from a search, ordered by buttons and shown to visitors', async () => {
  for (const title of ['About <us>', 'Prices'])
    await site.call('SVC_Content.create', { type: 'page', title, status: 'published', body: 'Words' })
  await site.call('SVC_Terms.create', { taxonomy: 'category', name: 'Prices of old' })
  const list = await owner.open('/admin/menus')
  const made = await owner.submit(formOf(list, { do: 'create' }), { name: 'Footer', slug: 'footer', location: 'footer' })
  assert.equal(made.status, 303, made.text)
  const path = made.location.slice(made.location.indexOf('/admin'))
  const found = await owner.open(`${path}&search=prices`)
  const forms = found.forms.filter(({ fields }) => fields['do'] === 'add')
  assert.equal(forms.length, 3, 'the page, the term and the form for an address')
  for (const form of forms.slice(0, 2)) assert.equal((await owner.submit(form)).status, 303)
  const about = (await owner.open(`${path}&search=about`)).forms.find(({ fields }) => 'entry' in fields)
  assert.ok(about)
  assert.equal((await owner.submit(about)).status, 303)
  assert.equal(
    (await owner.submit(formOf(await owner.open(path), { do: 'add' }), { label: 'Mail', url: 'mailto:us@example.org' })).status,
    303,
  )
  const shown = async () => (await site.call('SVC_Menus.get', { id: 'footer' })) as { item: any; shown: any[] }
  const labels = async () => (await shown()).shown.map(({ label }) => label)
  assert.deepEqual(await labels(), ['Prices', 'Prices of old', 'About <us>', 'Mail'])
  const { item } = await shown()
  const page = await owner.open(path)
  assert.ok(page.text.includes('About &lt;us&gt;'))
  const moving = page.forms.find(({ fields }) => fields['item'] === item.items[3].id && !('do' in fields))
  assert.ok(moving)
  assert.equal((await owner.submit(moving, { do: 'up' })).status, 303)
  assert.deepEqual(await labels(), ['Prices', 'Prices of old', 'Mail', 'About <us>'])
  const late = await owner.submit(moving, { do: 'in' })
  assert.equal(late.status, 409, 'the tree has changed since the page was shown')
  const fresh = await owner.open(path)
  const place = formOf(fresh, { do: 'place' })
  const dropped = { item: item.items[2].id as string, where: 'under', target: item.items[0].id as string }
  assert.equal((await owner.submit(place, dropped)).status, 303)
  assert.deepEqual(
    (await shown()).shown[0].items.map(({ label }: any) => label),
    ['About <us>'],
  )
})

test('pages that are not in the menu are offered without a search', async () => {
  const { item: page } = await site.call('SVC_Content.create', { type: 'page', title: 'Not linked yet' })
  await site.call('SVC_Content.create', { type: 'post', title: 'A post of the day' })
  const { item } = await site.call('SVC_Menus.create', { slug: 'offers', items: [] })
  const path = `/admin/menus/edit?id=${item.id}`
  const offered = await owner.open(path)
  assert.doesNotMatch(offered.text, /A post of the day/)
  assert.equal((await owner.submit(formOf(offered, { do: 'add', entry: page.id }))).status, 303)
  assert.equal((await site.call('SVC_Menus.get', { id: 'offers' })).item.items[0].entry, page.id)
  const [, others = ''] = (await owner.open(path)).text.split('id="adding"')
  assert.doesNotMatch(others, /Not linked yet/)
})

test('an item is renamed and removed, and a wrong address stands at its field', async () => {
  const { item } = await site.call('SVC_Menus.create', { slug: 'side', items: [{ label: 'Old', url: '/old', new_tab: true }] })
  const path = `/admin/menus/edit?id=${item.id}`
  const page = await owner.open(path)
  assert.equal((await owner.submit(formOf(page, { do: 'save' }), { label: 'New', url: '/new', new_tab: undefined })).status, 303)
  const { item: after } = await site.call('SVC_Menus.get', { id: 'side' })
  assert.deepEqual([after.items[0].label, after.items[0].url, after.items[0].new_tab], ['New', '/new', undefined])
  const wrong = await owner.submit(formOf(await owner.open(path), { do: 'add', label: '' }), {
    label: 'Bad',
    url: 'javascript:alert(1)',
  })
  assert.ok(wrong.status >= 400 && wrong.status < 500)
  assert.match(wrong.text, /id="e-url"/)
  assert.equal(formOf(wrong, { do: 'add', label: 'Bad' }).fields['label'], 'Bad')
  const removed = await owner.submit(formOf(await owner.open(path), { do: 'remove' }))
  assert.equal(removed.status, 303)
  assert.equal((await site.call('SVC_Menus.get', { id: 'side' })).item.items.length, 0)
})

test('a hidden item has the title of its entry and says why visitors do not see it', async () => {
  const { item: draft } = await site.call('SVC_Content.create', { type: 'page', title: 'Secret plans', body: 'Words' })
  await site.call('SVC_Menus.create', {
    slug: 'plans',
    items: [{ label: 'Up', url: '/up' }, { entry: draft.id }, { label: 'Down', url: '/down' }],
  })
  const page = await owner.open('/admin/menus/edit?id=plans')
  assert.match(page.text, /Secret plans<\/strong>[^]*?Draft, visitors don’t see it/)
  assert.match((await owner.open('/admin/menus')).text, /1 hidden item/)
})

test('attack 69: every form of a menu is refused without its token, and deleting takes one', async () => {
  const page = await owner.open('/admin/menus/edit?id=footer')
  for (const form of page.forms.filter(({ action }) => action.includes('/menus')))
    if (form.method === 'post') assert.equal((await owner.submit(form, { csrf: 'x' })).status, 403, form.action)
  assert.equal((await owner.submit(formOf(page, { do: 'delete' }))).status, 303)
  assert.equal((await owner.open('/admin/menus/edit?id=footer')).status, 404)
})

test('attacks 98, 104, 105: hostile names are text on the pages of menus', async () => {
  const hostile = '"><script>alert(1)</script>'
  const { item } = await site.call('SVC_Menus.create', { slug: 'hostile', name: hostile, items: [{ label: hostile, url: '/x' }] })
  for (const path of ['/admin/menus', `/admin/menus/edit?id=${item.id}&search=${encodeURIComponent(hostile)}`]) {
    const page = await owner.open(path)
    assert.equal(page.status, 200)
    assert.ok(!page.text.includes('<script>alert'), path)
  }
})

test('the pages of the site’s structure, themes, activity and home are in the language of the browser', async () => {
  const german: Readonly<Record<string, string>> = {
    '/admin/': 'Änderungen warten',
    '/admin/search': 'Alles durchsuchen',
    '/admin/activity': 'Aktivität durchsuchen',
    '/admin/approvals': 'Nichts wartet auf Sie',
    '/admin/menus': 'Menü hinzufügen',
    '/admin/redirects?list=missed': 'Was Besucher nicht fanden',
    '/admin/terms': 'Kategorien und Schlagwörter',
    '/admin/themes': 'Ein eigenes Theme',
    '/admin/types/edit?id=page': 'Feld hinzufügen',
  }
  for (const [address, words] of Object.entries(german)) {
    const { text, status } = await owner.open(address, { 'accept-language': 'de-AT, en;q=0.5' })
    assert.deepEqual([status, /<html lang="([^"]+)/.exec(text)?.[1], text.includes(words)], [200, 'de', true], address)
  }
})
