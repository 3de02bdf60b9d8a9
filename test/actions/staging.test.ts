// Changes of a public entry that wait to be published: who stages, who sees what, publishing, conflicts, undo. One site for all of them.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type ContentSite, nobody, openContentSite, tokenOf } from './content-site.ts'

let site: ContentSite
let count = 0
const writer = tokenOf('content')
const reader = tokenOf('read')
const drafter = tokenOf('content', { drafts_only: true })

before(async () => {
  site = await openContentSite()
  await site.ok('create', { type: 'page', title: 'Parent', status: 'published' })
})
after(() => site[Symbol.asyncDispose]())

/** A published page of its own. */
async function page(more: Record<string, unknown> = {}): Promise<{ id: string; path: string; revision: number }> {
  const title = `Page ${++count}`
  return (await site.ok('create', { type: 'page', title, body: 'Old text.', status: 'published', ...more })).item
}
const get = async (id: string, more: Record<string, unknown> = {}, as = reader) =>
  (await site.ok('get', { id, ...more }, as)).item
const undo = (...ids: string[]) => site.ok('SVC_Activity.undo', { ids })

test('what is staged waits: the public sees the live text, and signed-in callers both', async () => {
  const { id, path } = await page()
  const seen = await get(id, {}, nobody)
  const staged = await site.ok('update', { id, title: 'New title', seo: { description: 'New' }, stage: true }, writer)
  assert.deepEqual(
    [staged.live, staged.changed, staged.item.title, staged.item.revision],
    [false, ['title', 'seo'], 'New title', 2],
  )
  assert.deepEqual(await get(id, {}, nobody), seen)
  const live = await get(id)
  assert.deepEqual(
    [live.title, live.staged, live.revision, live.live_revision, live.updated_at],
    [seen.title, true, 2, 1, seen.updated_at],
  )
  const merged = await get(path, { stage: true })
  assert.deepEqual(
    [merged.title, merged.seo.description, merged.body, merged.live_revision],
    ['New title', 'New', 'Old text.', 1],
  )
  assert.match((await get(id, { stage: true, format: 'html' })).html, /Old text/)
  assert.deepEqual([(await get(id, { revision: 2 })).title, (await get(id, { revision: 1 })).title], ['New title', seen.title])
  const { items } = await site.ok('revisions', { id })
  assert.deepEqual(
    items.map((one: { revision: number; staged: boolean }) => [one.revision, one.staged]),
    [
      [2, true],
      [1, false],
    ],
  )
})

test('attack 89: what is staged is told to nobody outside, by no field, list or revision', async () => {
  const { id, path } = await page()
  await site.ok('update', { id, title: 'Zirkonium', body: 'Zirkonium inside.', stage: true })
  assert.equal((await get(id, {}, nobody)).staged, false)
  assert.equal((await get(id, {}, nobody)).revision, 1)
  assert.equal((await site.fails('get', { id, stage: true }, nobody)).code, 'not_found')
  assert.equal((await site.fails('get', { id: path, revision: 2 }, nobody)).code, 'not_found')
  for (const where of [{ staged: true }, { revision: 2 }])
    assert.equal((await site.fails('list', { where }, nobody)).code, 'invalid')
  for (const [as, input] of [nobody, reader].flatMap((one) =>
    [{ search: 'zirkonium' }, { where: { title: { has: 'zirkonium' } } }, { where: { body: { has: 'Zirkonium' } } }].map(
      (q) => [one, q] as const,
    ),
  ))
    assert.deepEqual((await site.ok('list', input, as)).items, [], JSON.stringify(input))
  const listed = (await site.ok('list', { where: { path }, select: ['revision', 'staged', 'title'] }, nobody)).items[0]
  assert.deepEqual([listed.revision, listed.staged], [1, false])
})

test('lists and welcome find what waits', async () => {
  const { id } = await page()
  await site.ok('update', { id, title: 'Waits', stage: true })
  const { items } = await site.ok('list', { where: { staged: true }, select: ['id', 'staged'] })
  assert.ok(items.some((one: { id: string }) => one.id === id))
  const welcome = await site.ok('SVC_API.welcome', {}, writer)
  assert.equal(welcome.staged, items.length)
  assert.ok(welcome.next.some(({ call }: { call: string }) => call === 'SVC_Content.list {"where": {"staged": true}}'))
  assert.equal((await site.ok('SVC_API.welcome', {}, nobody)).staged, undefined)
})

