// Content in the admin, without a browser: the list with its bulk changes, the editor as a plain form, conflicts, revisions and what waits.

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

const hostile = `"><script>alert(1)</script><img src=x onerror='alert(2)'>`

/** Tests whose titles differ share the site. */
async function make(input: Record<string, unknown>): Promise<{ id: string; revision: number }> {
  const { item } = await site.call('SVC_Content.create', { type: 'page', ...input })
  return item as { id: string; revision: number }
}

const whole = async (id: string, more: Record<string, unknown> = {}) =>
  (await site.call('SVC_Content.get', { id, ...more }, {})).item as Record<string, any> // oxlint-disable-line no-explicit-any -- what came over the wire

const editorOf = (id: string): Promise<Page> => owner.open(`/admin/content/edit?id=${id}`)
const entryForm = (page: Page, id: string): Form => page.form(`/admin/content/edit?id=${id}`)

/** The bulk form with several boxes ticked. */
async function bulk(path: string, ids: readonly string[], fields: Record<string, string>): Promise<Page> {
  const page = await owner.open(path)
  const form = page.forms.find(
    ({ action, method }) => method === 'post' && action.startsWith('/admin/content') && !action.includes('edit'),
  )
  assert.ok(form, page.text)
  const body = new URLSearchParams({ ...form.fields, ...fields })
  for (const id of ids) body.append('ids', id)
  return send(form, body)
}

