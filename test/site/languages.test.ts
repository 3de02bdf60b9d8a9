// A site in several languages: where entries stand, what moves them, which translations are told to whom, and what the pages of a language show.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openSite, type TestSite } from '../site.ts'

let site: TestSite

before(async () => {
  site = await openSite()
  await site.call('SVC_Settings.update', { set: { languages: ['de', 'pt-BR'] } })
})
after(() => site[Symbol.asyncDispose]())

const create = async (title: string, more: Record<string, unknown> = {}) =>
  (await site.call('SVC_Content.create', { type: 'page', status: 'published', title, ...more })).item
const update = (id: string, more: Record<string, unknown>) => site.call('SVC_Content.update', { id, ...more })
const get = (id: string, more: Record<string, unknown> = {}) => site.call('SVC_Content.get', { id, ...more })
const failure = async (action: string, input: Record<string, unknown>) => (await site.api(action, input)).json.error
const page = (path: string, headers: Record<string, string> = {}) => site.send(path, { headers, token: null })
const undo = (id: string) => site.call('SVC_Activity.undo', { ids: [id] })
const alternatesOf = (text: string) =>
  [...text.matchAll(/<link rel="alternate" hreflang="([^"]*)" href="([^"]*)"/g)].map(([, tag, href = '']) => [
    tag,
    href.replace(site.base, ''),
  ])

const places: readonly (readonly [what: string, input: Record<string, unknown>, path: string])[] = [
  ['a page of the site’s own language', {}, '/place-1'],
  ['one that names this language', { locale: 'en' }, '/place-2'],
  ['one of a further language', { locale: 'de' }, '/de/place-3'],
  ['a post of a further language', { type: 'post', locale: 'pt-br' }, '/pt-br/place-4'],
  ['one of a language that the site does not have', { locale: 'fr' }, '/place-5'],
  ['one of a kind of a further language', { locale: 'de-AT' }, '/place-6'],
  ['one below a page of a further language', { parent: '/de/place-3' }, '/de/place-3/place-7'],
]
test('each entry stands below the path of its language', async () => {
  for (const [at, [what, input, path]] of places.entries())
    assert.equal((await create(`Place ${at + 1}`, input)).path, path, what)
  assert.equal((await get('/de/place-3/place-7')).item.locale, 'de')
})

test('a parent of another language, and the path of a language, are refused', async () => {
  await create('English')
  const wrong = await failure('SVC_Content.create', { type: 'page', title: 'Falsch', locale: 'de', parent: '/english' })
  assert.deepEqual([wrong.code, wrong.field], ['invalid', 'parent'])
  const taken = await failure('SVC_Content.create', { type: 'page', title: 'x', slug: 'de' })
  assert.deepEqual([taken.code, taken.field, taken.rule], ['refused', 'slug', 'paths of languages'])
  assert.equal((await create('De')).path, '/de-2')
  assert.equal((await create('Unter', { slug: 'de', locale: 'de' })).path, '/de/de')
  const reserved = await failure('SVC_Content.create', { type: 'page', title: 'x', slug: 'feed.xml', locale: 'de' })
  assert.equal(reserved.code, 'refused')
})

test('another locale moves a page with all below it, its former paths redirect, a dry run does nothing, and undo brings it back', async () => {
  await create('Moves')
  await create('Below', { parent: '/moves' })
  const { diff } = await update('/moves', { locale: 'de', dry_run: true })
  const paths = diff.flatMap(({ field, after }: { field: string; after: string }) => (field === 'path' ? [after] : []))
  assert.deepEqual(paths.toSorted(), ['/de/moves', '/de/moves/below', '/moves', '/moves/below'])
  assert.equal((await page('/moves')).status, 200)
  const { item, activity_id } = await update('/moves', { locale: 'de' })
  assert.equal(item.path, '/de/moves')
  assert.equal((await get('/de/moves/below')).item.locale, 'de')
  for (const path of ['/moves', '/moves/below']) {
    const moved = await page(path)
    assert.deepEqual([moved.status, moved.headers.get('location')], [301, `/de${path}`])
  }
  await undo(activity_id)
  assert.deepEqual([(await get('/moves/below')).item.locale, (await page('/moves/below')).status], [null, 200])
})

