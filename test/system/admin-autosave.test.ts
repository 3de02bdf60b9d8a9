// What the editor saves by itself: drafts as they are, public entries as changes that wait, one revision and one record per stretch of writing; and
// what its script asks for beside: previews, uploads, links. The script itself is tried in a browser.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { openVisitor, type Form, type Visitor } from '../admin/visitor.ts'
import { openSite, type TestSite } from '../site.ts'

let site: TestSite
let owner: Visitor
before(async () => {
  site = await openSite()
  owner = openVisitor(site)
  await owner.signIn()
})
after(() => site[Symbol.asyncDispose]())

const whole = async (id: string, more: Record<string, unknown> = {}) =>
  (await site.call('SVC_Content.get', { id, ...more })).item as Record<string, any> // oxlint-disable-line no-explicit-any -- what came over the wire

const revisionsOf = async (id: string) =>
  (await site.call('SVC_Content.revisions', { id })).items as { revision: number; via: string }[]

const recordsOf = async (id: string) =>
  (await site.call('SVC_Activity.list', { where: { object: id } })).items as { id: string; via: string }[]

async function make(input: Record<string, unknown>): Promise<string> {
  return (await site.call('SVC_Content.create', { type: 'page', ...input })).item.id as string
}

/** A writer with the editor open. */
async function openEditor(visitor: Visitor, id: string) {
  const form = (await visitor.open(`/admin/content/edit?id=${id}`)).form(`edit?id=${id}`)
  let revision = form.fields['revision'] ?? ''
  return {
    form,
    async write(fields: Record<string, string>) {
      const answer = await visitor.submit({ ...form, action: '/admin/content/autosave' }, { ...fields, id, revision })
      const json = JSON.parse(answer.text) as { revision?: number; conflict?: boolean; message?: string; staged?: boolean }
      if (json.revision !== undefined) revision = String(json.revision)
      return { status: answer.status, ...json }
    },
  }
}

test('autosaves of one person are one revision and one record, which undo takes back as a whole', async () => {
  const id = await make({ title: 'Log book', body: 'Start.' })
  const writer = await openEditor(owner, id)
  for (const body of ['Start. A', 'Start. A b', 'Start. A b c']) assert.equal((await writer.write({ body })).status, 200)
  await writer.write({ body: 'Start. A b c', title: 'Log books' })
  assert.deepEqual(
    (await revisionsOf(id)).map(({ via }) => via),
    ['admin', 'api'],
  )
  const { body, title, revision } = await whole(id)
  assert.deepEqual([body, title, revision], ['Start. A b c', 'Log books', 5])
  const records = await recordsOf(id)
  assert.equal(records.length, 2, JSON.stringify(records))
  await site.call('SVC_Activity.undo', { id: records[0]?.id })
  const undone = await whole(id)
  assert.deepEqual([undone.body, undone.title], ['Start.', 'Log book'])
})

test('an autosave does not join one after which somebody else wrote, nor what a button saved', async () => {
  const id = await make({ title: 'Shared', body: 'One.' })
  const writer = await openEditor(owner, id)
  await writer.write({ body: 'One. Two.' })
  await site.call('SVC_Content.update', { id, excerpt: 'From a script.' })
  const again = await openEditor(owner, id)
  await again.write({ body: 'One. Two. Three.' })
  const saved = await owner.submit((await openEditor(owner, id)).form, { do: 'save', body: 'By hand.' })
  assert.equal(saved.status, 303, saved.text)
  await (await openEditor(owner, id)).write({ body: 'By hand, and more.' })
  assert.equal((await revisionsOf(id)).length, 6)
  const texts = await Promise.all(
    (await revisionsOf(id)).map(async ({ revision }) => (await whole(id, { revision })).body as string),
  )
  for (const text of ['One.', 'One. Two.', 'One. Two. Three.', 'By hand.', 'By hand, and more.'])
    assert.ok(texts.includes(text), text)
})

test('a public entry is saved as changes that wait, and only texts are saved by themselves', async () => {
  const id = await make({ title: 'Front', body: 'Public.', status: 'published' })
  const writer = await openEditor(owner, id)
  const first = await writer.write({ body: 'Waiting.', published_at: '2001-01-01T00:00', slug: 'elsewhere' })
  assert.deepEqual([first.status, first.staged], [200, true])
  await writer.write({ body: 'Waiting still.' })
  const live = await whole(id)
  assert.deepEqual([live.body, live.slug], ['Public.', 'front'])
  assert.equal((await whole(id, { stage: true })).body, 'Waiting still.')
  assert.equal((await revisionsOf(id)).length, 2)
  await site.call('SVC_Activity.undo', { id: (await recordsOf(id))[0]?.id })
  assert.equal((await whole(id)).staged, false)
})