test('publish makes what was reviewed public in one change, discard drops it, and both are undone', async () => {
  const { id } = await page()
  await site.ok('update', { id, title: 'Two', stage: true })
  const { item } = await site.ok('edit', { id, edits: [{ append: 'More.' }], stage: true })
  const tried = await site.ok('publish', { id, dry_run: true })
  assert.deepEqual(tried.diff.map(({ field }: { field: string }) => field).sort(), [
    'body',
    'staged.body',
    'staged.title',
    'title',
  ])
  const published = await site.ok('publish', { id, if_revision: item.revision })
  assert.deepEqual([published.changed, published.live, published.item.revision], [['title', 'body'], true, item.revision + 1])
  assert.deepEqual([(await get(id, {}, nobody)).title, (await get(id)).staged], ['Two', false])
  await undo(published.activity_id)
  const back = await get(id)
  assert.deepEqual(
    [back.staged, back.title, (await get(id, { stage: true })).body],
    [true, `Page ${count}`, 'Old text.\n\nMore.'],
  )
  assert.equal((await get(id, {}, nobody)).title, `Page ${count}`)
  const dropped = await site.ok('discard', { id })
  assert.deepEqual(
    [dropped.changed.sort(), dropped.item.title, (await get(id)).staged],
    [['body', 'title'], `Page ${count}`, false],
  )
  assert.deepEqual((await site.ok('discard', { id })).changed, [])
  await undo(dropped.activity_id)
  assert.equal((await get(id, { stage: true })).title, 'Two')
  assert.deepEqual((await site.ok('publish', { id })).changed, ['title', 'body'])
})

test('undoing one staged change leaves the others staged, and the last takes the mark away', async () => {
  const { id } = await page()
  const one = await site.ok('update', { id, title: 'A', stage: true })
  const two = await site.ok('update', { id, excerpt: 'B', stage: true })
  await undo(one.activity_id)
  const left = await get(id, { stage: true })
  assert.deepEqual([left.title, left.excerpt, left.staged], [`Page ${count}`, 'B', true])
  const three = await site.ok('update', { id, excerpt: 'C', stage: true })
  const clash = await site.fails('SVC_Activity.undo', { ids: [two.activity_id] })
  assert.deepEqual([clash.code, clash.field], ['conflict', 'staged.excerpt'])
  await undo(three.activity_id, two.activity_id)
  assert.deepEqual([(await get(id)).staged, (await get(id, { stage: true })).excerpt], [false, null])
  const { item } = await site.ok('SVC_Activity.get', { id: one.activity_id })
  assert.deepEqual(item.diff, [{ id, field: 'staged.title', before: `Page ${count}`, after: 'A' }])
})

test('attack 88: of two writes of either side with one if_revision, one is a conflict', async () => {
  const { id, revision } = await page()
  await site.ok('update', { id, title: 'A', stage: true, if_revision: revision })
  for (const [action, input] of [
    ['update', { title: 'B', stage: true }],
    ['update', { title: 'B' }],
    ['edit', { edits: [{ append: 'x' }], stage: true }],
    ['publish', {}],
    ['discard', {}],
  ] as const) {
    const failure = await site.fails(action, { id, ...input, if_revision: revision })
    assert.deepEqual([failure.code, failure.revision], ['conflict', 2], action)
    assert.deepEqual((failure.changes as { fields: string[] }[])[0]?.fields, ['staged.title'])
  }
  const both = await Promise.all(['C', 'D'].map((title) => site.run('update', { id, title, stage: true, if_revision: 2 })))
  assert.deepEqual(both.map(({ ok }) => ok).sort(), [false, true])
})