test('put reads the language from the path, puts the same file twice without a change, and refuses a locale of another path', async () => {
  const put = (path: string, more = '') => ({ path, markdown: `---\ntitle: Datei\n${more}---\n\nText.\n` })
  const { item, created } = await site.call('SVC_Content.put', put('/de/datei'))
  assert.deepEqual([item.path, created, (await get('/de/datei')).item.locale], ['/de/datei', true, 'de'])
  assert.deepEqual((await site.call('SVC_Content.put', put('/de/datei', 'locale: de\n'))).changed, [])
  await site.call('SVC_Content.put', put('/de/datei/tief'))
  assert.equal((await get('/de/datei/tief')).item.locale, 'de')
  for (const path of ['/de/datei', '/de/neu', '/neu']) {
    const { code } = await failure('SVC_Content.put', put(path, `locale: ${path === '/neu' ? 'de' : 'pt-BR'}\n`))
    assert.equal(code, 'invalid', path)
  }
})

test('translations form a group with one entry per language, which outlives its first entry', async () => {
  const first = await create('Prices')
  const german = await create('Preise', { locale: 'de', translation_of: '/prices' })
  await create('Preços', { locale: 'pt-BR', translation_of: '/de/preise' })
  const told = async (id: string) =>
    (await get(id)).item.translations.map(({ language, name, path }: Record<string, string>) => [language, name, path])
  assert.deepEqual(await told('/prices'), [
    ['de', 'Deutsch', '/de/preise'],
    ['pt-BR', 'Português (Brasil)', '/pt-br/precos'],
  ])
  assert.equal((await get('/prices')).item.revision, 1, 'nothing is written to the first entry')
  const second = await failure('SVC_Content.create', { type: 'page', title: 'P', locale: 'de', translation_of: first.id })
  assert.deepEqual([second.code, second.by.path], ['exists', '/de/preise'])
  assert.equal((await failure('SVC_Content.update', { id: '/de/preise', locale: null })).code, 'exists')
  assert.equal((await failure('SVC_Content.update', { id: '/prices', translation_of: '/nowhere' })).code, 'invalid')

  await site.call('SVC_Content.delete', { ids: [first.id] })
  await create('New prices', { translation_of: german.id })
  const { done } = await site.call('SVC_Content.restore', { ids: [first.id] })
  assert.deepEqual([done, await told(first.id)], [[first.id], []], 'another has its language by now')
  await site.call('SVC_Content.delete', { ids: [first.id] })
  await site.call('SVC_Content.purge', { ids: [first.id], expect: 1 })
  assert.deepEqual((await told('/de/preise')).length, 2)

  const { activity_id } = await update('/de/preise', { translation_of: null })
  assert.deepEqual([(await told('/de/preise')).length, (await told('/new-prices')).length], [0, 1])
  await undo(activity_id)
  assert.equal((await told('/new-prices')).length, 2)
})

test('the first entry of a group can leave it', async () => {
  await create('Leaver')
  await create('Bleiber', { locale: 'de', translation_of: '/leaver' })
  await update('/leaver', { translation_of: null })
  assert.deepEqual((await get('/leaver')).item.translations, [])
  assert.deepEqual((await get('/de/bleiber')).item.translations, [])
  await update('/leaver', { translation_of: '/de/bleiber' })
  assert.equal((await get('/de/bleiber')).item.translations.length, 1)
})

test('attack 89: translations that are not public are not told to visitors, in an answer or on a page', async () => {
  const draft = await create('Offer')
  await create('Angebot', { locale: 'de', translation_of: '/offer', status: 'draft' })
  const anonymous = async () => (await site.api('SVC_Content.get', { id: draft.id }, { token: null })).json.data.item.translations
  for (const [status, seen] of [
    ['draft', 0],
    ['private', 0],
    ['published', 1],
    ['draft', 0],
  ] as const) {
    await update('/de/angebot', { status })
    assert.equal((await get('/offer')).item.translations.length, 1, status)
    assert.equal((await anonymous()).length, seen, status)
    assert.equal(alternatesOf((await page('/offer')).text).length, seen === 0 ? 0 : 3, status)
    assert.equal((await page('/offer')).text.includes('angebot'), seen === 1, status)
  }
  await site.call('SVC_Content.delete', { ids: ['/de/angebot'] })
  assert.deepEqual([await anonymous(), alternatesOf((await page('/offer')).text)], [[], []])
})

