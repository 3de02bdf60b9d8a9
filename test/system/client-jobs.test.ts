// Ten whole jobs as an AI client does them, over MCP with the official client. Each begins as a client would: welcome, what it names, describe-action,
// a dry run, and then the call.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import sharp from 'sharp'
import { openSite, type TestSite } from '../site.ts'
import { until } from '../until.ts'

type Input = Record<string, unknown>
type Data = any // oxlint-disable-line no-explicit-any -- JSON, looked at by assertions

interface Assistant extends AsyncDisposable {
  /** Calls an action that must succeed. */
  ask(action: string, input?: Input, options?: Input): Promise<Data>
  /** The failure of one that must fail. */
  refused(action: string, input: Input, options?: Input): Promise<Data>
  /** Describes an action, tries the call without doing it, and does it. */
  act(action: string, input: Input, options?: Input): Promise<Data>
}

async function connect(site: TestSite, token: string): Promise<Assistant> {
  const client = new Client({ name: 'assistant', version: '1.0.0' })
  const headers = { Authorization: `Bearer ${token}` }
  await client.connect(new StreamableHTTPClientTransport(new URL(`${site.base}/mcp/`), { requestInit: { headers } }))
  const tool = async (name: string, args: Input): Promise<Data> =>
    (await client.callTool({ name, arguments: args })).structuredContent
  const call = (action: string, input: Input, options: Input) =>
    tool('SVC_API__call-action', { action, arguments: input, ...options })
  const ask: Assistant['ask'] = async (action, input = {}, options = {}) => {
    const answer = await call(action, input, options)
    assert.equal(answer.success, true, `${action}: ${JSON.stringify(answer.error)}`)
    return answer.data
  }
  return {
    ask,
    async refused(action, input, options = {}) {
      const answer = await call(action, input, options)
      assert.equal(answer.success, false, `${action} succeeded`)
      return answer.error
    },
    async act(action, input, options = {}) {
      const { data } = await tool('SVC_API__describe-action', { action })
      for (const name of Object.keys(input))
        assert.match(data.input, new RegExp(`[{;] ${name}\\??: `), `${action} does not describe ${name}`)
      const tried = await ask(action, input, { ...options, dry_run: true })
      assert.equal(tried.activity_id, null, `${action} was done in a dry run`)
      return ask(action, input, options)
    },
    [Symbol.asyncDispose]: () => client.close(),
  }
}

let site: TestSite
let owner: Assistant
before(async () => {
  site = await openSite()
  owner = await connect(site, site.token)
})
after(async () => {
  await owner[Symbol.asyncDispose]()
  await site[Symbol.asyncDispose]()
})

const page = (path: string) => site.send(path, { token: null, headers: { accept: 'text/html' } })
const photo = async (hue: number) => {
  const background = { r: hue, g: 90, b: 160 }
  return (
    await sharp({ create: { width: 64, height: 48, channels: 3, background } })
      .jpeg()
      .toBuffer()
  ).toString('base64')
}