/** What each side changes, and what the published entry has; undefined where publishing is a conflict. */
const matrix: readonly (readonly [rule: string, live: object, staged: object, published: object | undefined])[] = [
  ['only the staged side', {}, { title: 'S' }, { title: 'S' }],
  ['different fields', { title: 'L' }, { excerpt: 'S' }, { title: 'L', excerpt: 'S' }],
  ['one field alike', { title: 'X' }, { title: 'X' }, { title: 'X' }],
  ['one field otherwise', { title: 'L' }, { title: 'S' }, undefined],
  [
    'members of one field',
    { seo: { title: 'L' } },
    { seo: { description: 'S' } },
    { seo: { title: 'L', description: 'S', canonical: null, noindex: false, image: null } },
  ],
  ['one member otherwise', { seo: { title: 'L' } }, { seo: { title: 'S' } }, undefined],
  ['the address and the text', { parent: '/parent' }, { body: 'S' }, { body: 'S' }],
  [
    'a status on the live side',
    { unpublish_at: '2027-01-01' },
    { body: 'S' },
    { unpublish_at: '2027-01-01T00:00:00.000Z', body: 'S' },
  ],
]
for (const order of ['staged first', 'live first'] as const)
  for (const [rule, live, staged, published] of matrix)
    test(`publishing where both sides changed, ${order}: ${rule}`, async () => {
      const { id } = await page()
      const first = await site.ok('update', { id, excerpt: 'first', stage: true })
      const calls = [{ id, ...staged, stage: true }, ...(Object.keys(live).length > 0 ? [{ id, ...live }] : [])]
      for (const call of order === 'staged first' ? calls : calls.toReversed()) await site.ok('update', call)
      // A change that is staged after the live one was made from it.
      const clashes = published === undefined && order === 'staged first'
      if (clashes) {
        const failure = await site.fails('publish', { id })
        const [field = ''] = Object.keys(staged)
        assert.deepEqual([failure.code, failure.field], ['conflict', field])
        const [both] = failure.changes as { field: string; live: string; staged: string }[]
        assert.ok(both && both.field === field && both.live.includes('L') && both.staged.includes('S'))
        assert.equal((await get(id)).staged, true)
        // Whoever stages the right text has seen both.
        await site.ok('update', { id, ...staged, stage: true })
      }
      await site.ok('publish', { id })
      const now = await get(id)
      for (const [name, value] of Object.entries(published ?? {})) assert.deepEqual(now[name], value, name)
      assert.equal(now.staged, false)
      assert.equal(first.live, false)
    })

test('an edit of a part keeps the conflict with the live text', async () => {
  const { id } = await page()
  await site.ok('edit', { id, edits: [{ append: 'Mine.' }], stage: true })
  await site.ok('update', { id, body: 'Live text.' })
  await site.ok('edit', { id, edits: [{ append: 'More.' }], stage: true })
  assert.equal((await site.fails('publish', { id })).code, 'conflict')
})

const deciders: readonly (readonly [rule: string, staged: boolean, as: typeof writer, input: object, setting: boolean])[] = [
  ['nobody asks for it', false, writer, {}, false],
  ['the caller asks for it', true, writer, { stage: true }, false],
  ['the setting says so', true, writer, {}, true],
  ['a token writes drafts only', true, drafter, {}, false],
]
for (const [rule, staged, as, input, setting] of deciders)
  test(`update, edit, put and revert wait, or don't, where ${rule}`, async () => {
    const { id, path } = await page()
    await site.ok('update', { id, body: 'Second text.' })
    await site.ok('SVC_Settings.update', { set: { stage_edits: setting } })
    const answers = [
      await site.ok('update', { id, title: 'T', ...input }, as),
      await site.ok('edit', { id, edits: [{ find: 'Second', replace: 'Third' }], ...input }, as),
      await site.ok('put', { path, markdown: '---\nexcerpt: E\nstatus: published\n---\n\nFourth text.\n', ...input }, as),
      await site.ok('revert', { id, revision: 1, ...input }, as),
    ]
    assert.deepEqual(
      answers.map(({ live }) => live),
      answers.map(() => !staged),
    )
    assert.equal((await get(id)).staged, staged)
    assert.equal((await get(id, {}, nobody)).body, staged ? 'Second text.' : 'Old text.')
    assert.equal((await get(id, staged ? { stage: true } : {})).body, 'Old text.')
    await site.ok('SVC_Settings.update', { set: { stage_edits: null } })
  })

