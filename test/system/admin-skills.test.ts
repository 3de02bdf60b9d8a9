// The page of skills: written, changed and deleted by forms, and never served as files.

import assert from 'node:assert/strict'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { openVisitor, type Visitor } from '../admin/visitor.ts'
import { openSite, type TestSite } from '../site.ts'
import { until } from '../until.ts'

let site: TestSite
let owner: Visitor
before(async () => {
  site = await openSite()
  owner = openVisitor(site)
  await owner.signIn()
})
after(() => site[Symbol.asyncDispose]())

const folder = (): string => join(site.home, 'user-content', 'skills')
const style = { slug: 'house-style', when: 'Before <b>writing</b>', text: 'Be "short".\n</textarea>' }

test('a skill is written, changed and deleted by forms', async () => {
  const made = await owner.submit((await owner.open('/admin/skills')).form('/admin/skills'), style)
  assert.equal(made.status, 303, made.text)
  const listed = await owner.follow(made)
  assert.ok(listed.text.includes('Before &lt;b&gt;writing&lt;/b&gt;'))
  assert.match(await readFile(join(folder(), 'house-style.md'), 'utf8'), /Be "short"\.\n<\/textarea>/)
  const form = (await owner.open('/admin/skills?edit=house-style')).form('/admin/skills')
  assert.deepEqual([form.fields['slug'], form.fields['text']], [style.slug, style.text])
  assert.equal((await owner.submit(form, { text: 'Be long.' })).status, 303)
  const late = await owner.submit(form, { text: 'Be late.' })
  assert.equal(late.status, 409)
  assert.ok(late.text.includes('Be late.'), 'what was filled in is still there')
  assert.equal((await site.call('SVC_Skills.get', { id: 'house-style' })).item.text, 'Be long.')
  const page = await owner.open('/admin/skills')
  assert.equal((await owner.submit(page.form('/admin/skills/delete'))).status, 303)
  assert.deepEqual(await readdir(folder()), [])
})

test('what is wrong with a field stands at it', async () => {
  const page = await owner.submit((await owner.open('/admin/skills')).form('/admin/skills'), { ...style, slug: 'House Style' })
  assert.equal(page.status, 422)
  assert.match(page.text, /id="e-slug"[^]*lower-case letters, digits and hyphens/)
  assert.match(page.text, /aria-describedby="h-slug e-slug" aria-invalid="true"/)
  assert.equal((await owner.open('/admin/skills?edit=none')).status, 404)
})

test('what the command line writes, the service tells', async () => {
  const given = JSON.stringify({ slug: 'prices', when: 'Before naming one', text: 'With VAT.' })
  const { code, stderr } = await site.postern(['call', 'SVC_Skills.put', '-'], given)
  assert.equal(code, 0, stderr)
  assert.match(await readFile(join(folder(), 'prices.md'), 'utf8'), /With VAT\./)
  assert.equal((await site.call('SVC_Skills.get', { id: 'prices' })).item.text, 'With VAT.')
  const { items } = await site.call('SVC_Activity.list', { where: { door: 'system' } })
  assert.deepEqual(items, [], 'its file is no edit')
  const told = async () => (await site.call('SVC_API.welcome')).skills.some(({ slug }: { slug: string }) => slug === 'prices')
  await until('welcome tells it', told)
  await site.call('SVC_Skills.delete', { id: 'prices' })
})

test('a file of a skill is never served', async () => {
  await writeFile(join(folder(), 'open.md'), 'secret')
  for (const path of ['/user-content/skills/open.md', '/User-Content/skills//open.md']) {
    const { status, text } = await site.send(path)
    assert.equal(status, 403)
    assert.ok(!text.includes('secret'))
  }
})