test('a page says its language, its date in that language, and the same page in the others', async () => {
  const more = { type: 'post', published_at: '2026-03-05' }
  await create('Hours', more)
  await create('Zeiten', { ...more, locale: 'de', translation_of: '/hours' })
  const expected = [
    ['en', '/hours'],
    ['x-default', '/hours'],
    ['de', '/de/zeiten'],
  ]
  for (const [path, lang, date, home] of [
    ['/hours', 'en', 'March 5, 2026', '/'],
    ['/de/zeiten', 'de', '5. März 2026', '/de'],
  ] as const) {
    const { text } = await page(path)
    assert.match(text, new RegExp(`<html lang="${lang}"`))
    assert.ok(text.includes(`>${date}</time>`), path)
    assert.ok(text.includes(`href="${home}" rel="home"`), path)
    assert.deepEqual(alternatesOf(text), expected, path)
  }
})

test('the home page of a language lists its posts, and its menu its pages, newest first and in pages', async () => {
  await create('Beitrag', { type: 'post', locale: 'de' })
  const [english, german] = [(await page('/')).text, (await page('/de')).text]
  const linksOf = (text: string) =>
    [...text.matchAll(/ href="(\/[^"]*|http[^"]*)"/g)].map(([, href = '']) => href.replace(site.base, ''))
  const isGerman = (href: string) => href.startsWith('/de/')
  assert.match(german, /<html lang="de"/)
  assert.ok(linksOf(german).includes('/de/beitrag') && !linksOf(english).some(isGerman))
  assert.ok(
    linksOf(german.slice(german.indexOf('<body')).replace(/<nav class="languages"[^]*?<\/nav>/, '')).every(
      (href) => isGerman(href) || href === '/de' || href.startsWith('/de?'),
    ),
  )
  assert.deepEqual(alternatesOf(german), [
    ['en', '/'],
    ['x-default', '/'],
    ['de', '/de'],
    ['pt-BR', '/pt-br'],
  ])
  assert.deepEqual(alternatesOf(english), alternatesOf(german))
  await site.call('SVC_Settings.update', { set: { posts_per_page: 1 } })
  assert.match((await page('/de')).text, /href="[^"]*\/de\?page=2"/)
  assert.deepEqual([(await page('/de?page=2')).status, (await page('/de?page=99')).status], [200, 404])
  await site.call('SVC_Settings.update', { set: { posts_per_page: null } })
  const slash = await page('/de/')
  assert.deepEqual([slash.status, slash.headers.get('location')], [301, '/de'])
  assert.match((await page('/de.md')).text, /\/de\/beitrag/)
})

test('the translation of the home page is the home page of its language', async () => {
  const home = await create('Welcome')
  await create('Willkommen', { locale: 'de', translation_of: home.id, body: 'Grüß Gott.' })
  await site.call('SVC_Settings.update', { set: { home: home.id } })
  const { text } = await page('/de')
  assert.ok(text.includes('Grüß Gott.') && text.includes(`<link rel="canonical" href="${site.base}/de"`))
  assert.match((await page('/pt-br')).text, /<html lang="pt-BR"/)
  for (const [path, address] of [
    ['/welcome', '/'],
    ['/de/willkommen', '/de'],
  ] as const) {
    const own = await page(`${path}?from=x`)
    assert.deepEqual([own.status, own.headers.get('location')], [301, `${address}?from=x`])
    const { text: shown } = await page(address)
    assert.doesNotMatch(shown, new RegExp(`["/]${path.slice(1)}"`), 'menus and the head lead to the home page')
    assert.equal((await page(`${path}.md`)).status, 200)
    for (const file of ['/sitemap.xml', '/llms.txt']) assert.ok(!(await page(file)).text.includes(path), `${path} in ${file}`)
  }
  assert.match((await page('/llms.txt')).text, /\/index\.md\)[^]*\/de\.md\)|\/de\.md\)[^]*\/index\.md\)/)
  assert.ok((await page('/')).text.includes(`<link rel="canonical" href="${site.base}/"`))
  const under = await create('Below the home page', { parent: '/welcome' })
  const { text: below } = await page(under.path)
  assert.ok(!below.includes(`href="${site.base}/welcome"`) && below.includes('rel="canonical"'))
  await update('/de/willkommen', { status: 'draft' })
  assert.ok(!(await page('/de')).text.includes('Grüß Gott.'))
  await site.call('SVC_Settings.update', { set: { home: null } })
  assert.equal((await page('/welcome')).status, 200)
})