test('no caller overrides stage_edits, and drafts change at once all the same', async () => {
  const { id } = await page()
  await site.ok('SVC_Settings.update', { set: { stage_edits: true } })
  assert.equal((await site.fails('update', { id, title: 'x', stage: false })).rule, 'setting stage_edits')
  const draft = await site.ok('create', { type: 'post', title: 'Draft' })
  assert.deepEqual((await site.ok('update', { id: draft.item.id, title: 'x', stage: true })).item.title, 'x')
  assert.equal((await get(draft.item.id)).staged, false)
  assert.equal((await site.fails('update', { id, title: 'x', status: 'draft' })).field, 'status')
  assert.equal((await site.ok('update', { id, status: 'private' })).item.status, 'private')
  await site.ok('SVC_Settings.update', { set: { stage_edits: null } })
  assert.equal(
    (await site.fails('update', { id: (await page()).id, title: 'x', stage: false }, drafter)).rule,
    'token limit drafts_only',
  )
})

test('a token for drafts stages, takes that back, and publishes nothing', async () => {
  const { id } = await page()
  const { activity_id: activity } = await site.ok('update', { id, title: 'T' }, drafter)
  for (const [action, input] of [
    ['publish', { id }],
    ['unpublish', { id }],
    ['delete', { ids: [id] }],
    ['update', { id, status: 'draft' }],
  ] as const)
    assert.equal((await site.fails(action, input, drafter)).rule, 'token limit drafts_only', action)
  await site.ok('SVC_Activity.undo', { ids: [activity] }, drafter)
  assert.equal((await get(id)).staged, false)
  const typed = tokenOf('content', { types: ['post'] })
  for (const [action, input] of [
    ['update', { id, title: 'x', stage: true }],
    ['discard', { id }],
  ] as const)
    assert.equal((await site.fails(action, input, typed)).rule, 'token limit types', action)
})

test('what waits survives unpublishing and the trash, is not published by a schedule, and goes with a purge', async () => {
  const { id } = await page()
  await site.ok('update', { id, title: 'Waiting', stage: true })
  await site.ok('unpublish', { id })
  await site.ok('update', { id, status: 'published', published_at: '2027-01-01' })
  const { revision } = await get(id)
  const system = { tier: 'admin', account: null, token: null, door: 'system', address: '' } as const
  await site.ok('publish', { id, if_revision: revision }, system)
  assert.deepEqual([(await get(id)).title, (await get(id)).staged], [`Page ${count}`, true])
  await site.ok('delete', { ids: [id] })
  await site.ok('restore', { ids: [id] })
  assert.deepEqual((await site.ok('publish', { id })).item.title, 'Waiting')
  const again = await site.ok('update', { id, title: 'Secret words', stage: true })
  await site.ok('delete', { ids: [id] })
  await site.ok('purge', { ids: [id], expect: 1 })
  const { read } = site.services.store
  assert.deepEqual(await read.selectFrom('entry_pending').select('entry_id').where('entry_id', '=', id).execute(), [])
  const record = await site.ok('SVC_Activity.get', { id: again.activity_id })
  assert.doesNotMatch(JSON.stringify(record), /Secret words/)
})

test('a batch stages and publishes; a bad address fails when it is staged, and a dry run leaves nothing', async () => {
  const { id } = await page()
  const other = await page()
  const calls = [
    { action: 'SVC_Content.update', arguments: { id, title: 'In a batch', stage: true } },
    { action: 'SVC_Content.publish', arguments: { id } },
  ]
  await site.ok('SVC_API.batch', { calls })
  assert.deepEqual([(await get(id, {}, nobody)).title, (await get(id)).staged], ['In a batch', false])
  const slug = other.path.slice(1)
  assert.equal((await site.fails('update', { id, slug, stage: true })).code, 'exists')
  const tried = await site.ok('update', { id, title: 'Tried', stage: true, dry_run: true })
  assert.deepEqual(tried.diff, [{ id, field: 'staged.title', before: 'In a batch', after: 'Tried' }])
  assert.equal((await get(id)).staged, false)
  await site.ok('update', { id, slug: 'staged-slug', stage: true })
  assert.deepEqual([(await get(id)).path, (await site.ok('publish', { id })).item.path], [`/page-${count - 1}`, '/staged-slug'])
})

test('a value that is the live one again no longer waits', async () => {
  const { id } = await page()
  await site.ok('update', { id, title: 'x', stage: true })
  const back = await site.ok('update', { id, title: `Page ${count}`, stage: true })
  assert.deepEqual([back.changed, (await get(id)).staged], [['title'], false])
  assert.deepEqual((await site.ok('update', { id, title: `Page ${count}`, stage: true })).changed, [])
})
