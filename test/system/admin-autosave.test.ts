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
  await site.call('SVC_Terms.create', { taxonomy: 'tag', name: 'Quays' })
  await site.call('SVC_Types.update', { id: 'page', fields: [{ name: 'depth', kind: 'number' }] })
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

interface Unsaved {
  readonly name: string
  readonly message: string
  readonly isFault: boolean
}

/** A writer with the editor open. */
async function openEditor(visitor: Visitor, id: string) {
  const form = (await visitor.open(`/admin/content/edit?id=${id}`)).form(`edit?id=${id}`)
  let revision = form.fields['revision'] ?? ''
  return {
    form,
    async write(fields: Record<string, string>) {
      const answer = await visitor.submit({ ...form, action: '/admin/content/autosave' }, { ...fields, id, revision })
      const json = JSON.parse(answer.text) as {
        revision?: number
        conflict?: boolean
        own?: boolean
        message?: string
        staged?: boolean
        unsaved?: Unsaved[]
      }
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

test('a public entry is saved as changes that wait, all but its dates, which are told', async () => {
  const id = await make({ title: 'Front', body: 'Public.', status: 'published' })
  const writer = await openEditor(owner, id)
  const first = await writer.write({ body: 'Waiting.', published_at: '2001-01-01T00:00', slug: 'elsewhere' })
  assert.deepEqual([first.status, first.staged], [200, true])
  assert.deepEqual(
    first.unsaved?.map(({ name, isFault }) => [name, isFault]),
    [['published_at', false]],
  )
  await writer.write({ body: 'Waiting still.', slug: 'elsewhere' })
  const live = await whole(id)
  assert.deepEqual([live.body, live.slug], ['Public.', 'front'])
  const waiting = await whole(id, { stage: true })
  assert.deepEqual([waiting.body, waiting.slug, waiting.published_at], ['Waiting still.', 'elsewhere', live.published_at])
  assert.equal((await revisionsOf(id)).length, 2)
  await site.call('SVC_Activity.undo', { id: (await recordsOf(id))[0]?.id })
  assert.equal((await whole(id)).staged, false)
})

test('the dates of a public entry go with the button, also where other changes wait', async () => {
  const id = await make({ title: 'Dated', body: 'Public.', status: 'published' })
  await (await openEditor(owner, id)).write({ body: 'Waiting.' })
  const { form } = await openEditor(owner, id)
  const dates = { published_at: '2001-01-01T00:00', unpublish_at: '2099-01-01T00:00' }
  const published = await owner.submit(form, { ...dates, do: 'publish' })
  assert.equal(published.status, 303, published.text)
  const { body, staged, published_at: from, unpublish_at: until } = await whole(id)
  assert.deepEqual([body, staged, from, until], ['Waiting.', false, '2001-01-01T00:00:00.000Z', '2099-01-01T00:00:00.000Z'])
})

test('a scheduled entry keeps its time until a button is pressed, so no half-typed year publishes it', async () => {
  const id = await make({ title: 'Soon', status: 'scheduled', published_at: '2099-01-01T00:00:00Z' })
  const saved = await (await openEditor(owner, id)).write({ body: 'Text.', published_at: '0002-01-01T00:00' })
  assert.deepEqual([saved.status, saved.unsaved?.[0]?.name], [200, 'published_at'])
  const { body, status } = await whole(id)
  assert.deepEqual([body, status], ['Text.', 'scheduled'])
})

test('all that the form shows is saved', async () => {
  const image = { filename: 'quay.svg', base64: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>').toString('base64') }
  const { item: cover } = (await site.call('SVC_Media.upload', image)) as { item: { id: string; path: string } }
  const above = await make({ title: 'Above' })
  const id = await make({ title: 'Everything' })
  const fields = {
    title: 'All of it',
    body: 'Text.',
    excerpt: 'Short.',
    slug: 'all',
    parent: '/above',
    position: '4',
    status: 'private',
    published_at: '2099-01-01T00:00',
    unpublish_at: '2099-02-01T00:00',
    more_terms: 'tag/quays',
    cover: cover.path,
    'seo.title': 'For engines',
    'seo.image': cover.path,
    'seo.noindex': 'yes',
    'fields.depth': '2.5',
  }
  assert.deepEqual((await (await openEditor(owner, id)).write(fields)).unsaved, [])
  const { title, body, excerpt, path, parent, position, status, terms, seo, ...more } = await whole(id)
  assert.deepEqual(
    [title, body, excerpt, path, parent, position, status, terms[0].ref, seo.title, seo.image, seo.noindex],
    ['All of it', 'Text.', 'Short.', '/above/all', above, 4, 'private', 'tag/quays', 'For engines', cover.id, true],
  )
  assert.deepEqual(
    [more.cover, more.fields.depth, more.published_at, more.unpublish_at],
    [cover.id, 2.5, '2099-01-01T00:00:00.000Z', '2099-02-01T00:00:00.000Z'],
  )
})

test('values that are refused stay at their fields, and everything else is saved', async () => {
  await make({ title: 'Taken', slug: 'taken' })
  const rows: readonly [Record<string, string>, readonly string[]][] = [
    [{ slug: 'No Slug!' }, ['slug']],
    [{ slug: 'taken' }, ['slug']],
    [{ slug: 'No Slug!', parent: '/nowhere', position: 'x', 'seo.canonical': 'javascript:1', more_terms: 'nothing/none' }, []],
    [{ cover: '/media/none.png', 'fields.depth': 'deep', published_at: 'soon' }, ['cover', 'fields.depth', 'published_at']],
    [{ title: '' }, ['title']],
  ]
  for (const [place, [fields, told]] of rows.entries()) {
    const id = await make({ title: `Refused ${place}` })
    const saved = await (await openEditor(owner, id)).write({ body: 'Kept.', ...fields })
    assert.equal(saved.status, 200)
    const names = told.length > 0 ? told : Object.keys(fields).map((name) => (name === 'more_terms' ? 'terms' : name))
    assert.deepEqual(saved.unsaved?.map(({ name }) => name).sort(), [...names].sort())
    assert.ok(saved.unsaved?.every(({ message, isFault }) => message !== '' && isFault))
    assert.deepEqual([(await whole(id)).body, (await whole(id)).title], ['Kept.', `Refused ${place}`])
  }
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

test('a save over what the same person saved in another tab says so, and after somebody else it does not', async () => {
  const id = await make({ title: 'Two tabs', body: 'Base.' })
  const [first, second] = [await openEditor(owner, id), await openEditor(owner, id)]
  assert.equal((await first.write({ body: 'One.' })).status, 200)
  const refused = await second.write({ body: 'Two.' })
  assert.deepEqual([refused.status, refused.conflict, refused.own], [409, true, true])
  await site.call('SVC_Content.update', { id, body: 'Theirs.' })
  assert.equal((await second.write({ body: 'Two.' })).own, undefined)
})

test('fields whose answer was lost are saved when they come again, and not where somebody else wrote meanwhile', async () => {
  const id = await make({ title: 'Lost', body: 'Base.' })
  const writer = await openEditor(owner, id)
  const { revision } = writer.form.fields
  const fields = { body: 'Mine.', slug: 'No Slug!' }
  const first = await writer.write(fields)
  const lost = { ...writer.form, action: '/admin/content/autosave' }
  const sendAgain = async () => {
    const { text } = await owner.submit(lost, { ...fields, id, revision, again: 'yes' })
    return JSON.parse(text) as { revision?: number; conflict?: boolean; unsaved?: Unsaved[] }
  }
  const again = await sendAgain()
  assert.equal(again.revision, first.revision)
  assert.deepEqual(
    again.unsaved?.map(({ name }) => name),
    ['slug'],
  )
  assert.equal((await revisionsOf(id)).length, 2)
  await site.call('SVC_Content.update', { id, body: 'Theirs.' })
  assert.equal((await sendAgain()).conflict, true)
  assert.equal((await whole(id)).body, 'Theirs.')
})

const newForm = async (query = 'type=post'): Promise<Form> =>
  (await owner.open(`/admin/content/new?${query}`)).form('new?type=post')
const byItself = (form: Form): Form => ({ ...form, action: '/admin/content/autosave?type=post' })

test('a new entry becomes a draft, once', async () => {
  const form = await newForm()
  const answer = await owner.submit(byItself(form), { id: '', title: 'Fresh', body: 'Words.' })
  const { id, slug } = JSON.parse(answer.text) as { id: string; slug: string }
  const { type, status, body } = await whole(id)
  assert.deepEqual([type, status, body, slug], ['post', 'draft', 'Words.', 'fresh'])
  // The answer was lost, and more was written.
  const again = await owner.submit(byItself(form), { id: '', title: 'Fresh', body: 'Words, more words.' })
  assert.equal((JSON.parse(again.text) as { id: string }).id, id)
  assert.equal((await whole(id)).body, 'Words, more words.')
  // Somebody else wrote meanwhile: the form knows nothing of it.
  await site.call('SVC_Content.update', { id, body: 'Theirs.' })
  assert.equal((await owner.submit(byItself(form), { id: '', title: 'Fresh', body: 'Mine.' })).status, 409)
  assert.equal((await whole(id)).body, 'Theirs.')
  assert.equal((await site.call('SVC_Content.list', { where: { title: 'Fresh' } })).items.length, 1)
})

test('the form of a new entry that is sent twice makes one', async () => {
  const form = await newForm()
  const sent = [
    await owner.submit(form, { do: 'save', title: 'Pressed twice' }),
    await owner.submit(form, { do: 'save', title: 'Pressed twice' }),
  ]
  assert.equal(sent[0]?.status, 303)
  assert.equal(sent[0]?.location, sent[1]?.location)
  const again = await owner.open(`/admin/content/new?type=post&key=${form.fields['key']}`)
  assert.equal(again.location, sent[0]?.location.replace(/&done=.*/, ''), 'the page of the form leads to the entry')
  const other = await owner.submit(await newForm(), { do: 'save', title: 'Pressed twice' })
  assert.notEqual(other.location, sent[0]?.location, 'another form makes another entry')
})

test('what was saved by itself is published by the form as it stands, with its empty slug', async () => {
  const form = await newForm()
  const answer = await owner.submit(byItself(form), { id: '', title: 'Straight out', body: 'Words.' })
  const { id, revision } = JSON.parse(answer.text) as { id: string; revision: number }
  const action = `/admin/content/edit?id=${id}`
  const fields = { title: 'Straight out', body: 'Words.', revision: String(revision), slug: '', position: '' }
  const published = await owner.submit({ ...form, action }, { ...fields, do: 'publish' })
  assert.equal(published.status, 303, published.text)
  const { status, path } = await whole(id)
  assert.deepEqual([status, path], ['published', '/straight-out'])
})

test('a translation that is saved by itself keeps its language and its original', async () => {
  await site.call('SVC_Settings.update', { set: { languages: ['de'] } })
  const id = (await site.call('SVC_Content.create', { type: 'post', title: 'Original' })).item.id as string
  const form = await newForm(`type=post&translation_of=${id}&locale=de`)
  const answer = await owner.submit(byItself(form), { id: '', title: 'Übersetzung', body: 'Worte.' })
  const made = await whole((JSON.parse(answer.text) as { id: string }).id)
  assert.deepEqual([made.locale, made.translation_of], ['de', id])
  await site.call('SVC_Settings.update', { set: { languages: [] } })
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
  const found = JSON.parse((await owner.open('/admin/content/links?q=quay', { 'x-csrf': form.fields['csrf'] ?? '' })).text) as {
    items: { path: string }[]
  }
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
  for (const path of ['/admin/content/autosave', '/admin/content/preview', '/admin/content/paste']) {
    const other: Form = { ...form, action: path }
    const stolen = { id, body: 'Stolen.' }
    assert.equal((await owner.submit({ ...other, fields: { ...form.fields, csrf: '' } }, stolen)).status, 403, path)
    assert.equal((await owner.submit(other, stolen, { 'sec-fetch-site': 'cross-site' })).status, 403, path)
    assert.equal((await stranger.submit(other, stolen)).status, 403, path)
  }
  assert.equal((await upload('')).status, 403)
  assert.equal((await whole(id)).body, 'Kept.')
})

test('the editor is on its page alone and has at most 130 KB of script by gzip, every other page at most 40', async () => {
  const id = await make({ title: 'Weighed' })
  const weigh = async (path: string): Promise<number> => {
    const { text } = await owner.open(path)
    const scripts = [...text.matchAll(/<script src="([^"]+)"/g)].map(([, src = '']) => src)
    const files = await Promise.all(scripts.map(async (src) => (await fetch(site.address + src)).arrayBuffer()))
    return files.reduce((bytes, file) => bytes + gzipSync(Buffer.from(file)).length, 0)
  }
  const editor = await weigh(`/admin/content/edit?id=${id}`)
  assert.ok(editor > 50_000 && editor <= 130 * 1024, `${editor}`)
  for (const path of ['/admin/', '/admin/content', `/admin/content/revisions?id=${id}`]) {
    const bytes = await weigh(path)
    assert.ok(bytes <= 40 * 1024, `${path}: ${bytes}`)
  }
})