test('a language that is added takes its entries along, one that is removed gives them back, and undo takes either back', async () => {
  const set = (languages: readonly string[], more = {}) => site.call('SVC_Settings.update', { set: { languages, ...more } })
  await create('Bonjour', { locale: 'fr' })
  await create('Dessous', { parent: '/bonjour' })
  const added = await set(['de', 'pt-BR', 'fr'])
  assert.equal((await get('/fr/bonjour/dessous')).item.locale, 'fr')
  assert.equal((await page('/bonjour')).headers.get('location'), '/fr/bonjour')
  await set(['de', 'pt-BR'])
  assert.equal((await get('/bonjour')).item.path, '/bonjour')
  await set(['de', 'pt-BR', 'fr'])
  await create('Salut', { locale: 'fr' })
  const late = await failure('SVC_Activity.undo', { ids: [added.activity_id], force: true })
  assert.deepEqual([late.code, late.by.path], ['conflict', '/fr/salut'])
  await site.call('SVC_Content.delete', { ids: ['/fr/salut'] })
  const { activity_id } = await set(['de', 'pt-BR'])
  await undo(activity_id)
  assert.equal((await get('/fr/bonjour')).item.path, '/fr/bonjour')
  await set(['de', 'pt-BR'])
})

const refusedLanguages: readonly (readonly [what: string, set: Record<string, unknown>, code: string, words: RegExp])[] = [
  ['whose path an entry has', { languages: ['de', 'pt-BR', 'es'] }, 'refused', /"Es".*\/es/],
  ['whose path the service has', { languages: ['ext'] }, 'refused', /\/ext/],
  ['that is the site’s own', { languages: ['en', 'de'] }, 'invalid', /no path of its own/],
  ['named twice', { languages: ['de', 'DE'] }, 'invalid', /different/],
  ['that is none', { languages: ['deutsch!'] }, 'invalid', /language tags/],
  ['whose page stands below one of another', { languages: ['de', 'pt-BR', 'it'] }, 'refused', /\/parent\/figlia/],
]
test('a language that cannot have its path is refused, and nothing moves', async () => {
  await create('Es')
  await create('Parent')
  await create('Figlia', { parent: '/parent', locale: 'it' })
  for (const [what, set, code, words] of refusedLanguages) {
    const error = await failure('SVC_Settings.update', { set })
    assert.equal(error.code, code, what)
    assert.match(error.message, words, what)
  }
  const { item } = await site.call('SVC_Settings.update', { set: { languages: ['de', 'pt-BR'] } })
  assert.deepEqual(item.languages, ['de', 'pt-BR'])
})

test('an undo that would put two entries of one language into a group is a conflict or refused', async () => {
  await create('Team')
  await create('Mannschaft', { locale: 'de', translation_of: '/team' })
  const { activity_id } = await update('/de/mannschaft', { translation_of: null })
  await create('Leute', { locale: 'de', translation_of: '/team' })
  assert.equal((await failure('SVC_Activity.undo', { ids: [activity_id] })).code, 'exists')
})

test('a token for drafts can translate a page that is live', async () => {
  await create('Menu')
  const { token } = await site.call('SVC_Tokens.create', { name: 'drafts', scope: 'content', limits: { drafts_only: true } })
  const made = await site.api(
    'SVC_Content.create',
    { type: 'page', title: 'Karte', locale: 'de', translation_of: '/menu' },
    { token },
  )
  assert.equal(made.json.data.item.path, '/de/karte', made.text)
})

