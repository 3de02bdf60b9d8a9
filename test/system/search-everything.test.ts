// One search over everything: what each caller finds, on both databases, over both doors and in the admin.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openVisitor } from '../admin/visitor.ts'
import { openSite, type TestSite } from '../site.ts'

const drawing = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><circle cx="4" cy="4" r="4"/></svg>'

/** A site in which each kind has the word “harbour”, as nothing else does. */
async function openHarbour(database: 'sqlite' | 'postgres'): Promise<TestSite> {
  const site = await openSite({ database })
  const text = 'The boats lie in the harbour over night.'
  await site.call('SVC_Content.create', { type: 'page', title: 'Boats', body: text, status: 'published' })
  await site.call('SVC_Content.create', { type: 'page', title: 'Secret harbour', body: 'A draft.' })
  await site.call('SVC_Media.upload', { text: drawing, filename: 'view.svg', alt: 'The harbour at dawn' })
  await site.call('SVC_Terms.create', { taxonomy: 'tag', name: 'Harbour' })
  await site.call('SVC_Accounts.create', { email: 'harbour@example.org', name: 'Hanna', role: 'content' })
  await site.call('SVC_Settings.update', { set: { site_tagline: 'By the harbour' } })
  await site.call('SVC_Themes.create', { slug: 'mine', from: 'default' })
  await site.call('SVC_Themes.write', { id: 'mine', file: 'assets/harbour.css', text: 'a {}\n\n/* The harbour is blue. */\n' })
  return site
}

const kindsOf = ({ items }: any): string[] => items.map(({ kind }: any) => kind)

for (const database of ['sqlite', 'postgres'] as const)
  test(`${database}: an admin finds every kind, each with the call that reads it`, async () => {
    await using site = await openHarbour(database)
    const found = await site.call('SVC_Search.everything', { query: 'harbour' })
    const all = ['entry', 'entry', 'media', 'term', 'account', 'setting', 'theme_file']
    assert.deepEqual(kindsOf(found), all)
    assert.deepEqual(
      found.counts.map(({ kind, total }: any) => [kind, total]),
      [['entry', 2], ...[...new Set(all)].slice(1).map((kind) => [kind, 1])],
    )
    const file = found.items.at(-1)
    assert.deepEqual([file.id, file.snippet], ['mine/assets/harbour.css', '/* The harbour is blue. */'])
    // Each call that the answer names does what it says.
    for (const { call, title } of [...found.items, ...found.counts].filter((one) => one.call !== null)) {
      const [name = '', input = ''] = call.split(/ (.*)/s)
      const answer = await site.api(name, JSON.parse(input))
      assert.equal(answer.status, 200, `${title}: ${answer.text}`)
      assert.match(answer.text, /harbour/i, call)
    }
    const few = await site.call('SVC_Search.everything', { query: 'harbour', kinds: ['entry', 'media'], limit: 1 })
    assert.deepEqual([kindsOf(few), few.counts[0].total], [['entry', 'media'], 2])
    // All words must be there, and a kind in which none is found is left out.
    assert.deepEqual(kindsOf(await site.call('SVC_Search.everything', { query: 'harbour dawn' })), ['media'])
    const none = await site.call('SVC_Search.everything', { query: 'no-such-word' })
    assert.deepEqual([none.items, none.counts], [[], []])
    assert.equal((await site.call('SVC_Search.everything', { query: 'harbuor' })).did_you_mean, 'harbour')

    await attack78(site)
    await overMcp(site)
    await inAdmin(site)
  })

/** Attacks 78, 154: nobody learns of what they may not list. */
async function attack78(site: TestSite): Promise<void> {
  assert.equal((await site.api('SVC_Search.everything', { query: 'harbour' }, { token: null })).json.success, false)
  const reader = await site.call('SVC_Tokens.create', { name: 'reads', scope: 'read' })
  const ask = (input: Record<string, unknown>, token: string) => site.api('SVC_Search.everything', input, { token })
  const { data } = (await ask({ query: 'harbour' }, reader.token)).json
  assert.deepEqual(kindsOf(data), ['entry', 'entry', 'media', 'term', 'setting', 'theme_file'])
  assert.ok(!JSON.stringify(data).includes('account'), 'the counts tell of people')
  // Asked for by name, people are as absent as words that nobody has.
  const asked = await ask({ query: 'harbour', kinds: ['account'] }, reader.token)
  const invented = await ask({ query: 'nobody', kinds: ['account'] }, reader.token)
  assert.equal(asked.text, invented.text)
  // The setting is one of access.
  const settings = { query: 'mcp_origins', kinds: ['setting'] }
  assert.equal((await site.call('SVC_Search.everything', settings)).items[0].id, 'mcp_origins')
  assert.deepEqual((await ask(settings, reader.token)).json.data.items, [])
  const limits = { classes: ['SVC_Search', 'SVC_Media'] }
  const narrow = await site.call('SVC_Tokens.create', { name: 'media', scope: 'admin', limits })
  const narrowly = (await ask({ query: 'harbour' }, narrow.token)).json.data
  assert.deepEqual(kindsOf(narrowly), ['entry', 'entry', 'media'])
}

async function overMcp(site: TestSite): Promise<void> {
  const params = {
    name: 'SVC_API__call-action',
    arguments: { class: 'SVC_Search', action: 'everything', arguments: { query: 'harbour', kinds: ['term'] } },
  }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
  const answer = await site.send('/mcp/', { method: 'POST', body, headers: { 'content-type': 'application/json' } })
  assert.equal(answer.json.result.structuredContent.data.items[0].path, '/tag/harbour')
}

async function inAdmin(site: TestSite): Promise<void> {
  const owner = openVisitor(site)
  await owner.signIn()
  const page = await owner.open('/admin/search?q=harbour')
  for (const text of ['Secret harbour', 'view.svg', 'harbour@example.org', 'assets/harbour.css'])
    assert.ok(page.text.includes(text), text)
  const file = await owner.open('/admin/themes/edit?id=mine&file=assets%2Fharbour.css')
  assert.match(file.text, /The harbour is blue/)
  assert.match((await owner.open('/admin/search?q=harbuor')).text, /harbour/)
  assert.doesNotMatch((await owner.open('/admin/search?q=colour')).text, /Did you mean/, 'settings were found')
  assert.match((await owner.open(`/admin/search?q=${encodeURIComponent('<script>"')}`)).text, /Nothing/)
}
