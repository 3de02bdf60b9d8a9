// Jobs on what is there already: words, addresses, links, tables and earlier versions.

import assert from 'node:assert/strict'
import { until } from '../../until.ts'
import type { Found } from './conversation.ts'
import { type Job, pages, visit } from './job.ts'

const typo: Job = {
  name: 'a word that is misspelt on many pages',
  before: { calls: 7, failed: 1, tokens: 4417 },
  tokens: 4900,
  async given(site) {
    for (let at = 1; at <= 12; at++) await pages(site, { [`Page ${at}`]: `Our restaurent, table ${at}. The restaurent is open.` })
    await pages(site, { Other: 'The restaurant is right here.' })
  },
  async walk(chat) {
    await chat.welcome()
    await chat.find('replace', 'SVC_Content.replace-all')
    await chat.describe('SVC_Content.replace-all', ['find', 'replace', 'expect'])
    const words = { find: 'restaurent', replace: 'restaurant' }
    // One who doesn't know how many there are asks for a dry run first.
    const trial = await chat.call('SVC_Content.replace-all', words, { dry_run: true })
    assert.equal(trial.matches, 24)
    await chat.call('SVC_Content.replace-all', { ...words, expect: trial.matches })
    const left = await chat.call('SVC_Content.list', { where: { body: { has: 'restaurent' } } })
    assert.equal(left.items.length, 0)
  },
  async outcome(site) {
    for (let at = 1; at <= 12; at++) {
      const page = await visit(site, `/page-${at}`)
      assert.ok(page.includes('Our restaurant') && !page.includes('restaurent'))
    }
  },
}

const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

const post: Job = {
  name: 'a post with a picture, for later',
  before: { calls: 7, failed: 0, tokens: 4597 },
  tokens: 5100,
  async walk(chat) {
    await chat.welcome()
    await chat.find('upload', 'SVC_Media.upload')
    await chat.find('create', 'SVC_Content.create')
    await chat.describe(['SVC_Media.upload', 'SVC_Content.create'], ['base64', 'filename', 'alt', 'published_at', 'cover'])
    const { item: picture } = await chat.call('SVC_Media.upload', {
      filename: 'fair.png',
      base64: pixel,
      alt: 'The fair at night',
    })
    const { item } = await chat.call('SVC_Content.create', {
      type: 'post',
      title: 'Spring fair',
      body: `![The fair at night](${picture.path})\n\nCome at ten.`,
      cover: picture.path,
      status: 'scheduled',
      published_at: new Date(Date.now() + 5000).toISOString(),
    })
    assert.equal(item.status, 'scheduled')
    const there = await chat.call('SVC_Content.get', { id: item.id })
    assert.match(JSON.stringify(there), /fair\.png/)
  },
  async outcome(site) {
    const { items } = await site.call('SVC_Content.list', { type: 'post' })
    const { path } = items[0]
    await until('the post is public', async () => (await site.send(path, { token: null })).status === 200)
    const page = await visit(site, path)
    assert.match(page, /Come at ten/)
    const [, source] = /<img[^>]*src="([^"]+)"[^>]*alt="The fair at night"|$/.exec(page) ?? []
    assert.equal((await fetch(new URL(source ?? '/none', site.base))).status, 200)
  },
}

const move: Job = {
  name: 'pages below another, with their old addresses',
  before: { calls: 10, failed: 0, tokens: 4035 },
  tokens: 4500,
  given: (site) =>
    pages(site, { About: 'Us.', Team: 'Ann and Ben.', History: 'Since 1952. See [the team](/team).', 'Old prices': 'Gone.' }),
  async walk(chat) {
    await chat.welcome()
    await chat.find('move', 'SVC_Content.move')
    await chat.find('redirect', 'SVC_Redirects.create')
    const { items } = await chat.call('SVC_Content.list', { type: 'page' })
    assert.equal(items.length, 4)
    await chat.describe(['SVC_Content.move', 'SVC_Redirects.create'], ['parent', 'from', 'to'])
    await chat.call('SVC_Content.move', { id: '/team', parent: '/about' })
    await chat.call('SVC_Content.move', { id: '/history', parent: '/about', slug: 'story' })
    await chat.call('SVC_Redirects.create', { from: '/people', to: '/about/team' })
    await chat.find('resolve', 'SVC_Redirects.resolve')
    for (const path of ['/team', '/people']) {
      assert.match(JSON.stringify(await chat.call('SVC_Redirects.resolve', { path })), /\/about\/team/)
    }
  },
  async outcome(site) {
    assert.match(await visit(site, '/about/team'), /Ann and Ben/)
    assert.match(await visit(site, '/about/story'), /href="[^"]*\/about\/team"/)
    for (const [from, to] of [
      ['/team', '/about/team'],
      ['/history', '/about/story'],
      ['/people', '/about/team'],
    ] as const) {
      const answer = await site.send(from, { token: null })
      assert.equal(answer.status, 301, from)
      assert.ok((answer.headers.get('location') ?? '').endsWith(to))
    }
  },
}

const table = Array.from({ length: 40 }, (_, at) => `Wine ${at + 1};${2000 + (at % 20)};${8 + at}`)