test('a menu leads to translations below the path of a language, unless the language has a menu of its own', async () => {
  const about = await create('About the shop')
  await create('Opening hours')
  await create('Only English')
  const { path } = await create('Über den Laden', { locale: 'de', translation_of: about.id })
  const hidden = await create('Öffnungszeiten', { locale: 'de', translation_of: '/opening-hours', status: 'draft' })
  const items = [
    { label: 'Start', url: '/' },
    { entry: '/about-the-shop', label: 'Who we are', items: [{ entry: '/only-english' }] },
    { label: 'When', url: '/opening-hours' },
  ]
  await site.call('SVC_Menus.create', { slug: 'main', location: 'main', items })
  const menuOf = async (path: string) => {
    const [nav = ''] = /<nav[^>]*>[^]*?<\/nav>/.exec((await page(path)).text) ?? []
    return [...nav.matchAll(/<a [^>]*href="([^"]*)"[^>]*>([^<]*)/g)].map(([, href = '', label = '']) => [
      href.replace(site.base, '') || '/',
      label.trim(),
    ])
  }
  assert.deepEqual(await menuOf('/only-english'), [
    ['/', 'Start'],
    ['/about-the-shop', 'Who we are'],
    ['/only-english', 'Only English'],
    ['/opening-hours', 'When'],
  ])
  assert.deepEqual(await menuOf(path), [
    ['/de', 'Start'],
    [path, 'Über den Laden'],
    ['/only-english', 'Only English'],
    ['/opening-hours', 'When'],
  ])
  await site.call('SVC_Content.publish', { id: hidden.id })
  assert.deepEqual((await menuOf(path)).at(-1), [hidden.path, 'Öffnungszeiten'])
  const own = await site.call('SVC_Menus.create', {
    slug: 'haupt',
    location: 'main.de',
    items: [{ entry: hidden.id, label: 'Offen' }],
  })
  for (const below of [path, '/de/nirgends', '/de?page=99'])
    assert.deepEqual(await menuOf(below), [[hidden.path, 'Offen']], below)
  assert.equal((await menuOf('/only-english')).length, 4)
  await undo(own.activity_id)
  assert.equal((await menuOf(path)).length, 4)
})

test('what visitors are told instead of a page is in the language of the path', async () => {
  const titleOf = async (path: string) => {
    const { status, text } = await page(path)
    return [status, /<html[^>]* lang="([^"]*)"/.exec(text)?.[1], /<h1[^>]*>([^<]*)<\/h1>/.exec(text)?.[1]?.trim()]
  }
  await site.call('SVC_Redirects.create', { from: '/de/frueher', to: null })
  assert.deepEqual(await titleOf('/nowhere'), [404, 'en', 'There is no such page'])
  assert.deepEqual(await titleOf('/de/nirgends'), [404, 'de', 'Diese Seite gibt es nicht'])
  assert.deepEqual(await titleOf('/PT-BR/nada'), [404, 'pt-BR', 'Esta página não existe'])
  assert.deepEqual(await titleOf('/de/frueher'), [410, 'de', 'Diese Seite gibt es nicht mehr'])
  assert.deepEqual(await titleOf('/destination'), [404, 'en', 'There is no such page'])
  assert.deepEqual(await titleOf('/user-content/logs/x'), [403, 'en', 'Not for the web'])
  await site.call('SVC_Settings.maintenance', { on: true, message: 'Wir bauen um.', until: '2099-01-01T12:00' })
  try {
    assert.deepEqual(await titleOf('/de'), [503, 'de', 'Bald wieder da'])
    assert.match((await page('/de/team')).text, /<time datetime="2099-[^"]*">Bis 1\. Januar 2099/)
    assert.match((await page('/')).text, />Until January 1, 2099/)
  } finally {
    await site.call('SVC_Settings.maintenance', { on: false })
  }
})

test('each further language has a search page of its own, which finds its entries in its words', async () => {
  await create('Zebra in English', { body: 'A zebra.' })
  await create('Zebra auf Deutsch', { locale: 'de', body: 'Ein Zebra.' })
  const german = await page('/de/search?q=zebra')
  assert.equal(german.status, 200)
  assert.match(german.text, /<html lang="de"/)
  assert.match(german.text, /Zebra<\/mark>|Zebra auf Deutsch/)
  assert.ok(german.text.includes('/de/zebra-auf-deutsch') && !german.text.includes('/zebra-in-english'))
  assert.match(german.text, /<form class="search"[^>]* action="[^"]*\/de\/search"/)
  assert.match(german.text, /href="[^"]*\/search\?q=zebra" lang="en"/)
  const whole = await page('/search?q=zebra')
  assert.match(whole.text, /<html lang="en"/)
  assert.ok(whole.text.includes('/de/zebra-auf-deutsch') && whole.text.includes('/zebra-in-english'))
  assert.deepEqual([(await page('/fr/search')).status, (await page('/de/x/search')).status], [404, 404])
  assert.match((await page('/robots.txt')).text, /Disallow: \/de\/search\n/)
  assert.equal((await failure('SVC_Content.create', { type: 'page', title: 'x', slug: 'search', locale: 'de' })).code, 'refused')
})
