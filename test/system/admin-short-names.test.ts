// Menus, types, groups, tags and themes are made by their names alone. The short name in their addresses is made from the name, and
// stays free of the names that are taken.

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

const formOf = (page: Page, does: string): Form =>
  page.forms.find(({ fields }) => fields['do'] === does) ?? assert.fail(`no form ${does}: ${page.text}`)

/** Fills in the form that makes one, and nothing but its name. */
async function make(path: string, does: string, fields: Readonly<Record<string, string>>): Promise<string> {
  const made = await owner.submit(formOf(await owner.open(path), does), fields)
  assert.equal(made.status, 303, made.text)
  return decodeURIComponent(made.location)
}

const slugsOf = async (action: string): Promise<readonly string[]> =>
  (await site.call(action, {})).items.map(({ slug }: { slug: string }) => slug)

test('a menu, a type and a group are made by a name, and a second one of that name gets a number', async () => {
  for (let time = 0; time < 2; time++) await make('/admin/menus', 'create', { name: 'Über uns' })
  assert.deepEqual(await slugsOf('SVC_Menus.list'), ['uber-uns', 'uber-uns-2'])
  assert.match(await make('/admin/types', 'create', { name: 'Our breads' }), /id=our-breads$/)
  assert.match(await make('/admin/types', 'create', { name: 'Our breads' }), /id=our-breads-2$/)
  // The path of a page, and a name that the service needs, are taken too.
  await site.call('SVC_Content.create', { type: 'page', title: 'Regions', status: 'published' })
  assert.match(await make('/admin/terms', 'new-taxonomy', { name: 'Regions' }), /taxonomy=regions-2/)
  assert.match(await make('/admin/terms', 'new-taxonomy', { name: 'Admin' }), /taxonomy=admin-2/)
})

test('a group with the name of another is a new one, and the other stays as it was', async () => {
  await make('/admin/terms', 'new-taxonomy', { name: 'Seasons', tree: 'yes' })
  assert.match(await make('/admin/terms', 'new-taxonomy', { name: 'Seasons' }), /taxonomy=seasons-2/)
  const { items } = await site.call('SVC_Terms.taxonomies', {})
  const trees = items.filter(({ name }: { name: string }) => name === 'Seasons').map(({ tree }: { tree: boolean }) => tree)
  assert.deepEqual(trees, [true, false])
})

test('a short name that a person types is taken as it is, and a wrong one is refused beside its field', async () => {
  const form = formOf(await owner.open('/admin/menus'), 'create')
  const refused = await owner.submit(form, { name: 'Side', slug: 'No slug!' })
  assert.equal(refused.status, 422)
  assert.match(refused.text, /<details class="folded" open>[^]*id="e-slug"/)
  await make('/admin/menus', 'create', { name: 'Side', slug: 'at-the-side' })
  assert.ok((await slugsOf('SVC_Menus.list')).includes('at-the-side'))
})

test('a theme is copied under a name as a person writes it', async () => {
  const location = await make('/admin/themes', 'copy', { from: 'default', way: 'base', slug: 'Meine Bäckerei' })
  assert.match(location, /id=meine-backerei$/)
})

test('no page of the admin asks a person for a slug, a term or a taxonomy', async () => {
  for (const path of ['/admin/terms', '/admin/menus', '/admin/types', '/admin/themes', '/admin/content', '/admin/content/new']) {
    const { text } = await owner.open(path)
    const words = text.replace(/<(script|style|code)\b[^]*?<\/\1>/g, '').replace(/<[^>]*>/g, ' ')
    assert.doesNotMatch(words, /\b(slugs?|terms?|taxonom(?:y|ies))\b/i, path)
  }
})
