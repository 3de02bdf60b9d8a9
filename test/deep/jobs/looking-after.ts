// Jobs around a site: people and what they may do, an assistant that has to ask, and how the site is.

import assert from 'node:assert/strict'
import type { TestSite } from '../../site.ts'
import type { Found } from './conversation.ts'
import { type Job, pages, visit } from './job.ts'

const people: Job = {
  name: 'a colleague, and a token for a script that may only write drafts',
  before: { calls: 8, failed: 0, tokens: 3694 },
  tokens: 4100,
  async walk(chat, site) {
    await chat.welcome()
    await chat.find('account', 'SVC_Accounts.create')
    await chat.describe('SVC_Accounts.create', ['email', 'name', 'role'])
    const ben = await chat.call('SVC_Accounts.create', { email: 'ben@example.org', name: 'Ben', role: 'content' })
    assert.match(JSON.stringify(ben), /\/admin\/new-password\?code=/, 'the answer has the link for Ben')
    await chat.find('token', 'SVC_Tokens.create')
    await chat.describe('SVC_Tokens.create', ['scope', 'limits', 'drafts_only'])
    const made = await chat.call('SVC_Tokens.create', { name: 'Script', scope: 'content', limits: { drafts_only: true } })
    const { items } = await chat.call('SVC_Accounts.list')
    assert.equal(items.length, 2)
    handedOut.set(site, { token: made.token, link: JSON.stringify(ben).match(/https?:[^"]*new-password[^"]*/)?.[0] ?? '' })
  },
  async outcome(site) {
    const { token = '', link = '' } = handedOut.get(site) ?? {}
    await site.call('SVC_Content.create', { type: 'page', title: 'By the script' }, { token })
    assert.equal((await site.api('SVC_Content.publish', { id: '/by-the-script' }, { token })).status, 422)
    assert.equal((await fetch(link)).status, 200)
  },
}

/** What the answers had for the owner to hand on. */
const handedOut = new WeakMap<TestSite, { readonly token: string; readonly link: string }>()

const limited = (limits: Readonly<Record<string, unknown>>) => async (site: TestSite) =>
  (await site.call('SVC_Tokens.create', { name: 'Assistant', scope: 'content', limits })).token as string

/** The addresses in an answer where a person decides. */
const deciding = (answer: Found): readonly string[] => JSON.stringify(answer).match(/https?:[^"\s\\]*\/admin\/[^"\s\\]*/g) ?? []

const asking: Job = {
  name: 'new prices, by an assistant that asks first',
  before: { calls: 6, failed: 0, tokens: 2935 },
  tokens: 3300,
  todo: "a waiting answer doesn't say where a person decides",
  given: (site) => pages(site, { Prices: 'Bread costs 3.' }),
  token: limited({ ask: ['*'] }),
  async walk(chat) {
    await chat.welcome()
    await chat.find('edit', 'SVC_Content.edit')
    await chat.describe('SVC_Content.edit', ['edits', 'find', 'replace'])
    const asked = await chat.call('SVC_Content.edit', { id: '/prices', edits: [{ find: 'costs 3', replace: 'costs 4' }] })
    assert.equal(asked.pending, true)
    const state = await chat.call('SVC_Proposals.get', { id: asked.proposal.id })
    assert.match(JSON.stringify(state), /waiting/)
    assert.match(JSON.stringify(await chat.call('SVC_Content.get', { id: '/prices' })), /costs 3/)
    chat.expect('the answer says where a person decides', deciding(asked).length > 0)
  },
  async outcome(site) {
    assert.match(await visit(site, '/prices'), /costs 3/)
    const { items } = await site.call('SVC_Proposals.list', { where: { state: 'waiting' } })
    assert.equal(items.length, 1)
    await approve(site, items[0].id)
    assert.match(await visit(site, '/prices'), /costs 4/)
  },
}

/** Approves a proposal as the owner who was shown it. */
async function approve(site: TestSite, id: string): Promise<void> {
  const { item } = await site.call('SVC_Proposals.get', { id })
  await site.call('SVC_Proposals.approve', { id, digest: item.digest })
}

const drafting: Job = {
  name: 'a page by an assistant that writes drafts only, proposed for publication',
  before: { calls: 7, failed: 0, tokens: 3977 },
  tokens: 4400,
  todo: 'neither the limits nor the address where a person decides is said',
  token: limited({ drafts_only: true }),
  async walk(chat) {
    const { you } = await chat.welcome()
    chat.expect('welcome says that only drafts are written', /drafts/i.test(JSON.stringify(you)))
    await chat.find('create', 'SVC_Content.create')
    await chat.describe('SVC_Content.create', ['title', 'body'])
    const { item } = await chat.call('SVC_Content.create', { type: 'page', title: 'Summer menu', body: 'Strawberry cake.' })
    await chat.find('proposal', 'SVC_Proposals.create')
    await chat.describe('SVC_Proposals.create', ['calls', 'title', 'note'])
    const calls = [{ action: 'SVC_Content.publish', arguments: { id: item.id } }]
    const asked = await chat.call('SVC_Proposals.create', { title: 'Publish the summer menu', calls })
    chat.expect('the answer says where a person decides', deciding(asked).length > 0)
    const { items } = await chat.call('SVC_Proposals.list', { where: { state: 'waiting' } })
    assert.equal(items.length, 1)
  },
  async outcome(site) {
    assert.equal((await site.send('/summer-menu', { token: null })).status, 404)
    const { items } = await site.call('SVC_Proposals.list', { where: { state: 'waiting' } })
    await approve(site, items[0].id)
    assert.match(await visit(site, '/summer-menu'), /Strawberry cake/)
  },
}

const report: Job = {
  name: 'how the site is: numbers, health and a backup',
  before: { calls: 8, failed: 0, tokens: 8287 },
  tokens: 9200,
  given: (site) => pages(site, { About: 'Us.', Contact: 'Call.' }),
  async walk(chat) {
    await chat.welcome()
    await chat.find('statistics', 'SVC_Stats.site')
    const numbers = await chat.call('SVC_Stats.site')
    assert.match(JSON.stringify(numbers), /"published":2/)
    await chat.find('health', 'SVC_Health.check')
    assert.match(JSON.stringify(await chat.call('SVC_Health.check')), /disk/)
    await chat.find('backup', 'SVC_Backup.create')
    await chat.describe('SVC_Backup.create', ['note'])
    const { item } = await chat.call('SVC_Backup.create', { note: 'before the summer' })
    const { items } = await chat.call('SVC_Backup.list')
    assert.ok(items.some((one: Found) => one.id === item.id))
  },
  async outcome(site) {
    const { items } = await site.call('SVC_Backup.list')
    assert.equal(items[0].note, 'before the summer')
    assert.ok(items[0].verified_at)
  },
}

export { asking, drafting, people, report }
