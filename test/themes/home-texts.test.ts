// An owner's texts of the front page that were settings of the theme `business`: they show as before until they are moved, are moved into the
// home page without a loss, and come back whole by one undo.

import assert from 'node:assert/strict'
import { after, beforeEach, before, test } from 'node:test'
import { openSite, type TestSite } from '../site.ts'
import { readObjects, writeRows } from '../rows.ts'

const contact = { hero_button: 'Book a visit', hero_link: '/contact', phone: '+49 123 456' }
const texts = {
  hero_title: 'Clocks, repaired *properly*',
  hero_text: 'From a broken spring\nto a full overhaul.',
  service_1_title: 'Repair [all]',
  service_1_text: '1. From a broken spring & more',
  service_1_link: '/contact',
  service_2_title: 'Valuation',
  service_2_link: '#contact',
  service_3_title: 'Courses # 1 #',
  service_3_text: 'Four evenings; ask <us>.',
  service_3_link: 'https://example.org/courses?a=1&b=(2)',
  service_5_title: 'Sale',
  service_5_text: '::: no section',
}

let site: TestSite
let picture: { id: string; path: string }
before(async () => {
  site = await openSite()
  // The site would move the texts by itself; here each test does so.
  await writeRows(site.home, "insert into site_fact (name, value) values ('home_texts_moved', 'before')")
  const text = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8" width="8" height="8"><circle r="3"/></svg>'
  picture = (await site.call('SVC_Media.upload', { text, filename: 'dot.svg', alt: 'A dot' })).item
  await site.call('SVC_Settings.update', { set: { site_title: 'Miller', site_tagline: 'Since 1911', languages: ['de'] } })
  const page = (title: string, more = {}) =>
    site.call('SVC_Content.create', { type: 'page', title, status: 'published', body: `Words of ${title}.`, ...more })
  const { item } = await page('Welcome', { slug: 'welcome' })
  await page('Willkommen', { slug: 'willkommen', locale: 'de', translation_of: item.id })
  await page('Contact', { slug: 'contact' })
  await site.call('SVC_Content.create', { type: 'post', title: 'A quiet winter', status: 'published', body: 'Snow.' })
  await site.call('SVC_Themes.activate', { id: 'business' })
})
after(() => site[Symbol.asyncDispose]())
beforeEach(() => begin(texts))

/** The site as an older release left it, with these values. */
async function begin(values: Readonly<Record<string, unknown>>, slug = 'business'): Promise<void> {
  await site.call('SVC_Settings.update', { set: { home: '/welcome' } })
  for (const [id, title] of [
    ['/welcome', 'Welcome'],
    ['/de/willkommen', 'Willkommen'],
  ])
    await site.call('SVC_Content.update', { id, body: `Words of ${title}.` })
  await writeRows(site.home, 'update theme set settings = ? where slug = ?', [JSON.stringify({ ...contact, ...values }), slug])
  // A change by an action, so that no cache has the row as it was.
  await site.call('SVC_Themes.configure', { id: slug, settings: { accent: '#102030' } })
}

const mainOf = async (path: string): Promise<string> =>
  /<main[^>]*>([^]*)<\/main>/.exec((await site.send(path, { token: null })).text)?.[1] ?? ''