/** `submit` takes one value per name. */
async function send(form: Form, body: URLSearchParams): Promise<Page> {
  const cookie = [...owner.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const headers = { cookie, 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' }
  const answer = await fetch(site.address + form.action, { method: 'POST', headers, body: body.toString(), redirect: 'manual' })
  return { status: answer.status, location: answer.headers.get('location') ?? '', text: await answer.text() } as Page
}

test('the list says what to do first, and shows entries by type, status and words', async () => {
  assert.match((await owner.open('/admin/content?show=trash')).text, /The trash is empty/)
  assert.match((await owner.open('/admin/content?type=post')).text, /New post/)
  const { id } = await make({ title: 'Harbour walk', status: 'published' })
  await site.call('SVC_Content.update', { id, title: 'Harbour walks', stage: true })
  await make({ type: 'post', title: 'Regatta' })
  const all = await owner.open('/admin/content')
  assert.match(all.text, /Harbour walk<\/a>/)
  assert.match(all.text, /Change waiting<\/span>/)
  assert.match(all.text, /Regatta/)
  const waiting = (await owner.open('/admin/content?show=waiting')).text
  assert.match(waiting, /Harbour walk/)
  assert.doesNotMatch(waiting, /Regatta/)
  const drafts = (await owner.open('/admin/content?show=draft&type=post&sort=title')).text
  assert.match(drafts, /Regatta/)
  assert.match(drafts, /aria-sort="ascending"/)
  assert.match((await owner.open('/admin/content?search=regatta')).text, /1 entry\./)
  assert.match((await owner.open('/admin/content?search=nothing-like-it')).text, /Nothing was found/)
  assert.equal((await owner.open('/admin/content?sort=nonsense')).status, 422)
})

test('selected entries are published, taken off, trashed, put back and destroyed, with their number', async () => {
  const ids = [(await make({ title: 'Bulk one' })).id, (await make({ title: 'Bulk two' })).id]
  const deed = (name: string, path = '/admin/content') => bulk(path, ids, { do: name })
  const done = async (page: Page, words: RegExp) => {
    assert.equal(page.status, 303, page.text)
    assert.match((await owner.open(page.location)).text, words)
  }
  await done(await deed('publish'), /2 entries published/)
  assert.equal((await whole(ids[1] ?? '')).status, 'published')
  await done(await deed('unpublish'), /2 entries taken off/)
  assert.equal((await whole(ids[0] ?? '')).status, 'draft')
  await done(await deed('trash'), /2 entries moved to the trash/)
  await done(await deed('restore', '/admin/content?show=trash'), /2 entries restored/)
  await deed('trash')
  const asked = await deed('purge', '/admin/content?show=trash')
  assert.match(asked.text, /Delete 2 entries for ever\?/)
  assert.match(asked.text, /Bulk one/)
  assert.equal((await whole(ids[0] ?? '')).status, 'trash', 'nothing is destroyed before it is asked')
  await done(await deed('purge-confirmed', '/admin/content?show=trash'), /2 entries deleted for ever/)
  assert.equal((await site.api('SVC_Content.get', { id: ids[0] })).status, 404)
})

test('selected entries get a term and an author; a refusal says why and changes none', async () => {
  await site.call('SVC_Terms.create', { taxonomy: 'tag', name: 'Boats' })
  await site.call('SVC_Terms.create', { taxonomy: 'tag', name: 'Oars' })
  const ids = [(await make({ title: 'Term one', terms: ['tag/oars'] })).id, (await make({ title: 'Term two' })).id]
  assert.equal((await bulk('/admin/content', ids, { do: 'term', term: 'tag/boats' })).status, 303)
  const { terms } = (await site.call('SVC_Content.get', { id: ids[0], select: ['terms'] })).item
  assert.deepEqual(terms.map((one: { ref: string }) => one.ref).sort(), ['tag/boats', 'tag/oars'])
  const refused = await bulk('/admin/content', ids, { do: 'author', author: 'nobody@example.org' })
  assert.equal(refused.status, 422)
  assert.match(refused.text, /no such account/)
  assert.equal((await bulk('/admin/content', ids, { do: 'author', author: 'owner@example.org' })).status, 303)
  assert.match((await bulk('/admin/content', [], { do: 'trash' })).text, /No entry is selected/)
})

test('a new entry: what was filled in stays at a refusal, then it is saved, changed and published', async () => {
  const page = await owner.open('/admin/content/new?type=page')
  const form = page.form('/admin/content/new?type=page')
  const refused = await owner.submit(form, { do: 'save', title: 'Boat house', body: 'Two\nlines.\n', parent: '/no-such-page' })
  assert.equal(refused.status, 422)
  assert.match(refused.text, /id="e-parent"/)
  assert.match(refused.text, /Two\nlines\./)
  const saved = await owner.submit(refused.form('new?type=page'), { do: 'save', parent: '', position: '3', 'seo.title': 'Boats' })
  assert.equal(saved.status, 303, /fault.*/.exec(saved.text)?.[0])
  const shown = await owner.follow(saved)
  const id = new URL(shown.url).searchParams.get('id') ?? ''
  const { body, title, status, position, seo } = await whole(id)
  assert.deepEqual([body, title, status, position, seo.title], ['Two\nlines.\n', 'Boat house', 'draft', 3, 'Boats'])
  const published = await owner.submit(entryForm(shown, id), { do: 'publish', slug: 'boat-shed', body: 'Three.' })
  assert.match((await owner.follow(published)).text, /Published\./)
  const live = await whole('/boat-shed')
  assert.deepEqual([live.status, live.body, live.position], ['published', 'Three.', 3])
  const later = await owner.submit(entryForm(await editorOf(id), id), { do: 'publish', published_at: 'tomorrow, perhaps' })
  assert.equal(later.status, 422)
  assert.match(later.text, /tomorrow, perhaps/)
})

test('a draft with a time ahead is scheduled by the form, and taken off the schedule', async () => {
  const { id } = await make({ title: 'Scheduled page' })
  const done = await owner.submit(entryForm(await editorOf(id), id), { do: 'publish', published_at: '2099-01-01T09:00' })
  assert.match((await owner.follow(done)).text, /Scheduled\. It will be published automatically/)
  assert.equal((await whole(id)).status, 'scheduled')
  assert.match((await owner.open('/admin/content?show=scheduled')).text, /Scheduled page/)
})

test('changes of a public entry wait, stand beside what is public, and are published or dropped', async () => {
  const { id } = await make({ title: 'Prices', body: 'Ten.', status: 'published' })
  const staged = await owner.submit(entryForm(await editorOf(id), id), { do: 'stage', body: 'Twelve.' })
  assert.match((await owner.follow(staged)).text, /Saved for later/)
  assert.equal((await whole(id)).body, 'Ten.')
  const both = await owner.open(`/admin/content/revisions?id=${id}&from=live&to=staged`)
  assert.match(both.text, /<del>Ten<\/del>/)
  assert.match(both.text, /<ins>Twelve<\/ins>/)
  const dropped = await owner.submit(both.form(`revisions?id=${id}`), { do: 'discard' })
  assert.match((await owner.follow(dropped)).text, /was discarded/)
  await owner.submit(entryForm(await editorOf(id), id), { do: 'stage', body: 'Eleven.' })
  const page = await editorOf(id)
  assert.match(page.text, /A change is waiting to be published/)
  const published = await owner.submit(entryForm(page, id), { do: 'publish', title: 'Our prices' })
  assert.equal(published.status, 303, published.text)
  const { body, title, staged: waits } = await whole(id)
  assert.deepEqual([body, title, waits], ['Eleven.', 'Our prices', false])
})

test('where edits wait, "publish" of the form stages and publishes in one record', async () => {
  const { id } = await make({ title: 'Rules', body: 'One.', status: 'published' })
  await site.call('SVC_Settings.update', { set: { stage_edits: true } })
  const done = await owner.submit(entryForm(await editorOf(id), id), { do: 'publish', body: 'Two.' })
  await site.call('SVC_Settings.update', { set: { stage_edits: false } })
  assert.equal(done.status, 303, done.text)
  assert.equal((await whole(id)).body, 'Two.')
})

test('a conflict shows both texts and keeps both, whichever stays', async () => {
  const { id } = await make({ title: 'Contested', body: 'First.' })
  const mine = entryForm(await editorOf(id), id)
  await site.call('SVC_Content.update', { id, body: 'Theirs.' })
  const conflict = await owner.submit(mine, { do: 'save', body: 'Mine.' })
  assert.equal(conflict.status, 409)
  assert.match(conflict.text, /Someone else saved this entry/)
  assert.match(conflict.text, /<del>Theirs<\/del>/)
  assert.match(conflict.text, /<ins>Mine<\/ins>/)
  assert.equal(entryForm(conflict, id).fields['body'], 'Mine.')
  const kept = await owner.submit(entryForm(conflict, id), { do: 'keep-theirs' })
  assert.equal(kept.status, 303, kept.text)
  assert.equal((await whole(id)).body, 'Theirs.')
  const revisions = (await site.call('SVC_Content.revisions', { id })).items as { revision: number }[]
  const texts = await Promise.all(revisions.map(async ({ revision }) => (await whole(id, { revision })).body as string))
  assert.ok(texts.includes('Mine.'), 'what I wrote is a revision')
  const again = await owner.submit(mine, { do: 'save', body: 'Mine once more.' })
  assert.equal(again.status, 409)
  assert.equal((await owner.submit(entryForm(again, id), { do: 'save' })).status, 303)
  assert.equal((await whole(id)).body, 'Mine once more.')
})

test('what waits and what is public changed the same text: the form says so and settles it', async () => {
  const { id } = await make({ title: 'Both sides', body: 'Start.', status: 'published' })
  await site.call('SVC_Content.update', { id, body: 'Staged.', stage: true })
  await site.call('SVC_Content.update', { id, body: 'Live.' })
  const refused = await owner.submit(entryForm(await editorOf(id), id), { do: 'publish' })
  assert.equal(refused.status, 409, refused.text)
  assert.match(refused.text, /both changed body/)
  assert.equal((await owner.submit(entryForm(refused, id), { do: 'publish' })).status, 303)
  assert.equal((await whole(id)).body, 'Staged.')
})

test('a difference shows a picture, a person and a term by their names, and not by their ids', async () => {
  const base64 = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><path d="M0 0h9v9z"/></svg>'
  const upload = { filename: 'harbour.svg', base64: Buffer.from(base64).toString('base64'), alt: '' }
  const { item: picture } = (await site.call('SVC_Media.upload', upload)) as { item: { id: string } }
  await site.call('SVC_Terms.create', { taxonomy: 'tag', name: 'Tides' })
  const { id } = await make({ type: 'post', title: 'Harbour', status: 'published' })
  await site.call('SVC_Content.update', { id, cover: picture.id, terms: ['tag/tides'], seo: { description: 'By the sea.' } })
  const { text } = await owner.open(`/admin/content/revisions?id=${id}&from=1&to=2`)
  const [cover = ''] = /<dt>Cover<\/dt>.*?<\/dd>/s.exec(text) ?? []
  assert.match(cover, /<ins>.*<img src="[^"]*\/media\/harbour[^"]*" alt="".*harbour\.svg.*<\/ins>/s)
  assert.doesNotMatch(cover, new RegExp(`>\\s*${picture.id}`))
  assert.match(text, /<ins>Tides<\/ins>/)
  assert.match(text, /<dt>Description<\/dt>\s*<dd>\s*<ins>By the sea\.<\/ins>/)
  const { items } = (await site.call('SVC_Activity.list', { limit: 1 })) as { items: { id: string }[] }
  const german = await owner.open(`/admin/activity?id=${items[0]?.id}`, { 'accept-language': 'de' })
  assert.match(german.text, /<dt>Beschreibung<\/dt>\s*<dd>\s*<ins>By the sea\.<\/ins>/)
})

test('revisions: any two are compared, and one is brought back, at once or for later', async () => {
  const { id } = await make({ title: 'Timetable', body: 'Nine.', status: 'published' })
  await site.call('SVC_Content.update', { id, body: 'Ten.' })
  const list = await owner.open(`/admin/content/revisions?id=${id}`)
  assert.match(list.text, /Revision 2/)
  assert.match(list.text, /Changed an entry/)
  const compared = await owner.open(`/admin/content/revisions?id=${id}&from=1&to=2`)
  assert.match(compared.text, /<del>Nine<\/del>/)
  const later = await owner.submit(compared.form(`revisions?id=${id}`), { do: 'revert-later' })
  assert.equal(later.status, 303, /fault.*/.exec(later.text)?.[0])
  assert.equal((await whole(id)).body, 'Ten.')
  assert.equal((await whole(id, { stage: true })).body, 'Nine.')
  const again = await owner.open(`/admin/content/revisions?id=${id}&from=1&to=2`)
  await owner.submit((await owner.open(`/admin/content/revisions?id=${id}&from=live&to=staged`)).form(`revisions?id=${id}`), {
    do: 'discard',
  })
  assert.equal(
    (await owner.submit(again.form(`revisions?id=${id}`), { do: 'revert' })).status,
    409,
    'the entry changed meanwhile',
  )
  const third = await owner.open(`/admin/content/revisions?id=${id}&from=1&to=2`)
  assert.equal((await owner.submit(third.form(`revisions?id=${id}`), { do: 'revert' })).status, 303)
  assert.equal((await whole(id)).body, 'Nine.')
  assert.equal((await owner.open(`/admin/content/revisions?id=${id}&from=99&to=2`)).status, 404)
})

test('the preview link shows what the form says and saves nothing', async () => {
  const { id, revision } = await make({ title: 'Secret plan', body: 'Old plan.' })
  const page = await owner.submit(entryForm(await editorOf(id), id), { do: 'preview', body: 'New plan.' })
  const url = /data-copy="the preview link">([^<]+)</.exec(page.text)?.[1] ?? ''
  assert.match(await (await fetch(url)).text(), /New plan\./)
  assert.equal((await whole(id)).revision, revision)
  assert.equal(entryForm(page, id).fields['body'], 'New plan.')
})

test('an entry is put into the trash and taken out of it from its page', async () => {
  const { id } = await make({ title: 'Old news' })
  const page = await editorOf(id)
  const form = page.forms.find(({ fields }) => fields['do'] === 'trash')
  assert.ok(form)
  assert.match((await owner.follow(await owner.submit(form))).text, /1 entry moved to the trash/)
  const trashed = await editorOf(id)
  assert.doesNotMatch(trashed.text, /value="publish"/)
  await owner.submit(trashed.forms.filter(({ action }) => action.includes('edit')).at(-1) as Form, { do: 'restore' })
  assert.equal((await whole(id)).status, 'draft')
})

test('the fields of a type have a control per kind, and a wrong value stands at its field', async () => {
  await site.call('SVC_Types.create', {
    slug: 'boat',
    name: 'Boat',
    fields: [
      { name: 'price', kind: 'number' },
      { name: 'sold', kind: 'boolean' },
      { name: 'rig', kind: 'choice', options: ['sloop', 'ketch'] },
      { name: 'links', kind: 'url', many: true },
      { name: 'maker', kind: 'group', of: [{ name: 'town', kind: 'text' }] },
      { name: 'seen', kind: 'datetime' },
      { name: 'text', kind: 'markdown', label: hostile },
    ],
  })
  const form = (await owner.open('/admin/content/new?type=boat')).form('new?type=boat')
  const filled = {
    title: 'Swan',
    'fields.price': '1200.5',
    'fields.sold': 'yes',
    'fields.rig': 'ketch',
    'fields.links': 'https://example.org/a\nhttps://example.org/b',
    'fields.maker': '{"town": "Cowes"}',
    'fields.seen': '2026-11-21T08:30',
    'fields.text': hostile,
  }
  const refused = await owner.submit(form, { ...filled, 'fields.price': 'much' })
  assert.equal(refused.status, 422)
  assert.match(refused.text, /id="e-fields\.price"/)
  assert.ok(!refused.text.includes('<script>alert'), 'attack 98: labels and values of fields are text')
  const saved = await owner.submit(refused.form('new?type=boat'), filled)
  assert.equal(saved.status, 303, saved.text)
  const id = new URL(saved.location, site.address).searchParams.get('id') ?? ''
  const { fields } = await whole(id)
  assert.deepEqual(
    [fields.price, fields.sold, fields.rig, fields.links.length, fields.maker.town, fields.seen],
    [1200.5, true, 'ketch', 2, 'Cowes', '2026-11-21T08:30:00.000Z'],
  )
  const unticked = await owner.submit(entryForm(await editorOf(id), id), { do: 'save', 'fields.sold': undefined })
  assert.equal(unticked.status, 303)
  const changed = await whole(id)
  assert.deepEqual([changed.fields.sold, changed.fields.price], [false, 1200.5])
})

test('a field that nobody touched is not written', async () => {
  const { id } = await make({ title: 'Untouched', body: 'A\r\nB', excerpt: 'Short.' })
  const before = await whole(id)
  assert.equal((await owner.submit(entryForm(await editorOf(id), id), { do: 'save' })).status, 303)
  assert.deepEqual(await whole(id), before)
})

test('languages: the editor offers the translations that are missing', async () => {
  await site.call('SVC_Settings.update', { set: { languages: ['de'] } })
  const { id } = await make({ title: 'Welcome' })
  const page = await editorOf(id)
  const link = /href="([^"]*translation_of=[^"]*)"/.exec(page.text)?.[1]?.replaceAll('&amp;', '&') ?? ''
  const form = (await owner.open(link)).forms.find(({ fields }) => 'translation_of' in fields)
  assert.ok(form)
  const saved = await owner.submit(form, { do: 'save', title: 'Willkommen' })
  assert.equal(saved.status, 303, saved.text)
  assert.match((await editorOf(id)).text, /Willkommen/)
  await site.call('SVC_Settings.update', { set: { languages: [] } })
})

test('attack 98: titles, bodies and addresses of entries are text on every page of the editor', async () => {
  const { id } = await make({ title: hostile, body: hostile, excerpt: hostile, seo: { title: hostile, description: hostile } })
  await site.call('SVC_Content.update', { id, title: `${hostile} 2` })
  const pages = ['/admin/content', `/admin/content/edit?id=${id}`, `/admin/content/revisions?id=${id}&from=1&to=2`]
  for (const path of [
    ...pages,
    `/admin/content?search=${encodeURIComponent(hostile)}`,
    `/admin/content?type=${encodeURIComponent(hostile)}`,
  ]) {
    const { text } = await owner.open(path)
    assert.ok(!text.includes('<script>alert') && !text.includes('<img src=x'), path)
  }
})

test('attack 69: no form of the editor works without its token, or with that of another session', async () => {
  const { id } = await make({ title: 'Guarded', body: 'Safe.' })
  const list = await owner.open('/admin/content')
  const bulkForm = list.forms.find(({ action, method }) => method === 'post' && action.endsWith('/admin/content')) as Form
  const forms: readonly [Form, Record<string, string>][] = [
    [bulkForm, { do: 'trash', ids: id }],
    [entryForm(await editorOf(id), id), { do: 'save', body: 'Stolen.' }],
    [(await owner.open('/admin/content/new?type=page')).form('new?type=page'), { do: 'save', title: 'Stolen' }],
    [
      { ...entryForm(await editorOf(id), id), action: `/admin/content/revisions?id=${id}` },
      { do: 'revert', to: '1' },
    ],
  ]
  const stranger = openVisitor(site)
  for (const [form, fields] of forms) {
    assert.equal((await owner.submit({ ...form, fields: { ...form.fields, csrf: '' } }, fields)).status, 403, form.action)
    assert.equal((await stranger.submit(form, fields)).status, 403, form.action)
  }
  assert.deepEqual([(await whole(id)).body, (await whole(id)).status], ['Safe.', 'draft'])
})

test('a text of 300 KB opens in the editor, is saved by its form and by itself, and two of its revisions stand side by side', async () => {
  const body = `# Logbook\n\n${'Über die Wellen & zurück.\n'.repeat(11_000)}`
  assert.ok(Buffer.byteLength(body) > 290_000)
  const { id } = await make({ title: 'Logbook', body })
  const form = entryForm(await editorOf(id), id)
  assert.equal(form.fields['body'], body)
  const saved = await owner.submit(form, { body: `${body}\nThe end.`, do: 'save' })
  assert.equal(saved.status, 303, saved.text.slice(0, 500))
  const again = entryForm(await editorOf(id), id)
  assert.ok(again.fields['body']?.endsWith('The end.'))
  const alone = new URLSearchParams({ ...again.fields, id, body: `${body}\nThe very end.` })
  assert.equal((await send({ ...again, action: '/admin/content/autosave' }, alone)).status, 200)
  const compared = await owner.open(`/admin/content/revisions?id=${id}&from=1&to=2`)
  assert.equal(compared.status, 200)
  assert.match(compared.text, /<ins>The end\.<\/ins>/)
})

test('a text that is longer than 2 MiB is refused with its limit, and a form that no entry fits into is not read', async () => {
  const { id } = await make({ title: 'Too long' })
  const form = entryForm(await editorOf(id), id)
  const long = await owner.submit(form, { body: 'ü'.repeat(1024 ** 2 + 1), do: 'save' })
  assert.equal(long.status, 413)
  assert.match(/id="e-body">([^<]*)/.exec(long.text)?.[1] ?? '', /2 MiB/)
  const huge = await owner.submit(form, { body: 'x'.repeat(7.5 * 1024 ** 2), do: 'save' }).catch((error: Error) => error)
  if (!(huge instanceof Error)) assert.equal(huge.status, 400)
})

test('fields that refer search by title, show what is chosen with title and picture, and keep the text on the way', async () => {
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  )
  const { item: picture } = await site.call('SVC_Media.upload', { filename: 'lighthouse.png', base64: png.toString('base64') })
  const { id: above } = await make({ title: 'Coast and islands', slug: 'coast', status: 'published' })
  await site.call('SVC_Types.update', {
    id: 'page',
    fields: [
      { name: 'guide', kind: 'entry', label: 'Guide' },
      { name: 'pictures', kind: 'media', many: true, label: 'Pictures' },
    ],
  })
  const { id } = await make({
    title: 'Lighthouses',
    body: 'One.',
    cover: picture.id,
    fields: { guide: above, pictures: [picture.id] },
  })
  const page = await editorOf(id)
  const form = entryForm(page, id)
  assert.equal(form.fields['cover'], picture.path)
  assert.equal(form.fields['fields.guide'], '/coast')
  assert.equal(form.fields['fields.pictures'], picture.path)
  assert.match(page.text, /<ul class="chosen">\s*<li><img src="[^"]+" alt="" loading="lazy" \/><span\s*>lighthouse\.png/)
  assert.match(page.text, />Coast and islands <small>\/coast<\/small>/)
  const found = await owner.submit(form, { do: 'find parent', parent: 'islands', body: 'Not saved yet.' })
  assert.equal(found.status, 200)
  const again = entryForm(found, id)
  assert.equal(again.fields['body'], 'Not saved yet.')
  assert.match(found.text, /value="pick parent \/coast"/)
  const picked = await owner.submit(again, { do: 'pick parent /coast' })
  const last = entryForm(picked, id)
  assert.equal(last.fields['parent'], '/coast')
  assert.equal((await owner.submit(last, { do: 'save' })).status, 303)
  const kept = await whole(id)
  assert.equal(kept['path'], '/coast/lighthouses')
  assert.equal(kept['body'], 'Not saved yet.')
  assert.deepEqual(kept['fields'], { guide: above, pictures: [picture.id] })
  const none = await owner.submit(entryForm(await editorOf(id), id), { do: 'find fields.guide', 'fields.guide': 'zebra' })
  assert.match(none.text, /Nothing was found for “zebra”/)
})

test('the content pages speak the language that the browser asks for', async () => {
  const { id } = await make({ title: 'Strand', status: 'published' })
  owner.headers['accept-language'] = 'de'
  try {
    assert.match((await owner.open('/admin/content')).text, /Neue Seite[\s\S]*Einträge durchsuchen[\s\S]*Veröffentlicht/)
    const page = (await editorOf(id)).text
    assert.match(page, /Änderungen veröffentlichen<[\s\S]*Für später speichern</)
    assert.match(page, /data-words="[^"]*Überschrift/)
    assert.match((await owner.open(`/admin/content/revisions?id=${id}`)).text, /Versionen von Strand[\s\S]*gerade eben/)
    assert.match((await owner.open('/admin/media')).text, /Dateien hochladen/)
  } finally {
    delete owner.headers['accept-language']
  }
})
