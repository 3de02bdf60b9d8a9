// The media library in the admin: files are uploaded, found, described, replaced, put into the trash and destroyed by forms.

import assert from 'node:assert/strict'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import sharp from 'sharp'
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

const drawing = (radius: number): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><circle cx="5" cy="5" r="${radius}"/></svg>`

/** Sends a form with files, as a browser would. */
async function send(
  form: Form,
  files: Readonly<Record<string, string | Uint8Array<ArrayBuffer>>>,
  fields: Readonly<Record<string, string>> = {},
) {
  const data = new FormData()
  for (const [name, value] of Object.entries({ ...form.fields, ...fields }))
    if (name !== 'files' && name !== 'file') data.set(name, value)
  for (const [name, bytes] of Object.entries(files)) data.append('files', new Blob([bytes]), name)
  const cookie = [...owner.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const headers = { cookie, 'sec-fetch-site': 'same-origin' }
  const response = await fetch(site.address + form.action, { method: 'POST', body: data, headers, redirect: 'manual' })
  return { status: response.status, location: response.headers.get('location') ?? '', text: await response.text() }
}

const formOf = (page: Page, work: string): Form => {
  const form = page.forms.find(({ fields }) => fields['do'] === work)
  assert.ok(form, `no form to ${work}: ${page.text}`)
  return form
}

/** The form for what is selected in the list. */
function selected(page: Page): Form {
  const form = page.forms.find(
    ({ method, fields, action }) => method === 'post' && !('do' in fields) && /\/media(?:\?|$)/.test(action),
  )
  assert.ok(form, page.text)
  return form
}

const waiting = (): Promise<string[]> => readdir(join(site.home, 'data', 'incoming')).catch(() => [])

async function uploaded(name: string, radius: number): Promise<string> {
  const { item } = await site.call('SVC_Media.upload', { text: drawing(radius), filename: name })
  return item.id as string
}

test('several files are uploaded by one form, and one that is not taken is named with its reason', async () => {
  const empty = await owner.open('/admin/media')
  assert.match(empty.text, /No file yet/)
  const form = empty.form('/admin/media/upload')
  const sent = await send(form, { 'one.svg': drawing(1), 'two.svg': drawing(2), 'three.exe': 'MZ\u0090\0' }, { folder: 'team' })
  assert.equal(sent.status, 415, sent.text)
  assert.match(sent.text, /three\.exe: [^<]+The other 2 files were stored\./)
  const { items } = await site.call('SVC_Media.list', { folders: true, select: ['filename', 'folder'] })
  assert.deepEqual(items.map(({ filename, folder }: any) => `${folder}/${filename}`).sort(), ['team/one.svg', 'team/two.svg'])
  assert.deepEqual(await waiting(), [])
  const good = await send(form, { 'dot.svg': drawing(3) })
  assert.equal(good.status, 303, good.text)
  assert.equal((await send(form, {})).status, 422)
})

test('a list that shows only some fields shows them of files in every state', async () => {
  await mkdir(join(site.home, 'user-content', 'uploads', 'protected'), { recursive: true })
  await writeFile(join(site.home, 'user-content', 'uploads', 'protected', 'report.txt'), 'Secret')
  const { items } = await site.call('SVC_Media.list', { select: ['filename', 'folder', 'deleted_at'] })
  assert.deepEqual(items.at(-1), { filename: 'report.txt', folder: null, deleted_at: null })
  assert.match((await owner.open('/admin/media')).text, /report\.txt/)
  assert.equal((await owner.open('/admin/media/file?id=protected/report.txt')).status, 200)
})

test('attack 69: an upload with a foreign or missing token is refused and leaves nothing', async () => {
  const form = (await owner.open('/admin/media')).form('/admin/media/upload')
  for (const csrf of ['', form.fields['csrf']?.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')) ?? '']) {
    const sent = await send(form, { 'evil.svg': drawing(4) }, { csrf })
    assert.equal(sent.status, 403)
  }
  assert.deepEqual(await waiting(), [])
  assert.deepEqual((await site.call('SVC_Media.list', { search: 'evil' })).items, [])
})

test('the library is searched and filtered by folder, kind and missing description', async () => {
  await site.call('SVC_Media.upload', { text: 'Hours and prices', filename: 'prices.txt' })
  const ones = await owner.open('/admin/media?folder=team&search=one')
  assert.ok(ones.text.includes('one.svg') && !ones.text.includes('two.svg'))
  assert.match(ones.text, /<option value="team" selected>/)
  const texts = await owner.open('/admin/media?kind=text&view=table')
  assert.ok(texts.text.includes('prices.txt') && !texts.text.includes('one.svg'))
  const bare = await owner.open('/admin/media?alt=none')
  assert.ok(bare.text.includes('No description') && !bare.text.includes('prices.txt'))
  assert.match((await owner.open('/admin/media?search=nowhere')).text, /No file matches/)
})

test('a file is described by a form; what was wrong stands at its field, and a change in between is told', async () => {
  const id = await uploaded('describe.svg', 5)
  const form = formOf(await owner.open(`/admin/media/file?id=${id}`), 'save')
  const wrong = await owner.submit(form, { folder: '..', alt: 'A "dot" & <more>' })
  assert.ok(wrong.status >= 400 && wrong.status < 500)
  assert.match(wrong.text, /id="e-folder"/)
  assert.equal(formOf(wrong, 'save').fields['alt'], 'A "dot" & <more>')
  const filled = { alt: 'A dot', caption: 'Round', filename: 'point.svg', folder: 'shapes' }
  assert.equal((await owner.submit(form, filled)).status, 303)
  const { item } = await site.call('SVC_Media.get', { id })
  assert.deepEqual([item.alt, item.caption, item.path], ['A dot', 'Round', '/media/shapes/point.svg'])
  const late = await owner.submit(form, { alt: 'Late' })
  assert.equal(late.status, 409)
  assert.ok(late.text.includes('Late'))
  const again = formOf(await owner.open(`/admin/media/file?id=${id}`), 'save')
  await owner.submit(again, { decoration: 'yes' })
  assert.equal((await site.call('SVC_Media.get', { id })).item.alt, '')
})

test('a file that entries use names them before it goes into the trash, comes back, and is destroyed', async () => {
  const id = await uploaded('used.svg', 6)
  await site.call('SVC_Content.create', {
    type: 'page',
    title: 'Our <b>team</b>',
    status: 'published',
    body: '![x](/media/used.svg)',
  })
  const page = await owner.open(`/admin/media/file?id=${id}`)
  assert.match(page.text, /1 entry would show nothing there:<\/strong>\s*Our &lt;b&gt;team/)
  const many = await owner.submit(selected(await owner.open('/admin/media')), { do: 'trash', ids: id })
  assert.equal(many.status, 409)
  assert.match(many.text, /is used by Our/)
  assert.ok(formOf(many, 'trash').fields['force'])
  assert.equal((await owner.submit(formOf(page, 'trash'))).status, 303)
  const trashed = await owner.open(`/admin/media/file?id=${id}`)
  assert.match(trashed.text, /This file is in the trash/)
  assert.equal((await owner.submit(formOf(trashed, 'restore'))).status, 303)
  assert.equal((await owner.submit(formOf(await owner.open(`/admin/media/file?id=${id}`), 'trash'))).status, 303)
  const list = selected(await owner.open('/admin/media?trash=yes'))
  const asked = await owner.submit(list, { do: 'purge', ids: id })
  assert.match(asked.text, /Destroy 1 file\?/)
  const destroyed = await owner.submit(formOf(asked, 'purge'))
  assert.equal(destroyed.status, 303, destroyed.text)
  assert.equal((await owner.open(`/admin/media/file?id=${id}`)).status, 404)
})

test('a file is replaced by another, and keeps its address', async () => {
  const id = await uploaded('logo.svg', 7)
  const form = (await owner.open(`/admin/media/file?id=${id}`)).form('/admin/media/replace')
  assert.equal((await send(form, { 'new.svg': drawing(8) })).status, 303)
  const { item } = await site.call('SVC_Media.get', { id })
  assert.equal(item.path, '/media/logo.svg')
  assert.equal(item.earlier.length, 1)
  const wrong = await send(form, { 'new.txt': 'no picture' })
  assert.equal(wrong.status, 422)
  assert.match(wrong.text, /upload it as a file of its own/)
})

test('a replaced picture asks whether its description still holds, and a copy of another shape is a file of its own', async () => {
  const png = await sharp({ create: { width: 60, height: 40, channels: 3, background: '#b5651d' } })
    .png()
    .toBuffer()
  const { item } = await site.call('SVC_Media.upload', { base64: png.toString('base64'), filename: 'loaf.png', alt: 'A loaf' })
  const path = `/admin/media/file?id=${item.id}`
  const cropped = await owner.submit(formOf(await owner.open(path), 'crop'), { shape: 'square' })
  assert.equal(cropped.status, 303, cropped.text)
  const copy = await owner.open(cropped.location)
  assert.match(copy.text, /<h1>loaf-square\.png<\/h1>[^]*40 × 40/)
  assert.equal((await site.call('SVC_Media.get', { id: item.id })).item.width, 60, 'the first stays as it is')
  const other = new Uint8Array(await sharp(png).negate().png().toBuffer())
  const replaced = await send((await owner.open(path)).form('/admin/media/replace'), { 'rye.png': other })
  assert.equal(replaced.status, 303, replaced.text)
  assert.match((await owner.open(replaced.location)).text, /Does the description still say what the picture shows\?/)
})

test('attack 69: every form of the library is refused without its token', async () => {
  const id = await uploaded('guarded.svg', 9)
  const pages = [await owner.open('/admin/media'), await owner.open(`/admin/media/file?id=${id}`)]
  const forms = pages
    .flatMap(({ forms: all }) => all)
    .filter(({ action, method }) => method === 'post' && action.includes('/media') && !/upload|replace/.test(action))
  assert.ok(forms.length >= 3)
  for (const form of forms) assert.equal((await owner.submit(form, { csrf: 'x', do: 'trash', ids: id })).status, 403, form.action)
  assert.equal((await site.call('SVC_Media.get', { id })).item.deleted_at, undefined)
})

test('attacks 98, 104, 105: hostile names and folders are text on each page', async () => {
  const hostile = '"><script>alert(1)</script>'
  const { item } = await site.call('SVC_Media.upload', {
    text: drawing(2.5),
    filename: `${hostile}.svg`,
    alt: hostile,
    caption: hostile,
  })
  for (const path of [
    '/admin/media',
    '/admin/media?view=table',
    `/admin/media/file?id=${item.id}`,
    `/admin/media?search=${encodeURIComponent(hostile)}&folder=${encodeURIComponent(hostile)}`,
  ]) {
    const page = await owner.open(path)
    assert.equal(page.status, 200, path)
    assert.ok(!page.text.includes('<script>alert'), path)
  }
})