test('a save over somebody else’s change is refused, and writes nothing', async () => {
  const id = await make({ title: 'Twice', body: 'Base.' })
  const writer = await openEditor(owner, id)
  await site.call('SVC_Content.update', { id, body: 'Theirs.' })
  const refused = await writer.write({ body: 'Mine.' })
  assert.deepEqual([refused.status, refused.conflict], [409, true])
  assert.equal((await writer.write({ body: 'Theirs.' })).conflict, true, 'the same text is not the revision that was read')
  assert.equal((await whole(id)).body, 'Theirs.')
})

test('a new entry becomes a draft, once', async () => {
  const form = (await owner.open('/admin/content/new?type=post')).form('new?type=post')
  const answer = await owner.submit(
    { ...form, action: '/admin/content/autosave?type=post' },
    { id: '', title: 'Fresh', body: 'Words.' },
  )
  const { id } = JSON.parse(answer.text) as { id: string }
  const { type, status, body } = await whole(id)
  assert.deepEqual([type, status, body], ['post', 'draft', 'Words.'])
})

test('other doors can not ask for joined saves', async () => {
  const id = await make({ title: 'Plain', body: 'a' })
  const refused = await site.api('SVC_Content.update', { id, body: 'b', autosave: true })
  assert.equal(refused.json.error.code, 'invalid')
})

test('the script gets previews, links and a place for images', async () => {
  const id = await make({ title: 'Quay walls', body: 'Old.' })
  const { form } = await openEditor(owner, id)
  const preview = await owner.submit({ ...form, action: '/admin/content/preview' }, { id, body: 'New **words**.' })
  const { url } = JSON.parse(preview.text) as { url: string }
  assert.match((await owner.open(url)).text, /New <strong>words<\/strong>/)
  assert.equal((await whole(id)).body, 'Old.')
  // The page beside the text keeps one link, which is recorded once.
  const again = await owner.submit({ ...form, action: '/admin/content/preview' }, { id, body: 'Newer words.' })
  assert.match((await owner.open((JSON.parse(again.text) as { url: string }).url)).text, /Newer words/)
  assert.match((await owner.open(url)).text, /Newer words/)
  assert.equal((await site.call('SVC_Content.previews')).items.length, 1)
  const records = await site.call('SVC_Activity.list', { where: { call: 'SVC_Content.preview' } })
  assert.equal(records.items.length, 1)
  const found = JSON.parse((await owner.open('/admin/content/links?q=quay')).text) as { items: { path: string }[] }
  assert.deepEqual(
    found.items.map(({ path }) => path),
    ['/quay-walls'],
  )
  const { status, data } = await upload(form.fields['csrf'] ?? '')
  assert.equal(status, 200, JSON.stringify(data))
  assert.match(String(data['path']), /^\/media\/mooring\.svg$/)
})

async function upload(csrf: string): Promise<{ status: number; data: Record<string, unknown> }> {
  const body = new FormData()
  body.append('csrf', csrf)
  body.append('filename', 'Mooring.svg')
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><circle cx="5" cy="5" r="4"/></svg>'
  body.append('file', new Blob([svg], { type: 'image/svg+xml' }), 'Mooring.svg')
  const cookie = [...owner.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const headers = { cookie, 'sec-fetch-site': 'same-origin' }
  const answer = await fetch(`${site.base}/admin/content/upload`, { method: 'POST', headers, body, redirect: 'manual' })
  const text = await answer.text()
  return { status: answer.status, data: text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : {} }
}

test('attack 69: what the script sends needs the token of its page too', async () => {
  const id = await make({ title: 'Kept', body: 'Kept.' })
  const { form } = await openEditor(owner, id)
  const stranger = openVisitor(site)
  for (const path of ['/admin/content/autosave', '/admin/content/preview']) {
    const other: Form = { ...form, action: path }
    const stolen = { id, body: 'Stolen.' }
    assert.equal((await owner.submit({ ...other, fields: { ...form.fields, csrf: '' } }, stolen)).status, 403, path)
    assert.equal((await owner.submit(other, stolen, { 'sec-fetch-site': 'cross-site' })).status, 403, path)
    assert.equal((await stranger.submit(other, stolen)).status, 403, path)
  }
  assert.equal((await upload('')).status, 403)
  assert.equal((await whole(id)).body, 'Kept.')
})

test('the editor is on its page alone and has at most 120 KB of script by gzip, every other page at most 40', async () => {
  const id = await make({ title: 'Weighed' })
  const weigh = async (path: string): Promise<number> => {
    const { text } = await owner.open(path)
    const scripts = [...text.matchAll(/<script src="([^"]+)"/g)].map(([, src = '']) => src)
    const files = await Promise.all(scripts.map(async (src) => (await fetch(site.address + src)).arrayBuffer()))
    return files.reduce((bytes, file) => bytes + gzipSync(Buffer.from(file)).length, 0)
  }
  const editor = await weigh(`/admin/content/edit?id=${id}`)
  assert.ok(editor > 50_000 && editor <= 120 * 1024, `${editor}`)
  for (const path of ['/admin/', '/admin/content', `/admin/content/revisions?id=${id}`]) {
    const bytes = await weigh(path)
    assert.ok(bytes <= 40 * 1024, `${path}: ${bytes}`)
  }
})
