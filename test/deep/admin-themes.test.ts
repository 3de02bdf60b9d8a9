// Themes in the admin: previewed, activated, copied and configured by forms; files are changed in a plain editor, and problems name file and line.

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
const path = '/admin/themes/edit?id=mine'
const file = `${path}&file=page.liquid`

test('a theme is copied, its file is changed and reverted, and a late change is refused with its text kept', async () => {
  const list = await owner.open('/admin/themes')
  assert.match(list.text, /Preview/)
  const made = await owner.submit(formOf(list, { do: 'copy' }), { from: 'default', way: 'copy', slug: 'mine' })
  assert.equal(made.status, 303, made.text)
  assert.equal((await owner.submit(formOf(list, { do: 'copy' }), { from: 'default', slug: 'mine' })).status, 409)
  const form = formOf(await owner.open(file), { do: 'write' })
  const before = form.fields['text'] ?? ''
  assert.equal(before, (await site.call('SVC_Themes.read', { id: 'mine', file: 'page.liquid' })).text)
  const text = `${before}<p>&lt;/textarea&gt; </p>\n`
  assert.equal((await owner.submit(form, { text })).status, 303)
  assert.equal((await site.call('SVC_Themes.read', { id: 'mine', file: 'page.liquid' })).text, text)
  const late = await owner.submit(form, { text: '<p>Late</p>' })
  assert.equal(late.status, 409)
  assert.equal(formOf(late, { do: 'write' }).fields['text'], '<p>Late</p>')
  assert.equal((await owner.submit(formOf(await owner.open(file), { do: 'revert', to: '1' }))).status, 303)
  assert.equal((await site.call('SVC_Themes.read', { id: 'mine', file: 'page.liquid' })).text, before)
})

test('a theme on a shipped one shows what comes from there, and a saved change is a file of its own until it is removed', async () => {
  const made = await owner.submit(formOf(await owner.open('/admin/themes'), { do: 'copy' }), {
    from: 'documentation',
    slug: 'manual',
  })
  assert.equal(made.status, 303, made.text)
  const edit = '/admin/themes/edit?id=manual'
  const shown = await owner.open('/admin/themes/files?id=manual')
  assert.match(shown.text, /partials\/tree\.liquid<\/a\s*><small>[^<]*, from documentation</)
  assert.match(shown.text, /theme\.json<\/a\s*><small>\d+ bytes<\/small>/)
  const tree = `${edit}&file=partials/tree.liquid`
  const inherited = await owner.open(tree)
  assert.match(inherited.text, /comes from the theme documentation/)
  assert.ok(!inherited.forms.some(({ fields }) => fields['do'] === 'remove'))
  const before = formOf(inherited, { do: 'write' }).fields['text'] ?? ''
  assert.equal((await owner.submit(formOf(inherited, { do: 'write' }), { text: `<p>Tree</p>\n${before}` })).status, 303)
  assert.match((await owner.open(tree)).text, /&lt;p&gt;Tree&lt;\/p&gt;/)
  assert.equal((await owner.submit(formOf(await owner.open(tree), { do: 'remove' }))).status, 303)
  assert.equal(formOf(await owner.open(tree), { do: 'write' }).fields['text'], before)
  const page = await owner.open('/admin/themes')
  assert.match(page.text, /your own, on documentation: <code>manual<\/code>/)
})

test('problems of a theme name file and line, and a theme with problems is not activated', async () => {
  await owner.submit(formOf(await owner.open(file), { do: 'write' }), { text: 'One\n{% nonsense %}' })
  const page = await owner.open(path)
  assert.match(page.text, /page\.liquid<\/a>, line 2/)
  const refused = await owner.submit(formOf(await owner.open('/admin/themes'), { do: 'activate', id: 'mine' }))
  assert.equal(refused.status, 422)
  assert.match(refused.text, /page\.liquid, line 2/)
  assert.equal(
    (await owner.submit(formOf(await owner.open('/admin/themes/files?id=mine'), { do: 'revert', to: '1' }))).status,
    303,
  )
  assert.equal((await owner.submit(formOf(await owner.open('/admin/themes'), { do: 'activate', id: 'mine' }))).status, 303)
  const { items } = await site.call('SVC_Themes.list')
  assert.deepEqual(
    items.filter(({ active }: any) => active).map(({ id }: any) => id),
    ['mine'],
  )
})

test('the settings are a form of the theme, with faults at their fields and null for a default', async () => {
  const form = formOf(await owner.open(path), { do: 'configure' })
  const { item } = await site.call('SVC_Themes.get', { id: 'mine', full: true })
  const setting = item.settings.find(({ type }: any) => type === 'text')
  assert.ok(setting, 'the theme has a setting that is a text')
  const name = `setting-${setting.id}`
  const wrong = await owner.submit(form, { [name]: 'javascript:alert(1)' })
  assert.equal(wrong.status, 422)
  assert.match(wrong.text, new RegExp(`id="e-${name}"`))
  assert.equal((await owner.submit(form, { [name]: 'Open till "late"' })).status, 303)
  const value = async () =>
    (await site.call('SVC_Themes.get', { id: 'mine', full: true })).item.settings.find(({ id }: any) => id === setting.id).value
  assert.equal(await value(), 'Open till "late"')
})

test('attacks 69, 98, 104, 105: forms of themes need their token, and files are text', async () => {
  const hostile = '</textarea><script>alert(1)</script>'
  await site.call('SVC_Themes.create', { slug: 'hostile', from: 'default' })
  await site.call('SVC_Themes.write', { id: 'hostile', file: 'partials/note.liquid', text: hostile })
  for (const address of [
    '/admin/themes',
    '/admin/themes/edit?id=hostile',
    '/admin/themes/edit?id=hostile&file=partials/note.liquid',
  ]) {
    const page = await owner.open(address)
    assert.equal(page.status, 200, address)
    assert.ok(!page.text.includes('<script>alert'), address)
    for (const form of page.forms.filter(({ method }) => method === 'post'))
      assert.equal((await owner.submit(form, { csrf: 'x' })).status, 403, `${address} ${form.action}`)
  }
  const removing = formOf(await owner.open('/admin/themes/edit?id=hostile&file=partials/note.liquid'), { do: 'remove' })
  assert.equal((await owner.submit(removing)).status, 303)
  assert.equal((await owner.submit(formOf(await owner.open('/admin/themes/edit?id=hostile'), { do: 'delete' }))).status, 303)
  assert.equal((await owner.open('/admin/themes/edit?id=hostile')).status, 404)
})
