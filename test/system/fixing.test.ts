// What SVC_Content.fix does and leaves: menus, theme and redirects, things that changed since the check, staged texts, limits, and
// callers who may not see all of it; on both databases.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { siteDatabases } from '../site-databases.ts'
import { openSite, type TestSite } from '../site.ts'

type Data = any // oxlint-disable-line no-explicit-any -- JSON, looked at by assertions
type Input = Readonly<Record<string, unknown>>

for (const database of siteDatabases)
  describe(`fixes on ${database}`, () => {
    let site: TestSite
    before(async () => void (site = await openSite({ database })))
    after(() => site[Symbol.asyncDispose]())

    const page = async (slug: string, body = '', more: Input = {}): Promise<string> =>
      (
        await site.call('SVC_Content.create', {
          type: 'page',
          title: slug,
          slug,
          body,
          excerpt: 'x',
          status: 'published',
          ...more,
        })
      ).item.id
    const rename = (id: string, slug: string) => site.call('SVC_Content.move', { id, slug })
    const bodyOf = async (id: string): Promise<string> => (await site.call('SVC_Content.get', { id })).item.body
    const check = async (input: Input = { where: {} }, token?: string): Promise<readonly Data[]> =>
      (await site.call('SVC_Content.check', input, token === undefined ? {} : { token })).items
    const about = async (id: string, rules: readonly string[]) => check({ ids: [id], rules })
    const keys = (found: readonly Data[]) => found.map(({ id, rule, place }) => ({ id, rule, place }))
    const token = async (limits: Input, scope = 'content'): Promise<string> =>
      (await site.call('SVC_Tokens.create', { name: `t ${Math.random()}`, scope, limits })).token
    const undo = (id: string) => site.call('SVC_Activity.undo', { ids: [id] })

    test('code keeps its links, a definition of an address is fixed, and headings are right after one fix', async () => {
      const team = await page('crew')
      const code = await page('code', '`[t](/crew)` and [t](/crew)')
      const defined = await page('defined', '[a](/crew) [b][r]\n\n[r]: /crew\n')
      const deep = await page('deep', '### Prices\n\na\n\n##### More\n\nb\n\n###### Most\n\nc')
      await rename(team, 'people')
      const [inCode] = await about(code, ['links'])
      assert.equal(inCode?.fix, null)
      await site.call('SVC_Content.fix', { ids: [defined, deep], rules: ['links', 'headings'], expect: 4 })
      assert.equal(await bodyOf(defined), '[a](/people) [b][r]\n\n[r]: /people\n')
      assert.equal(await bodyOf(deep), '## Prices\n\na\n\n### More\n\nb\n\n#### Most\n\nc')
      assert.deepEqual(await check({ ids: [defined, deep], rules: ['links', 'headings'] }), [])
    })

    test('rules about the whole site are refused with a choice of entries', async () => {
      for (const input of [
        { ids: ['/code'], rules: ['menus'] },
        { where: { type: 'post' }, rules: ['links', 'redirects'] },
      ])
        for (const call of ['check', 'fix']) {
          const { status, json } = await site.api(`SVC_Content.${call}`, call === 'fix' ? { ...input, expect: 1 } : input)
          assert.deepEqual([status, json.error.code, json.error.field], [400, 'invalid', 'rules'], call)
        }
    })

    test('a link to a page that has moved keeps its fragment and its title', async () => {
      const crew = await page('team', '## Anna')
      const id = await page('about', '[a](/team#anna) [b](/team "Us") [c](/team) [d](/team?x=1)')
      await rename(crew, 'crew')
      const found = await about(id, ['links'])
      const done = await site.call('SVC_Content.fix', { findings: keys(found), expect: 1 })
      assert.equal(await bodyOf(id), '[a](/crew#anna) [b](/crew "Us") [c](/crew) [d](/crew?x=1)')
      await undo(done.activity_id)
      assert.match(await bodyOf(id), /\(\/team#anna\)/)
    })

    test('headings are looked for where the page has them: footnotes, fields, moved pages; never in places of the theme', async () => {
      await site.call('SVC_Types.create', {
        slug: 'dish',
        name: 'Dish',
        fields: [{ name: 'care', label: 'Care', kind: 'markdown' }],
      })
      const dish = await page('soup', '## Taste\n\nGood.[^1]\n\n[^1]: Very.', { type: 'dish', fields: { care: '## Storing' } })
      const path = (await site.call('SVC_Content.get', { id: dish })).item.path as string
      const good = [`${path}#taste`, `${path}#storing`, `${path}#-note-1`, `${path}#:~:text=Good`, path, '#here']
      const dead = [`${path}#tasted`, `${path}#top`, `${path}#content`, '#main']
      const text = [...good, ...dead].map((to) => `[x](${to})`).join(' ')
      const id = await page('guide', `${text}\n\n## Here`)
      const found = await about(id, ['fragments'])
      assert.deepEqual(
        found.map(({ place }) => place),
        dead.map((to) => `body: ${to}`),
      )
      assert.deepEqual([found[0].nearest, found[1].nearest], [`${path}#taste`, undefined])
      await rename(dish, 'stew')
      const [moved] = await about(id, ['fragments'])
      assert.deepEqual([moved.place, moved.nearest, moved.fix], [`body: ${path}#tasted`, '/dish/stew#taste', null])
    })

    test('menus: what is gone for good is removed, an address follows its page, a heading gets its whole id', async () => {
      const [gone, moved, later] = [await page('gone'), await page('shop'), await page('soon', '', { status: 'draft' })]
      await page('hours', '## Sundays')
      const term = (await site.call('SVC_Terms.create', { taxonomy: 'tag', name: 'Old' })).item.id
      const items = [
        { id: 'gone', entry: gone },
        { id: 'term', term },
        { id: 'head', entry: gone, items: [{ id: 'below', label: 'Below', url: '/hours' }] },
        { id: 'shop', label: 'Shop', url: '/shop?x=1#top' },
        { id: 'hours', label: 'Sundays', url: '/hours#sundays' },
        { id: 'soon', entry: later },
        { id: 'md', label: 'As Markdown', url: '/hours.md' },
        { id: 'lists', label: 'All', url: '/posts' },
        { id: 'out', label: 'Out', url: 'https://example.org/hours#no' },
      ]
      const menu = (await site.call('SVC_Menus.create', { slug: 'main', name: 'Main', location: 'main', items })).item.id
      await rename(moved, 'store')
      await site.call('SVC_Content.delete', { ids: [gone] })
      await site.call('SVC_Content.purge', { ids: [gone], expect: 1 })
      await site.call('SVC_Terms.delete', { id: 'tag/old' })
      const found = await check({ where: {}, rules: ['menus'] })
      const calls = Object.fromEntries(
        found.map(({ place, fix }) => [place.replace(/^items\.|:.*/g, ''), fix?.arguments ?? null]),
      )
      assert.deepEqual(calls, {
        gone: { id: menu, item: 'gone' },
        term: { id: menu, item: 'term' },
        head: null,
        shop: { id: menu, change: { item: 'shop', url: '/store?x=1#top' } },
        hours: { id: menu, change: { item: 'hours', url: '/hours#h-sundays' } },
        soon: null,
      })
      const done = await site.call('SVC_Content.fix', { where: {}, rules: ['menus'], expect: 4 })
      assert.deepEqual([done.fixed, done.done], [4, [menu]])
      const tree = (await site.call('SVC_Menus.get', { id: 'main' })).item.items as Data[]
      assert.deepEqual(
        tree.map(({ id, url, label }) => [id, url ?? label]),
        [
          ['head', null],
          ['shop', '/store?x=1#top'],
          ['hours', '/hours#h-sundays'],
          ['soon', null],
          ['md', '/hours.md'],
          ['lists', '/posts'],
          ['out', 'https://example.org/hours#no'],
        ],
      )
      assert.deepEqual(
        (await check({ where: {}, rules: ['menus'] })).map(({ fix }) => fix),
        [null, null],
      )
      await undo(done.activity_id)
      assert.equal((await site.call('SVC_Menus.get', { id: 'main' })).item.items.length, items.length)
      await site.call('SVC_Menus.delete', { id: 'main' })
    })

    test('theme and redirects: links to nothing and to moved pages, each with a call or a similar page', async () => {
      const id = await page('team-2', '## Ben')
      await page('prices')
      await rename(id, 'crew-2')
      await site.call('SVC_Themes.configure', {
        id: 'default',
        settings: { hero_link: '/team-2', hero_image: '/media/gone.jpg', footer_text: '/ a slash is no link' },
      })
      await site.call('SVC_Redirects.create', { from: '/van', to: '/team-2#h-ben' })
      await site.call('SVC_Redirects.create', { from: '/price', to: '/shop/prices/' })
      await site.call('SVC_Redirects.create', { from: '/out', to: 'https://example.org/x' })
      const found = await check({ where: {}, rules: ['themes', 'redirects'] })
      assert.deepEqual(
        found.map(({ kind, place, nearest, fix }) => [kind, place, nearest, fix?.arguments]),
        [
          ['theme', 'settings.hero_image', undefined, undefined],
          ['theme', 'settings.hero_link', undefined, { id: 'default', settings: { hero_link: '/crew-2' } }],
          ['redirect', 'to', '/prices', undefined],
          ['redirect', 'to', undefined, { id: found[3].id, to: '/crew-2#h-ben' }],
        ],
      )
      assert.deepEqual([found[2].title, found[3].title], ['/price', '/van'])

      // A token for content sees neither the call of a higher tier, nor is it told of one when it fixes all.
      const writer = await token({})
      const seen = await check({ where: {}, rules: ['themes', 'redirects'] }, writer)
      assert.deepEqual(
        seen.map(({ fix }) => fix?.call),
        [undefined, undefined, undefined, 'SVC_Redirects.update'],
      )
      const rest = await site.api('SVC_Content.fix', { findings: keys(found.slice(0, 2)), expect: 0 }, { token: writer })
      assert.deepEqual([rest.json.data.fixed, rest.json.data.counts.left], [0, 2])
      assert.doesNotMatch(rest.text + JSON.stringify(seen), /SVC_Themes/)
      // One that may not see redirects and menus at all is told nothing of them.
      assert.deepEqual(
        await check({ where: {}, rules: ['themes', 'redirects', 'menus'] }, await token({ classes: ['SVC_Content'] })),
        [],
      )
      const reader = await token({}, 'read')
      assert.deepEqual(new Set((await check({ where: {} }, reader)).map(({ fix }) => fix)), new Set([null]))

      // Drafts only: redirects are refused, and named.
      const drafts = await token({ drafts_only: true })
      const left = (await site.api('SVC_Content.fix', { findings: keys(found.slice(3)), expect: 0 }, { token: drafts })).json.data
      assert.deepEqual([left.fixed, left.left.length], [0, 1])
      assert.match(left.left[0].message, /drafts_only/)

      const done = await site.call('SVC_Content.fix', { where: {}, rules: ['themes', 'redirects'], expect: 2 })
      assert.deepEqual([done.fixed, done.counts.done], [2, 2])
      assert.equal((await site.call('SVC_Redirects.get', { id: '/van' })).item.to, '/crew-2#h-ben')
      await undo(done.activity_id)
      assert.equal((await site.call('SVC_Redirects.get', { id: '/van' })).item.to, '/team-2#h-ben')
    })

    test('what changed since the check is not fixed, and named; the number is that of what is fixed', async () => {
      const [one, two] = [await page('one', '# One\n\nText.'), await page('two', '# Two\n\nText.')]
      const found = await check({ ids: [one, two], rules: ['headings'] })
      await site.call('SVC_Content.update', { id: one, body: 'Quite another text.' })
      const findings = keys(found)
      const tried = await site.call('SVC_Content.fix', { findings, dry_run: true })
      assert.deepEqual([tried.fixed, tried.left.map(({ id }: Data) => id)], [1, [one]])
      const wrong = await site.api('SVC_Content.fix', { findings, expect: 2 })
      assert.deepEqual([wrong.status, wrong.json.error.expected, wrong.json.error.found], [409, 1, undefined], wrong.text)
      assert.equal(await bodyOf(two), '# Two\n\nText.')
      const done = await site.call('SVC_Content.fix', { findings, expect: 1 })
      assert.match(done.left[0].message, /has changed since the check/)
      assert.deepEqual([await bodyOf(one), await bodyOf(two)], ['Quite another text.', '## Two\n\nText.'])
      const missing = await site.api('SVC_Content.fix', { findings })
      assert.deepEqual([missing.status, missing.json.error.field], [400, 'expect'])
    })

    test('what changes between the look and the transaction keeps the other text', async () => {
      const id = await page('raced', 'A text without a summary.', { excerpt: null })
      const [finding] = await about(id, ['lengths'])
      // In a batch, the findings are looked for before the first call writes.
      const calls = [
        { action: 'SVC_Content.update', arguments: { id, excerpt: 'Written meanwhile.' } },
        { action: 'SVC_Content.fix', arguments: { findings: keys([finding]), expect: 0 } },
      ]
      const { results } = await site.call('SVC_API.batch', { calls })
      assert.deepEqual([results[1].fixed, results[1].left.length], [0, 1])
      assert.equal((await site.call('SVC_Content.get', { id })).item.excerpt, 'Written meanwhile.')

      const raced = await page('raced-2', '# Top\n\nText.')
      const fixes = Array.from({ length: 4 }, () => site.api('SVC_Content.fix', { ids: [raced], rules: ['headings'], expect: 1 }))
      const answers = await Promise.all([...fixes, site.api('SVC_Content.edit', { id: raced, edits: [{ append: 'More.' }] })])
      assert.ok(answers.slice(0, 4).filter(({ status }) => status === 200).length <= 1)
      for (const { status, text } of answers) assert.ok(status === 200 || status === 409, text)
      if (answers.slice(0, 4).every(({ status }) => status === 409))
        await site.call('SVC_Content.fix', { ids: [raced], rules: ['headings'], expect: 1 })
      assert.match(await bodyOf(raced), /^## Top\n\nText\.\s+More\.\s*$/)
    })

    test('several findings of one entry are one revision of it, and a heading within another is left to a person', async () => {
      const id = await page('many', '# A\n\n# B\n\n#### C\n\n# D\n\n## D')
      const before = (await site.call('SVC_Content.get', { id })).item.revision as number
      const done = await site.call('SVC_Content.fix', { ids: [id], rules: ['headings'], expect: 3 })
      assert.deepEqual([done.fixed, done.counts.done], [3, 1])
      const { item } = await site.call('SVC_Content.get', { id })
      assert.deepEqual([item.revision, item.body], [before + 1, '## A\n\n## B\n\n### C\n\n# D\n\n## D'])
    })

    test('drafts only: the fixes are staged, a second call finds them done, and one undo takes them back', async () => {
      const drafts = await token({ drafts_only: true })
      const id = await page('staged', '# Staged\n\nText.')
      const as = (input: Input) => site.api('SVC_Content.fix', { ids: [id], rules: ['headings'], ...input }, { token: drafts })
      const { json } = await as({ expect: 1 })
      assert.match(json.data.waits.says, /not public yet/)
      assert.equal(await bodyOf(id), '# Staged\n\nText.')
      assert.equal((await site.call('SVC_Content.get', { id, stage: true })).item.body, '## Staged\n\nText.')
      const again = await as({ expect: 1 })
      assert.deepEqual([again.status, again.json.error.expected], [409, 0])
      await undo(json.data.activity_id)
      assert.equal((await site.call('SVC_Content.get', { id })).item.staged, false)
    })

    test('types and authors that a token may not write are left, and named', async () => {
      const posts = await token({ types: ['post'] })
      const id = await page('typed', '# Typed\n\nText.')
      const { json } = await site.api('SVC_Content.fix', { ids: [id], rules: ['headings'], expect: 0 }, { token: posts })
      assert.deepEqual([json.data.fixed, json.data.activity_id, json.data.left[0].id], [0, null, id])
      assert.match(json.data.left[0].message, /only to entries of the types post/)
    })

    test('asks first: the fixes are a proposal, and its approval makes them', async () => {
      const id = await page('asked', '# Asked\n\nText.')
      for (const ask of ['SVC_Content.edit', 'SVC_Content.fix', '*']) {
        const asks = await token({ ask: [ask] })
        const { status, json } = await site.api('SVC_Content.fix', { ids: [id], rules: ['headings'], expect: 1 }, { token: asks })
        assert.deepEqual([status, json.data.pending], [202, true], ask)
        assert.equal(await bodyOf(id), '# Asked\n\nText.')
        const proposal = json.data.proposal.id as string
        const { digest } = (await site.call('SVC_Proposals.get', { id: proposal })).item
        if (ask !== '*') await site.call('SVC_Proposals.reject', { id: proposal })
        else await site.call('SVC_Proposals.approve', { id: proposal, digest })
      }
      assert.equal(await bodyOf(id), '## Asked\n\nText.')
    })

    test('nobody without a token gets findings, fixes or the count, and no draft is suggested', async () => {
      const as = { token: null }
      for (const [call, input] of [
        ['SVC_Content.check', { where: {} }],
        ['SVC_Content.fix', { where: {}, expect: 0 }],
      ] as const)
        assert.equal((await site.api(call, input, as)).json.error.message, `Unknown tool: ${call}`)
      await check()
      assert.equal((await site.api('SVC_API.welcome', {}, as)).json.data.check_findings, undefined)
      await page('secret-plan', '', { status: 'draft' })
      const id = await page('hints', '[x](/secret-plans)')
      assert.deepEqual(
        (await about(id, ['links'])).map(({ nearest, fix }) => [nearest, fix]),
        [[undefined, null]],
      )
    })

    test('wrong choices get one sentence', async () => {
      const fails = async (input: Input) => (await site.api('SVC_Content.fix', { expect: 0, ...input })).json.error
      assert.match((await fails({})).message, /Say what to fix/)
      const one = { id: 'x', rule: 'links', place: 'body: /x' }
      assert.match((await fails({ where: {}, findings: [one] })).message, /Give `findings` alone/)
      assert.equal((await fails({ findings: [{ id: 'x' }] })).code, 'invalid')
      const unknown = await site.call('SVC_Content.fix', { findings: [one, one], expect: 0 })
      assert.deepEqual([unknown.fixed, unknown.counts], [0, { done: 0, left: 1 }])
    })

    test('over MCP: check, fix what it found as it stands in the answer, and take it back', async () => {
      const id = await page('by-mcp', '# By MCP\n\nText.')
      const client = new Client({ name: 'postern-test', version: '1.0.0' })
      const headers = { Authorization: `Bearer ${site.token}` }
      await client.connect(new StreamableHTTPClientTransport(new URL(`${site.base}/mcp/`), { requestInit: { headers } }))
      const call = async (action: string, input: Input): Promise<Data> => {
        const given = { action, arguments: input }
        const { structuredContent } = await client.callTool({ name: 'SVC_API__call-action', arguments: given })
        return (structuredContent as Data).data ?? structuredContent
      }
      const { items, fixable } = await call('SVC_Content.check', { ids: [id] })
      assert.equal(fixable, 1)
      const findings = items.filter((one: Data) => one.fix !== null)
      const done = await call('SVC_Content.fix', { findings, expect: fixable })
      assert.equal(await bodyOf(id), '## By MCP\n\nText.')
      await call('SVC_Activity.undo', { ids: [done.activity_id] })
      assert.equal(await bodyOf(id), '# By MCP\n\nText.')
      await client.close()
    })
  })
