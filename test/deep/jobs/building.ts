// Jobs that build: a site from nothing, a type with its entries, a look, menus, a name and a way to get in touch.

import assert from 'node:assert/strict'
import { type Job, pages, visit } from './job.ts'

const bakeryPages = [
  { title: 'Home', body: 'Sourdough from our own starter, baked every night in **Mill Lane**.' },
  { title: 'About', body: '## Three generations\n\nThe Millers have baked here since 1952.' },
  { title: 'Opening hours', body: '| day | hours |\n|-|-|\n| Tuesday to Friday | 7 to 18 |\n| Saturday | 7 to 13 |' },
  { title: 'Contact', body: 'Mill Lane 4. Call [555 0100](tel:5550100).' },
]

const bakery: Job = {
  name: 'a bakery from nothing',
  before: { calls: 15, failed: 0, tokens: 12825 },
  tokens: 8000,
  async walk(chat) {
    await chat.welcome()
    await chat.list(['SVC_Content.create', 'SVC_Menus.create', 'SVC_Themes.configure', 'SVC_Settings.update', 'SVC_API.batch'])
    await chat.describe(['SVC_Content.create', 'SVC_Menus.create'], ['title', 'body', 'status', 'published', 'location', 'items'])
    const paths: string[] = []
    for (const page of bakeryPages) {
      const made = await chat.call('SVC_Content.create', { type: 'page', ...page, status: 'published' })
      paths.push(made.item.path)
    }
    await chat.describe('SVC_Themes.configure', ['settings'])
    const { items } = await chat.call('SVC_Themes.list')
    const active = items.find((theme: { active: boolean }) => theme.active).id
    const theme = await chat.call('SVC_Themes.get', { id: active })
    for (const name of ['accent', 'footer_text', 'main']) assert.ok(JSON.stringify(theme).includes(`"${name}"`))
    await chat.call('SVC_Themes.configure', { id: active, settings: { accent: '#8a4b14', footer_text: 'Fresh from seven' } })
    const [, ...rest] = paths
    const menu = { slug: 'main', name: 'Main menu', location: 'main' }
    await chat.call('SVC_Menus.create', { ...menu, items: rest.map((entry) => ({ entry })) })
    await chat.describe('SVC_Settings.update', ['set', 'site_title', 'home'])
    await chat.call('SVC_Settings.update', { set: { site_title: 'Miller’s Bakery', home: paths[0] } })
    const list = await chat.call('SVC_Content.list', { where: { status: 'published' } })
    assert.equal(list.items.length, 4)
  },
  async outcome(site) {
    const home = await visit(site, '/')
    for (const words of ['Miller’s Bakery', 'Sourdough', '#8a4b14', 'Fresh from seven', 'Opening hours', 'Contact']) {
      assert.ok(home.includes(words), `the home page has ${words}`)
    }
    assert.match(await visit(site, '/about'), /1952/)
    assert.match(await visit(site, '/opening-hours'), /<table>/)
    assert.match(await visit(site, '/contact'), /tel:5550100/)
  },
}

const concerts = Array.from({ length: 20 }, (_, at) => ({
  title: `Concert ${at + 1}`,
  fields: { date: `2027-03-${String(at + 1).padStart(2, '0')}`, price: 10 + at },
}))

const newType: Job = {
  name: 'a new type with fields, and 20 entries',
  before: { calls: 8, failed: 0, tokens: 7706 },
  tokens: 8500,
  async walk(chat) {
    await chat.welcome()
    await chat.find('type', 'SVC_Types.create')
    await chat.describe('SVC_Types.create', ['slug', 'fields', 'kind', 'number', 'date'])
    const fields = [
      { name: 'date', kind: 'date', label: 'Date' },
      { name: 'price', kind: 'number', label: 'Price' },
    ]
    await chat.call('SVC_Types.create', { slug: 'concert', name: 'Concert', fields })
    await chat.find('several calls', 'SVC_API.batch')
    await chat.describe(['SVC_API.batch', 'SVC_Content.create'], ['calls', 'arguments', 'fields', 'price'])
    const calls = concerts.map((concert) => ({
      action: 'SVC_Content.create',
      arguments: { type: 'concert', status: 'published', ...concert },
    }))
    await chat.call('SVC_API.batch', { calls })
    const list = await chat.call('SVC_Content.list', { type: 'concert', limit: 5, count: true })
    assert.equal(list.total, 20)
  },
  async outcome(site) {
    assert.match(await visit(site, '/concert/concert-20'), /29/)
    assert.match(await visit(site, '/concert/concert-1'), /2027|March/)
  },
}