const wordsOf = (html: string): string =>
  html
    .replace(/<h1 class="unseen">[^<]*<\/h1>/, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
/** The links of a page, except those with which a heading of a text leads to itself. */
const linksOf = (html: string): string[] =>
  [...html.matchAll(/ href="(?!#h-)([^"]*)"/g)].map(([, url = '']) => url.replace(site.base, ''))
const sourcesOf = (html: string): string[] =>
  [...html.matchAll(/<img[^>]* src="([^"]*)"[^>]* alt="([^"]*)"/g)].map(
    ([, url = '', alt = '']) => `${url.replace(site.base, '')} ${alt}`,
  )
const move = () => site.call('SVC_Themes.move-texts')
const settingsOf = async (id = 'business'): Promise<string[]> =>
  (await site.call('SVC_Themes.get', { id, full: true })).item.settings.map((one: { id: string }) => one.id)
const bodyOf = async (id: string): Promise<string> => (await site.call('SVC_Content.get', { id })).item.body

test('the home pages have the same words, links and pictures in the same order, and the settings are gone', async () => {
  await begin({ ...texts, hero_image: picture.id })
  const before = { en: await mainOf('/'), de: await mainOf('/de') }
  assert.match(before.en, /<h1>Clocks, repaired \*properly\*<\/h1>/)
  assert.ok((await settingsOf()).includes('service_6_link'))
  const { changed } = await move()
  assert.deepEqual(new Set(changed), new Set([...Object.keys(texts), 'hero_image']))
  const after = { en: await mainOf('/'), de: await mainOf('/de') }
  for (const language of ['en', 'de'] as const) {
    assert.equal(wordsOf(after[language]), wordsOf(before[language]), language)
    assert.deepEqual(sourcesOf(after[language]), sourcesOf(before[language]))
  }
  assert.deepEqual(
    linksOf(after.en),
    linksOf(before.en).map((url) => (url === '#contact' ? '/#contact' : url)),
  )
  assert.deepEqual(
    linksOf(after.de),
    linksOf(before.de).map((url) => (url === '#contact' ? '/de#contact' : url)),
  )
  const settings = await settingsOf()
  assert.deepEqual(
    settings.filter((id) => /^(?:service|hero)/.test(id)),
    ['hero_button', 'hero_link'],
  )
  assert.equal(
    (await site.api('SVC_Themes.configure', { id: 'business', settings: { hero_title: 'x' } })).json.error.code,
    'invalid',
  )
  assert.deepEqual((await move()).changed, [])
})

test('the pages are sections that a person can edit', async () => {
  await move()
  const body = await bodyOf('/welcome')
  assert.match(body, /^::: hero \{button="Book a visit" href="\/contact"\}\n## Clocks/)
  assert.match(
    body,
    /\n## Services\n\n::: cards \{columns="2"\}\n::: card\n### \[Repair \\\[all\\\]\]\(\/contact\)\n\n1\\\. From/,
  )
  assert.match(body, /\n:::\n\nWords of Welcome\.\n$/)
  assert.match(await bodyOf('/de/willkommen'), /\n## Leistungen\n[^]*\n\nWords of Willkommen\.\n$/)
  const { items } = await site.call('SVC_Content.check', { ids: ['/welcome'] })
  assert.deepEqual(
    items.map(({ place }: { place: string }) => place),
    ['excerpt'],
  )
})

test('one undo brings back texts, pages and settings, and the pages look as before', async () => {
  const [objects, page] = [await readObjects(site.home), await mainOf('/')]
  const { activity_id: id } = await move()
  assert.notEqual(await mainOf('/'), page)
  await site.call('SVC_Activity.undo', { ids: [id] })
  assert.deepEqual(await readObjects(site.home), objects)
  assert.equal(await mainOf('/'), page)
  // The owner still finds the settings, and may go on with them.
  await site.call('SVC_Themes.configure', { id: 'business', settings: { hero_title: 'Clocks again' } })
  assert.match(await mainOf('/'), /<h1>Clocks again<\/h1>/)
})

test('without own texts nothing is there to move, and a page has its title, the tagline and the button', async () => {
  await begin({})
  const objects = await readObjects(site.home)
  const answer = await move()
  assert.deepEqual([answer.changed, answer.activity_id], [[], null])
  assert.deepEqual(await readObjects(site.home), objects)
  assert.match(await mainOf('/'), /<h1>Welcome<\/h1>\n<p class="lead">Since 1911<\/p>\n<p><a class="button"[^>]*>Book a visit/)
})

test('services alone leave the opening to the theme, and follow a hero that the page begins with', async () => {
  const { hero_title: _title, hero_text: _text, ...services } = texts
  await begin(services)
  const before = await mainOf('/')
  await move()
  assert.match(await bodyOf('/welcome'), /^## Services\n/)
  assert.equal(wordsOf(await mainOf('/')), wordsOf(before))
  await begin(texts)
  const hero = '::: hero\n## Ours\n:::'
  await site.call('SVC_Content.update', { id: '/welcome', body: `${hero}\n\nMore words.` })
  await move()
  assert.match(await bodyOf('/welcome'), /^::: hero\n## Ours\n:::\n\n## Services\n[^]*\n\nMore words\.\n$/)
  assert.doesNotMatch(await bodyOf('/welcome'), /Clocks/)
})

test('a picture of another site and an address without a scheme stay what they were', async () => {
  await begin({ hero_title: 'Clocks', hero_image: 'https://pictures.example/a "b".jpg' })
  assert.equal((await site.api('SVC_Themes.move-texts')).json.error.code, 'refused')
  await begin({
    hero_title: 'Clocks',
    hero_image: 'https://pictures.example/a.jpg',
    service_1_title: 'Repair',
    service_1_link: 'contact',
  })
  await move()
  assert.match(await bodyOf('/welcome'), /^::: hero \{image="https:\/\/pictures\.example\/a\.jpg" button/)
  assert.match(await mainOf('/'), /<img src="https:\/\/pictures\.example\/a\.jpg"/)
  assert.match(await bodyOf('/welcome'), /### \[Repair\]\(\/contact\)/)
})

const obstacles: readonly (readonly [string, RegExp, () => Promise<unknown>, () => Promise<unknown>])[] = [
  [
    'waiting changes',
    /Changes of \/de\/willkommen wait/,
    () => site.call('SVC_Content.update', { id: '/de/willkommen', body: 'New words.', stage: true }),
    () => site.call('SVC_Content.discard', { id: '/de/willkommen' }),
  ],
  [
    'a home page that is the list of posts',
    /is the list of posts/,
    () => site.call('SVC_Settings.update', { set: { home: null } }),
    () => site.call('SVC_Settings.update', { set: { home: '/welcome' } }),
  ],
  [
    'a language without a home page',
    /no public translation into the language de/,
    () => site.call('SVC_Content.unpublish', { id: '/de/willkommen' }),
    () => site.call('SVC_Content.publish', { id: '/de/willkommen' }),
  ],
  [
    'the rule that edits wait for a person',
    /wait until a person publishes/,
    () => site.call('SVC_Settings.update', { set: { stage_edits: true } }),
    () => site.call('SVC_Settings.update', { set: { stage_edits: false } }),
  ],
  [
    'an address that texts can’t have',
    /has an address that a page/,
    () => begin({ ...texts, service_2_link: 'ftp://example.org' }),
    async () => {},
  ],
]

for (const [what, reason, put, end] of obstacles)
  test(`${what}: the settings keep the texts, and visitors see them`, async () => {
    await put()
    const page = await mainOf('/')
    const objects = await readObjects(site.home)
    const { error } = (await site.api('SVC_Themes.move-texts')).json
    assert.deepEqual([error.code, reason.test(error.message)], ['refused', true], error.message)
    assert.deepEqual(await readObjects(site.home), objects)
    assert.equal(await mainOf('/'), page)
    assert.match(page, /<h1>Clocks, repaired \*properly\*<\/h1>[^]*>Valuation</)
    await end()
  })

test('a theme of the owner on business is moved like it, and one whose files show the settings goes on with them', async () => {
  await site.call('SVC_Themes.create', { slug: 'mine', base: 'business' })
  await site.call('SVC_Themes.activate', { id: 'mine' })
  await begin(texts, 'mine')
  const before = await mainOf('/')
  await move()
  assert.equal(wordsOf(await mainOf('/')), wordsOf(before))
  await begin(texts, 'mine')
  const home =
    "{% layout 'layout' %}{% block main %}{% include 'partials/services' %}<p>{{ settings.hero_title }}</p>{% endblock %}\n"
  await site.call('SVC_Themes.write', { id: 'mine', file: 'home.liquid', text: home })
  assert.match(await mainOf('/'), />Valuation<[^]*<p>Clocks, repaired/)
  const { error } = (await site.api('SVC_Themes.move-texts')).json
  assert.match(error.message, /The theme mine has files of its own that show these texts/)
  // Its settings stay even without a value.
  await site.call('SVC_Themes.configure', {
    id: 'mine',
    settings: Object.fromEntries(Object.keys(texts).map((id) => [id, null])),
  })
  assert.ok((await settingsOf('mine')).includes('service_1_title'))
  assert.deepEqual((await site.call('SVC_Themes.check', { id: 'mine' })).problems, [])
  await site.call('SVC_Themes.activate', { id: 'business' })
})

test('below a path, links lead where they led', async () => {
  await using blog = await openSite({ basePath: '/blog' })
  await writeRows(blog.home, "insert into site_fact (name, value) values ('home_texts_moved', 'before')")
  const page = (title: string) => blog.call('SVC_Content.create', { type: 'page', title, status: 'published', body: 'Words.' })
  await page('Welcome')
  await page('Contact')
  await blog.call('SVC_Settings.update', { set: { home: '/welcome' } })
  await blog.call('SVC_Themes.activate', { id: 'business' })
  const links = ['/contact', '/ads.txt', '#contact', '/', 'contact']
  const services = links.flatMap((link, at) => [
    [`service_${at + 1}_title`, `Number ${at + 1}`],
    [`service_${at + 1}_link`, link],
  ])
  await writeRows(blog.home, 'update theme set settings = ? where slug = ?', [
    JSON.stringify(Object.fromEntries(services)),
    'business',
  ])
  await blog.call('SVC_Themes.configure', { id: 'business', settings: { accent: '#102030' } })
  const resolved = async (): Promise<string[]> => {
    const { text } = await blog.send('/', { token: null })
    return [...text.matchAll(/<h3[^>]*><a href="([^"]*)"/g)].map(([, url = '']) => new URL(url, `${blog.base}/`).href)
  }
  const before = await resolved()
  assert.equal(before.length, links.length)
  await blog.call('SVC_Themes.move-texts')
  assert.deepEqual(await resolved(), before)
})