const wines: Job = {
  name: 'a table of 40 rows as entries',
  before: { calls: 8, failed: 0, tokens: 12465 },
  tokens: 6500,
  async given(site) {
    const fields = [
      { name: 'year', kind: 'number', label: 'Year' },
      { name: 'price', kind: 'number', label: 'Price' },
    ]
    await site.call('SVC_Types.create', { slug: 'wine', name: 'Wine', fields })
  },
  async walk(chat) {
    await chat.welcome()
    await chat.find('type', 'SVC_Types.get')
    const { item: type } = await chat.call('SVC_Types.get', { id: 'wine' })
    assert.match(JSON.stringify(type), /"year"/)
    await chat.find('many entries', 'SVC_Content.create-many')
    await chat.describe('SVC_Content.create-many', ['columns', 'rows'])
    const rows = table.map((row) => {
      const [title, year, price] = row.split(';')
      return [title, 'published', Number(year), Number(price)]
    })
    const input = { type: 'wine', columns: ['title', 'status', 'fields.year', 'fields.price'], rows }
    await chat.call('SVC_Content.create-many', input, { dry_run: true })
    await chat.call('SVC_Content.create-many', input)
    const list = await chat.call('SVC_Content.list', { type: 'wine', limit: 3, count: true })
    assert.equal(list.total, 40)
  },
  async outcome(site) {
    assert.match(await visit(site, '/wine/wine-40'), /47/)
    assert.match(await visit(site, '/wine/wine-1'), /2000/)
  },
}

const links: Job = {
  name: 'links that lead nowhere',
  before: { calls: 10, failed: 0, tokens: 3785 },
  tokens: 4200,
  given: (site) =>
    pages(site, {
      Contact: 'Call us.',
      Menu: 'Ask [us](/contakt) about bread. Or read [the history](/history).',
      Prices: 'As [told](/contakt) before.',
    }),
  async walk(chat) {
    await chat.welcome()
    await chat.find('broken links', 'SVC_Content.check')
    await chat.describe('SVC_Content.check', ['where', 'rules', 'links'])
    const dead = async (): Promise<Found[]> =>
      (await chat.call('SVC_Content.check', { where: { status: 'published' }, rules: ['links'] })).items
    const found = await dead()
    assert.equal(found.length, 3)
    assert.match(JSON.stringify(found), /\/contakt[^]*\/history|\/history[^]*\/contakt/)
    await chat.find('replace', 'SVC_Content.edit')
    await chat.describe('SVC_Content.edit', ['edits', 'find', 'replace'])
    for (const { id } of found.filter((one) => JSON.stringify(one).includes('/contakt'))) {
      await chat.call('SVC_Content.edit', { id, edits: [{ find: '(/contakt)', replace: '(/contact)' }] })
    }
    const [gone] = found.filter((one) => JSON.stringify(one).includes('/history'))
    await chat.call('SVC_Content.edit', { id: gone.id, edits: [{ find: ' Or read [the history](/history).', replace: '' }] })
    assert.deepEqual(await dead(), [])
  },
  async outcome(site) {
    for (const path of ['/menu', '/prices']) {
      const page = await visit(site, path)
      assert.match(page, /href="[^"]*\/contact"/)
      assert.doesNotMatch(page, /contakt|\/history/)
    }
  },
}

const back: Job = {
  name: 'a page as it was last week, and one that was deleted by mistake',
  before: { calls: 13, failed: 0, tokens: 10453 },
  tokens: 11500,
  async given(site) {
    await pages(site, { Prices: 'Bread costs **3**.', Team: 'Ann and Ben.' })
    await site.call('SVC_Content.update', { id: '/prices', body: 'Bread costs **4**.' })
    await site.call('SVC_Content.update', { id: '/prices', body: 'lorem ipsum' })
    await site.call('SVC_Content.delete', { ids: ['/team'] })
  },
  async walk(chat) {
    await chat.welcome()
    await chat.find('revisions', 'SVC_Content.revisions')
    await chat.describe(['SVC_Content.revisions', 'SVC_Content.revert'], ['id', 'revision'])
    const { items } = await chat.call('SVC_Content.revisions', { id: '/prices' })
    const [first] = items.map((item: Found) => item.revision).sort((one: number, other: number) => one - other)
    const early = await chat.call('SVC_Content.get', { id: '/prices', revision: first })
    assert.match(JSON.stringify(early), /costs \*\*3/)
    await chat.call('SVC_Content.revert', { id: '/prices', revision: first })
    await chat.find('undo', 'SVC_Activity.undo')
    await chat.find('changes', 'SVC_Activity.list')
    const activity = await chat.call('SVC_Activity.list', { limit: 5 })
    const deletion = activity.items.find((item: Found) => item.call === 'SVC_Content.delete')
    await chat.describe('SVC_Activity.undo', ['id'])
    await chat.call('SVC_Activity.undo', { id: deletion.id })
    assert.match(JSON.stringify(await chat.call('SVC_Content.get', { id: '/team' })), /Ann and Ben/)
  },
  async outcome(site) {
    assert.match(await visit(site, '/prices'), /costs <strong>3/)
    assert.match(await visit(site, '/team'), /Ann and Ben/)
  },
}

export { back, links, move, post, typo, wines }