const look: Job = {
  name: 'a rule in the style sheet of the theme, looked at before visitors see it',
  before: { calls: 10, failed: 0, tokens: 10855 },
  tokens: 5400,
  given: (site) => pages(site, { About: 'Who we are.' }),
  async walk(chat, site) {
    await chat.welcome()
    await chat.find('theme', 'SVC_Themes.edit')
    const { items } = await chat.call('SVC_Themes.list')
    const active = items.find((theme: { active: boolean }) => theme.active).id
    await chat.describe(
      ['SVC_Themes.create', 'SVC_Themes.search', 'SVC_Themes.edit'],
      ['slug', 'from', 'query', 'file', 'edits', 'append'],
    )
    await chat.call('SVC_Themes.create', { slug: 'mine', from: active })
    const { items: lines } = await chat.call('SVC_Themes.search', { id: 'mine', query: 'h1', base: true })
    const at = lines.find((line: { file: string }) => line.file.endsWith('.css'))
    const css = await chat.call('SVC_Themes.read', { id: 'mine', file: at.file, from: at.line, lines: 8 })
    assert.match(JSON.stringify(css), /h1/)
    const edits = [{ append: '\nh1 { letter-spacing: 3px }\n' }]
    await chat.call('SVC_Themes.edit', { id: 'mine', file: 'assets/style.css', edits })
    await chat.describe('SVC_Themes.preview', ['path'])
    const { url } = await chat.call('SVC_Themes.preview', { id: 'mine', path: '/about' })
    const shown = await fetch(url)
    assert.equal(shown.status, 200)
    assert.doesNotMatch(await styleOf(await visit(site, '/about')), /letter-spacing: ?3px/, 'visitors see the old look')
    await chat.call('SVC_Themes.activate', { id: 'mine' })
  },
  async outcome(site) {
    assert.match(await styleOf(await visit(site, '/about')), /letter-spacing: ?3px/)
  },
}

/** The style sheet that a page links to. */
async function styleOf(html: string): Promise<string> {
  const [, address] = /<link rel="stylesheet" href="([^"]+)"/.exec(html) ?? []
  assert.ok(address, 'the page links to a style sheet')
  return (await fetch(address)).text()
}

const menus: Job = {
  name: 'a navigation with a level below, and one in the footer',
  before: { calls: 9, failed: 0, tokens: 5682 },
  tokens: 6300,
  given: (site) => pages(site, { Shop: 'Buy.', Bread: 'Loaves.', Cakes: 'Sweet.', Imprint: 'Who.', Privacy: 'What.' }),
  async walk(chat) {
    await chat.welcome()
    await chat.find('menu', 'SVC_Menus.create')
    await chat.describe('SVC_Menus.create', ['location', 'items', 'entry', 'label'])
    const listed = await chat.call('SVC_Content.list', { type: 'page' })
    const at = (title: string): string => listed.items.find((item: { title: string }) => item.title === title).path
    const { items: themes } = await chat.call('SVC_Themes.list')
    const theme = await chat.call('SVC_Themes.get', { id: themes.find((one: { active: boolean }) => one.active).id })
    assert.match(JSON.stringify(theme), /"main"[^]*"footer"|"footer"[^]*"main"/)
    const shop = { entry: at('Shop'), items: [{ entry: at('Bread') }, { entry: at('Cakes') }] }
    await chat.call('SVC_Menus.create', { slug: 'main', name: 'Main', location: 'main', items: [shop] })
    const legal = [{ entry: at('Imprint') }, { entry: at('Privacy'), label: 'Your data' }]
    await chat.call('SVC_Menus.create', { slug: 'legal', name: 'Footer', location: 'footer', items: legal })
    const menu = await chat.call('SVC_Menus.get', { id: 'main' })
    assert.match(JSON.stringify(menu), /Bread/)
  },
  async outcome(site) {
    const page = await visit(site, '/shop')
    for (const link of ['href="/bread"', 'href="/cakes"', 'href="/imprint"', 'Your data']) {
      assert.ok(page.replaceAll(site.base, '').includes(link), `the page has ${link}`)
    }
  },
}

const drawing = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><circle cx="5" cy="5" r="4"/></svg>'

const identity: Job = {
  name: 'the name of the site, its logo, and how to get in touch',
  before: { calls: 10, failed: 0, tokens: 10824 },
  tokens: 12000,
  async walk(chat) {
    await chat.welcome()
    await chat.find('settings', 'SVC_Settings.update')
    const settings = await chat.call('SVC_Settings.list', { group: 'site' })
    assert.match(JSON.stringify(settings), /"logo"/)
    await chat.find('file', 'SVC_Media.upload')
    await chat.describe(['SVC_Settings.update', 'SVC_Media.upload'], ['set', 'filename', 'text', 'alt'])
    const logo = await chat.call('SVC_Media.upload', { filename: 'logo.svg', text: drawing, alt: 'A loaf' })
    const set = { site_title: 'Harbour Yoga', site_tagline: 'Breathe by the sea', logo: logo.item.path }
    await chat.call('SVC_Settings.update', { set })
    await chat.describe('SVC_Content.create', ['title', 'body'])
    const body = 'Write to <hello@example.org>, or call [555 0123](tel:5550123).'
    await chat.call('SVC_Content.create', { type: 'page', title: 'Contact', body, status: 'published' })
  },
  async outcome(site) {
    const home = await visit(site, '/')
    for (const words of ['Harbour Yoga', 'Breathe by the sea', '/media/logo']) assert.ok(home.includes(words), words)
    assert.match(await visit(site, '/contact'), /tel:5550123/)
  },
}

export { bakery, identity, look, menus, newType }