test('a business site of five pages with a logo and images, from nothing', async () => {
  const welcome = await owner.ask('SVC_API.welcome')
  assert.deepEqual(welcome.counts, {})
  assert.ok(welcome.next.some(({ call }: Data) => call === 'SVC_Docs.list'))
  const documents = (await owner.ask('SVC_Docs.list')).items.map(({ doc }: Data) => doc)
  for (const doc of ['media', 'publishing', 'themes', 'content-types']) assert.ok(documents.includes(doc), doc)
  await owner.act('SVC_Activity.mark', { name: 'before the site' })
  await owner.act('SVC_Settings.update', { set: { site_title: 'Harbour Boats', site_tagline: 'Call 555 0100' } })
  const logo = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><title>Harbour Boats</title><path d="M0 6h8L6 8H2z"/></svg>`
  await owner.act('SVC_Media.upload', { text: logo, filename: 'logo.svg', alt: 'Harbour Boats' })
  await owner.ask('SVC_Media.upload', { base64: await photo(20), filename: 'quay.jpg', alt: 'Boats at the quay' })
  const untold = await owner.ask('SVC_Media.upload', { base64: await photo(80), filename: 'workshop.jpg' })
  assert.equal(untold.warnings[0].code, 'alt_missing')
  assert.equal((await owner.ask('SVC_API.welcome')).media_without_alt, 1)
  await owner.act('SVC_Media.update', { id: untold.item.id, alt: 'Our workshop' })

  const create = (title: string, body: string, more: Input = {}) => ({
    action: 'SVC_Content.create',
    arguments: { type: 'page', title, body, status: 'published', excerpt: `${title} in short.`, ...more },
  })
  const calls = [
    create('Home', '![](/media/logo.svg)\n\nBoats since 1950. [Our services](/services). Call 555 0100.', {
      cover: '/media/quay.jpg',
    }),
    create('Services', 'What we do.\n\n![](/media/workshop.jpg "The workshop")'),
    create('Repairs', 'We mend hulls. Questions? 555 0100.', { parent: '$1.item.id' }),
    create('About', 'Who we are. See [repairs](/services/repairs).'),
    create('Contact', 'Call **555 0100**, or come by.', { position: 9 }),
  ]
  const { results } = await owner.act('SVC_API.batch', { calls })
  for (const { warnings } of results) assert.deepEqual(warnings, [])
  await owner.act('SVC_Settings.update', { set: { home: '/home' } })
  const items = [
    { entry: '/services', items: [{ entry: '/services/repairs' }] },
    { entry: '/about' },
    { label: 'Call 555 0100', url: 'tel:5550100' },
  ]
  await owner.act('SVC_Menus.create', { slug: 'main', name: 'Main menu', location: 'main', items })
  const { text } = await page('/')
  assert.match(text, /alt="Harbour Boats"/)
  assert.match(text, /href="[^"]*\/services\/repairs"/)
  assert.match(text, /Call 555 0100/)
  const checked = await owner.ask('SVC_Content.check', { where: { status: 'published' } })
  assert.deepEqual([checked.checked, checked.items], [5, []])
  const again = await owner.ask('SVC_API.welcome')
  assert.deepEqual([again.counts, again.media_without_alt], [{ published: 5 }, 0])
})

test('a phone number changes everywhere: what is left elsewhere is named, each with its call', async () => {
  const found = await owner.ask('SVC_Search.query', { query: '555 0100' })
  assert.ok(found.items.length >= 3)
  const input = { find: '555 0100', replace: '555 0199' }
  const counted = await owner.ask('SVC_Content.replace-all', input, { dry_run: true })
  const wrong = await owner.refused('SVC_Content.replace-all', { ...input, expect: counted.matches + 9 })
  assert.deepEqual([wrong.code, wrong.expected], ['conflict', counted.matches])
  const done = await owner.act('SVC_Content.replace-all', { ...input, expect: counted.matches })
  assert.deepEqual(
    done.elsewhere.map(({ kind, call }: Data) => [kind, call]),
    [
      ['menu', 'SVC_Menus.update'],
      ['setting', 'SVC_Settings.update'],
    ],
  )
  const [menu, setting] = done.elsewhere
  assert.equal(setting.id, 'site_tagline')
  await owner.act('SVC_Settings.update', { set: { site_tagline: 'Call 555 0199' } })
  const { item } = await owner.ask('SVC_Menus.get', { id: menu.id })
  const items = JSON.parse(JSON.stringify(item.items).replaceAll('555 0100', '555 0199').replaceAll('5550100', '5550199'))
  await owner.act('SVC_Menus.update', { id: menu.id, items })
  const rest = await owner.ask('SVC_Content.replace-all', { ...input, expect: 0 }, { dry_run: true })
  assert.equal(rest.elsewhere, undefined)
  for (const path of ['/', '/contact', '/services/repairs']) {
    const { text } = await page(path)
    assert.ok(text.includes('555 0199') && !text.includes('555 0100'), path)
  }
})

test('the site is restyled by a setting of the theme and by an edit of a template, which first fails', async () => {
  const { items } = await owner.ask('SVC_Themes.list')
  const active = items.find((one: Data) => one.active)
  await owner.act('SVC_Themes.create', { slug: 'ours', from: active.slug ?? active.id })
  await owner.act('SVC_Themes.configure', { id: 'ours', settings: { accent: '#1d5a99' } })
  await owner.act('SVC_Themes.activate', { id: 'ours' })
  const { text } = await owner.ask('SVC_Themes.read', { id: 'ours', file: 'partials/heading.liquid' })
  const find = '{{ entry.title }}'
  const expect = text.split(find).length - 1
  assert.ok(expect > 0, text)
  const edits = (replace: string) => [{ find, replace, ...(expect > 1 ? { expect } : {}) }]
  const wrong = await owner.refused('SVC_Themes.edit', {
    id: 'ours',
    file: 'partials/heading.liquid',
    edits: edits('{{ entry.titel }}'),
  })
  assert.deepEqual([wrong.code, wrong.file, typeof wrong.line], ['unprocessable', 'partials/heading.liquid', 'number'])
  assert.match(wrong.message, /titel/)
  assert.match((await page('/about')).text, /About/)
  await owner.act('SVC_Themes.edit', { id: 'ours', file: 'partials/heading.liquid', edits: edits('{{ entry.title }} *') })
  assert.match((await page('/about')).text, /About \*/)
  assert.match((await page('/about')).text, /1d5a99/i)
})

test('a section is renamed, and every redirect is told', async () => {
  const moved = await owner.act('SVC_Content.move', { id: '/services', slug: 'what-we-do' })
  assert.deepEqual(moved.redirects, [
    { from: '/services', to: '/what-we-do' },
    { from: '/services/repairs', to: '/what-we-do/repairs' },
  ])
  const { items } = await owner.ask('SVC_Redirects.list', { moved: true })
  assert.deepEqual(items.map(({ from }: Data) => from).toSorted(), ['/services', '/services/repairs'])
  const way = await owner.ask('SVC_Redirects.resolve', { path: '/services/repairs' })
  assert.deepEqual([way.status, way.hops.at(-1).to], [200, '/what-we-do/repairs'])
  assert.equal((await page('/services/repairs')).status, 301)
  assert.match((await page('/')).text, /href="[^"]*\/what-we-do\/repairs"/)
})

test('a change is staged by an assistant with drafts only, reviewed, and published exactly as reviewed', async () => {
  const made = await owner.act('SVC_Tokens.create', { name: 'Drafts', scope: 'content', limits: { drafts_only: true } })
  await using writer = await connect(site, made.token)
  const staged = await writer.act('SVC_Content.edit', { id: '/about', edits: [{ append: 'We also rent boats.' }] })
  assert.equal(staged.live, false)
  assert.equal((await writer.refused('SVC_Content.publish', { id: '/about' })).code, 'refused')
  assert.ok(!(await page('/about')).text.includes('rent boats'))

  const welcome = await owner.ask('SVC_API.welcome')
  assert.equal(welcome.staged, 1)
  const [, listing] = welcome.next.find(({ why }: Data) => /wait to be published/.test(why)).call.split(/ (.*)/s)
  const [waiting] = (await owner.ask('SVC_Content.list', JSON.parse(listing))).items
  const review = await owner.ask('SVC_Content.diff', { id: waiting.id, from: 'live' })
  assert.match(review.text, /^\+We also rent boats\.$/m)
  // Somebody changes what was reviewed.
  await writer.ask('SVC_Content.edit', { id: '/about', edits: [{ find: 'rent boats', replace: 'sell boats' }] })
  const stale = await owner.refused('SVC_Content.publish', { id: waiting.id }, { if_revision: waiting.revision })
  assert.equal(stale.code, 'conflict')
  const seen = await owner.ask('SVC_Content.get', { id: waiting.id, stage: true })
  await owner.act('SVC_Content.publish', { id: waiting.id }, { if_revision: seen.item.revision })
  assert.match((await page('/about')).text, /sell boats/)
  assert.equal((await owner.ask('SVC_API.welcome')).staged, 0)
})

test('three pages are translated, and each names its translation', async () => {
  await owner.act('SVC_Settings.update', { set: { languages: ['de'] } })
  const { items } = await owner.ask('SVC_Content.list', {
    type: 'page',
    where: { path: { in: ['/about', '/contact', '/what-we-do'] } },
  })
  const german: Input = { '/about': 'Wir', '/contact': 'Kontakt', '/what-we-do': 'Leistungen' }
  const calls = items.map(({ id, path }: Data) => ({
    action: 'SVC_Content.create',
    arguments: { type: 'page', title: german[path], body: 'Text.', locale: 'de', translation_of: id, status: 'published' },
  }))
  const { results } = await owner.act('SVC_API.batch', { calls })
  assert.deepEqual(results.map(({ item }: Data) => item.path).toSorted(), ['/de/kontakt', '/de/leistungen', '/de/wir'])
  assert.match((await page('/contact')).text, /hreflang="de" href="[^"]*\/de\/kontakt"|href="[^"]*\/de\/kontakt" hreflang="de"/)
  assert.match((await page('/de/kontakt')).text, /<html[^>]* lang="de"/)
})

test('what check names is mended, by its own calls where it has any', async () => {
  const body =
    '# Prices\n\n[Repairs](/services/repairs), [rent](/rent) and [boats](/de).\n\n![](/media/quay.jpg) ![](/media/lost.jpg)'
  await owner.act('SVC_Content.create', { type: 'page', title: 'Prices', body, status: 'published' })
  const check = async () => (await owner.ask('SVC_Content.check', { ids: ['/prices'] })).items as Data[]
  const found = await check()
  assert.deepEqual(
    found.map(({ rule, place, fix }) => [rule, place, fix !== null]),
    [
      ['links', 'body: /services/repairs', true],
      ['links', 'body: /rent', false],
      ['links', 'body: /media/lost.jpg', false],
      ['alt', 'body: /media/lost.jpg', false],
      ['headings', 'body: # Prices', true],
      ['lengths', 'excerpt', true],
    ],
  )
  for (const { fix } of found) if (fix) await owner.act(fix.call, fix.arguments)
  const edits = [
    { find: '[rent](/rent)', replace: 'rent' },
    { find: ' ![](/media/lost.jpg)', replace: '' },
  ]
  await owner.act('SVC_Content.edit', { id: '/prices', edits })
  assert.deepEqual(await check(), [])
})

test('the trash is emptied: a wrong number destroys nothing, and says the right one', async () => {
  await owner.act('SVC_Content.delete', { ids: ['/prices', '/de/wir'] })
  const { items } = await owner.ask('SVC_Content.list', { where: { status: 'trash' } })
  assert.equal(items.length, 2)
  const wrong = await owner.refused('SVC_Content.purge', { where: {}, expect: 1 })
  assert.deepEqual([wrong.code, wrong.expected], ['conflict', 2])
  const { done } = await owner.act('SVC_Content.purge', { where: {}, expect: wrong.expected })
  assert.equal(done.length, 2)
  assert.equal((await owner.ask('SVC_API.welcome')).counts.trash, undefined)
})

test('an afternoon’s work is taken back by one undo', async () => {
  const contact = (await owner.ask('SVC_Content.get', { id: '/contact' })).item
  const before = (await page('/contact')).text
  await owner.act('SVC_Activity.mark', { name: 'before lunch' })
  await owner.act('SVC_Content.update', { id: '/contact', title: 'Write to us', body: 'New.' })
  await owner.act('SVC_Content.move', { id: '/contact', slug: 'write' })
  await owner.act('SVC_Terms.create', { taxonomy: 'tag', name: 'Boats' })
  await owner.act('SVC_Content.update-many', { ids: ['/write', '/about'], set: { terms: { add: ['tag/boats'] } }, expect: 2 })
  await owner.act('SVC_Menus.add', { id: 'main', item: { entry: '/write' } })
  await owner.act('SVC_Types.create', { slug: 'boat', name: 'Boat' })
  await owner.act('SVC_Themes.configure', { id: 'ours', settings: { accent: null } })
  await owner.ask('SVC_Media.upload', { base64: await photo(140), filename: 'late.jpg', alt: 'Late' })
  const { token } = (await owner.ask('SVC_API.welcome')).you
  const undone = await owner.act('SVC_Activity.undo', { since: 'before lunch', token: token.id })
  assert.deepEqual([undone.done.length, undone.skipped], [8, []])
  const { body, path, terms } = (await owner.ask('SVC_Content.get', { id: contact.id })).item
  assert.deepEqual([body, path, terms], [contact.body, '/contact', []])
  await until('the page is as it was', async () => (await page('/contact')).text === before)
})

test('“what changed since Monday?” is answered by one call', async () => {
  const told = await owner.ask('SVC_Activity.digest', { since: '-7d' })
  assert.ok(told.counts.records > 20 && told.counts.undone >= 8)
  const titles = told.highlights.map(({ title }: Data) => title)
  assert.ok(titles.includes('About'), titles.join())
  const about = told.highlights.find(({ path }: Data) => path === '/about')
  const record = await owner.ask('SVC_Activity.get', { id: about.activity_id })
  assert.ok(record.item.diff.length > 0)
})
