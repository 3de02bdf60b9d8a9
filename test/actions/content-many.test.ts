// Work on several entries, and looking through them: move, duplicate, update-many, replace-all, diff, links, check. One site for all of them.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { unifiedDiff } from '../../src/content/markdown/text-diff.ts'
import { reorder } from '../../src/content/languages/siblings.ts'
import { replaceText } from '../../src/content/markdown/replace-text.ts'
import { fc } from '../properties.ts'
import { type ContentSite, nobody, openContentSite, tokenOf } from './content-site.ts'

let site: ContentSite
before(async () => {
  site = await openContentSite()
})
after(() => site[Symbol.asyncDispose]())

type Item = { id: string; path: string; position: number; title: string }
const make = async (title: string, more: Record<string, unknown> = {}): Promise<Item> =>
  (await site.ok('create', { type: 'page', title, status: 'published', ...more })).item
const get = async (id: string, more: Record<string, unknown> = {}) => (await site.ok('get', { id, ...more })).item
const stageEdits = (on: boolean | null) => site.ok('SVC_Settings.update', { set: { stage_edits: on } })

test('a page moves with all below it, and each old address leads to the new one', async () => {
  const top = await make('Moving')
  const sub = await make('Sub', { parent: top.id })
  await make('Leaf', { parent: sub.id })
  const elsewhere = await make('Elsewhere')
  const moved = await site.ok('move', { id: '/moving', parent: '/elsewhere', slug: 'moved' })
  assert.deepEqual(moved.redirects, [
    { from: '/moving', to: '/elsewhere/moved' },
    { from: '/moving/sub', to: '/elsewhere/moved/sub' },
    { from: '/moving/sub/leaf', to: '/elsewhere/moved/sub/leaf' },
  ])
  assert.equal((await site.ok('get', { id: '/moving/sub/leaf' }, nobody)).moved_to, '/elsewhere/moved/sub/leaf')
  assert.equal((await site.fails('move', { id: elsewhere.id, parent: sub.id })).rule, 'no page below itself')
  assert.equal((await site.fails('move', { id: top.id, slug: 'elsewhere', parent: null })).code, 'exists')
  await site.ok('SVC_Activity.undo', { ids: [moved.activity_id] })
  assert.equal((await get(sub.id)).path, '/moving/sub')
})

test('a page moves before or behind another, and takes its parent', async () => {
  const shelf = await make('Shelf')
  const [a, b, c] = [
    await make('A', { parent: shelf.id }),
    await make('B', { parent: shelf.id }),
    await make('C', { parent: shelf.id }),
  ]
  const order = async () =>
    (await site.ok('list', { where: { parent: shelf.id }, sort: 'position' })).items.map(({ title }: Item) => title)
  await site.ok('move', { id: c.id, before: a.id })
  assert.deepEqual(await order(), ['C', 'A', 'B'])
  await site.ok('move', { id: c.id, after: b.id })
  assert.deepEqual(await order(), ['A', 'B', 'C'])
  const loose = await make('Loose')
  const { item, redirects } = await site.ok('move', { id: loose.id, after: a.id })
  assert.deepEqual(
    [item.path, redirects, await order()],
    ['/shelf/loose', [{ from: '/loose', to: '/shelf/loose' }], ['A', 'Loose', 'B', 'C']],
  )
  for (const [input, field] of [
    [{ before: a.id, after: b.id }, 'after'],
    [{ before: c.id }, 'before'],
    [{ after: 'none' }, 'after'],
    [{ after: a.id, parent: null }, 'parent'],
  ] as const)
    assert.equal((await site.fails('move', { id: c.id, ...input })).field, field)
})

test('wherever a page is put, exactly that order comes out, and positions that fit stay', () =>
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: -2, max: 3 }), { minLength: 2, maxLength: 8 }),
      fc.nat(),
      fc.nat(),
      fc.boolean(),
      (positions, from, to, behind) => {
        const rows = positions.sort((x, y) => x - y).map((position, i) => ({ id: `r${i}`, position }))
        const [own, other] = [rows[from % rows.length], rows[to % rows.length]]
        if (!own || !other || own === other) return
        const written = new Map(reorder(rows, own.id, other.id, behind).map(({ row, position }) => [row.id, position]))
        const others = rows.filter((row) => row !== own)
        const at = others.indexOf(other) + (behind ? 1 : 0)
        const wanted = [...others.slice(0, at), own, ...others.slice(at)]
        const now = wanted.map(({ id, position }) => written.get(id) ?? position)
        assert.ok(
          now.every((position, i) => i === 0 || position > (now[i - 1] ?? 0) || !written.size),
          JSON.stringify([positions, now]),
        )
      },
    ),
  ))

test('a copy is a draft of its own, with all below it if that is asked for', async () => {
  const source = await make('Source', { body: 'Text.', seo: { title: 'S' } })
  await make('Below', { parent: source.id })
  const one = await site.ok('duplicate', { id: source.id })
  assert.deepEqual([one.item.path, one.item.status, one.copies, one.live], ['/source-2', 'draft', 1, false])
  const two = await site.ok('duplicate', { id: source.id, title: 'Other', slug: 'other', with_children: true })
  const below = await get('/other/below')
  assert.deepEqual([two.copies, two.item.title, below.status, (await get('/other')).seo.title], [2, 'Other', 'draft', 'S'])
  assert.equal((await site.fails('duplicate', { id: source.id, slug: 'other' })).code, 'exists')
  await site.ok('SVC_Activity.undo', { ids: [two.activity_id] })
  assert.equal((await site.fails('get', { id: '/other/below' })).code, 'not_found')
})

test('update-many changes all or none, and waits where edits wait', async () => {
  const ids = [(await make('Many 1')).id, (await make('Many 2', { status: 'draft' })).id]
  const where = { title: { has: 'Many' } }
  const wrong = await site.fails('update-many', { where, set: { excerpt: 'E' }, expect: 3 })
  assert.deepEqual([wrong.code, wrong.expected], ['conflict', 2])
  assert.equal((await site.fails('update-many', { ids, where, set: { excerpt: 'E' }, expect: 2 })).code, 'invalid')
  assert.equal((await site.fails('update-many', { ids, set: { slug: 'same-slug' }, expect: 2 })).code, 'exists')
  const done = await site.ok('update-many', { where, set: { excerpt: 'E' }, expect: 2 })
  assert.deepEqual(
    [done.done.sort(), (await site.ok('update-many', { ids, set: { excerpt: 'E' }, expect: 2 })).unchanged.length],
    [ids.toSorted(), 2],
  )
  await stageEdits(true)
  await site.ok('update-many', { ids, set: { excerpt: 'F' }, expect: 2 })
  assert.deepEqual([(await get(ids[0] ?? '')).excerpt, (await get(ids[1] ?? '')).excerpt], ['E', 'F'])
  await stageEdits(null)
  await site.ok('update-many', { ids, set: { excerpt: 'G' }, expect: 2 }, tokenOf('content', { drafts_only: true }))
  assert.deepEqual([(await get(ids[0] ?? '')).excerpt, (await get(ids[0] ?? '', { stage: true })).excerpt], ['E', 'G'])
})

test('replace-all replaces an exact text, counts every match, and shows where', async () => {
  const one = await make('Call (555) now', { body: 'Call (555) and call (555) again.', excerpt: 'call (555)' })
  const two = await make('Two', { status: 'draft', body: 'call (555)' })
  const input = { find: 'call (555)', replace: '$& [x]' }
  assert.equal((await site.fails('replace-all', { ...input, expect: 9 })).expected, 3)
  const tried = await site.ok('replace-all', { ...input, match_case: false, expect: 5, dry_run: true })
  assert.deepEqual(
    tried.entries.map(({ id, matches, live }: { id: string; matches: number; live: boolean }) => [id, matches, live]),
    [
      [one.id, 4, true],
      [two.id, 1, false],
    ],
  )
  assert.deepEqual(tried.entries[1].excerpts, ['call (555)'])
  const { activity_id: activity } = await site.ok('replace-all', { ...input, match_case: false, in: ['body'], expect: 3 })
  assert.deepEqual([(await get(one.id)).body, (await get(one.id)).title], ['$& [x] and $& [x] again.', 'Call (555) now'])
  await site.ok('SVC_Activity.undo', { ids: [activity] })
  assert.equal((await get(one.id)).body, 'Call (555) and call (555) again.')
  await stageEdits(true)
  await site.ok('replace-all', { ...input, where: { title: { has: 'Call' } }, expect: 2 })
  await stageEdits(null)
  assert.equal((await get(one.id)).body, 'Call (555) and call (555) again.')
  assert.equal((await get(one.id, { stage: true })).body, 'Call (555) and $& [x] again.')
  const calls = [
    { action: 'SVC_Content.update', arguments: { id: two.id, body: 'call (555) call (555)' } },
    { action: 'SVC_Content.replace-all', arguments: { ...input, where: { title: 'Two' }, expect: 2 } },
  ]
  await site.ok('SVC_API.batch', { calls })
  assert.equal((await get(two.id)).body, '$& [x] $& [x]')
})

test('replace-all replaces in the fields of a type, checks each value, and names all that it leaves', async () => {
  const [old, next] = ['555 0133', '555 0144']
  const group = {
    name: 'desk',
    kind: 'group',
    of: [
      { name: 'line', kind: 'text', required: true },
      { name: 'days', kind: 'number' },
    ],
  }
  const fields = [
    { name: 'phone', kind: 'text', filter: true },
    { name: 'web', kind: 'url' },
    { name: 'notes', kind: 'markdown', many: true },
    { ...group, many: true },
    { name: 'way', kind: 'choice', options: [`by ${old}`, 'by post'] },
    { name: 'raw', kind: 'json' },
  ]
  await site.ok('SVC_Types.create', { slug: 'branch', name: 'Branch', fields })
  const values = {
    phone: old,
    web: 'tel:555-0133',
    notes: ['none', `${old} or ${old}`],
    desk: [{ line: old, days: 5 }],
    way: `by ${old}`,
    raw: { a: [`x ${old}`] },
  }
  const seo = { description: `Call ${old}` }
  const { id } = await make('North', { type: 'branch', fields: values, seo })
  await site.ok('SVC_Terms.create', { taxonomy: 'category', name: 'Phones', text: `Ring ${old}` })
  await site.ok('SVC_Skills.put', { slug: 'phone', when: 'Writing', text: `We have ${old}.` })
  await site.ok('SVC_Menus.create', {
    slug: 'call',
    items: [{ label: 'Call', items: [{ label: old, url: 'tel:5550133' }], url: '/' }],
  })
  await site.ok('SVC_Themes.configure', { id: 'default', settings: { footer_text: old } })
  const input = { find: old, replace: next }
  const before = await get(id)
  const tried = await site.ok('replace-all', { ...input, expect: 4, dry_run: true })
  assert.deepEqual(
    tried.diff.map(({ field }: { field: string }) => field),
    ['fields'],
  )
  assert.deepEqual(await get(id), before)
  const done = await site.ok('replace-all', { ...input, expect: 4 })
  assert.deepEqual((await get(id)).fields, {
    ...values,
    phone: next,
    notes: ['none', `${next} or ${next}`],
    desk: [{ line: next, days: 5 }],
  })
  assert.equal((await site.ok('list', { where: { 'fields.phone': next } })).items.length, 1)
  assert.deepEqual(done.elsewhere.map(({ kind, field }: { kind: string; field: string }) => `${kind} ${field}`).sort(), [
    'entry fields.raw.a.0',
    'entry fields.way',
    'entry seo.description',
    'menu items.0.items.0.label',
    'skill text',
    'term text',
    'theme settings.footer_text',
    'type fields.4.options.0',
  ])
  await site.ok('SVC_Activity.undo', { ids: [done.activity_id] })
  assert.deepEqual((await get(id)).fields, values)
  await site.ok('replace-all', { ...input, in: ['fields.phone', 'seo'], expect: 2 })
  assert.deepEqual([(await get(id)).fields.phone, (await get(id)).seo.description], [next, `Call ${next}`])
  await stageEdits(true)
  await site.ok('replace-all', { ...input, in: ['fields'], expect: 3 })
  await stageEdits(null)
  assert.deepEqual([(await get(id)).fields.desk[0].line, (await get(id, { stage: true })).fields.desk[0].line], [old, next])
})

test('a value that replacing would make invalid is named with its entry, and nothing is replaced', async () => {
  const fields = [
    { name: 'mail', kind: 'email' },
    { name: 'name', kind: 'text', required: true },
  ]
  await site.ok('SVC_Types.create', { slug: 'person', name: 'Person', fields })
  const first = await make('A', { type: 'person', fields: { mail: 'zoe@example.org', name: 'zoe' } })
  const { id } = await make('B', { type: 'person', fields: { mail: 'zoe@example.org', name: 'zoe' }, seo: { canonical: '/zoe' } })
  const where = { type: 'person' }
  const rows = [
    [{ find: 'example.org', replace: 'nowhere', expect: 2 }, 'fields.mail'],
    [{ find: 'zoe', replace: '', in: ['fields.name'], expect: 2 }, 'fields.name'],
    [{ find: '/zoe', replace: 'javascript:zoe', in: ['seo'], expect: 1 }, 'seo.canonical'],
  ] as const
  for (const [input, field] of rows) {
    const failure = await site.fails('replace-all', { ...input, where })
    const by = field === 'seo.canonical' ? id : first.id
    assert.deepEqual([failure.code, failure.field, (failure.by as Item | undefined)?.id], ['invalid', field, by], failure.message)
  }
  assert.deepEqual([(await get(first.id)).revision, (await get(id)).revision], [1, 1])
})

test('a text is replaced as if by split and join, and no sign in it is a pattern', () =>
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom(...'ab.*[(\\$^|é') }),
      fc.string({ minLength: 1, maxLength: 2, unit: fc.constantFrom(...'ab.*[(\\$^|é') }),
      fc.string(),
      (text, find, replace) => {
        const exact = replaceText(text, { find, replace, matchCase: true })
        assert.deepEqual([exact.text, exact.matches], [text.split(find).join(replace), text.split(find).length - 1])
        const loose = replaceText(text.toUpperCase(), { find, replace, matchCase: false })
        assert.equal(loose.matches, text.toUpperCase().split(find.toUpperCase()).length - 1)
      },
    ),
  ))

test('letters match whatever their case is, also where the lower case is longer, and a hostile text costs no more', () => {
  const loose = (text: string, find: string) => replaceText(text, { find, replace: '_', matchCase: false }).text
  assert.equal(loose('İstanbul ÉCOLE', 'école'), 'İstanbul _')
  assert.equal(loose('ΟΔΟΣΑ οδος', 'ΟΔΟΣ'), '_Α _')
  assert.equal(loose('a'.repeat(2 ** 21), `${'a'.repeat(9999)}b`).length, 2 ** 21)
})

test('diff shows what publish would change, and where publish would refuse', async () => {
  const { id } = await make('Differs', { body: 'one\ntwo\nthree\n' })
  await site.ok('update', { id, title: 'Staged', body: 'one\n2\nthree\n', stage: true })
  const ahead = await site.ok('diff', { id, from: 'live' })
  assert.deepEqual(ahead.fields, [{ field: 'title', before: 'Differs', after: 'Staged' }])
  assert.match(ahead.text, /^--- live\n\+\+\+ staged\n@@ -1,3 \+1,3 @@\n one\n-two\n\+2\n three\n/)
  await site.ok('update', { id, title: 'Live' })
  assert.deepEqual((await site.ok('diff', { id, from: 'live' })).conflicts, ['title'])
  assert.deepEqual((await site.ok('diff', { id, from: 1, to: 'live' })).fields, [
    { field: 'title', before: 'Differs', after: 'Live' },
  ])
  assert.equal((await site.fails('diff', { id, from: 99 })).code, 'not_found')
  assert.equal((await site.fails('diff', { id, from: 1 }, nobody)).code, 'unknown_action')
})

test('texts that take too long to compare are shown as replaced between the first and the last difference', async () => {
  const lines = (word: string) => Array.from({ length: 6000 }, (_, i) => `${word} ${i}`).join('\n')
  const text = await unifiedDiff(`head\n${lines('a')}\ntail`, `head\n${lines('b')}\ntail`, { from: 'x', to: 'y' })
  assert.match(text, /^--- x\n\+\+\+ y\n@@ -2,6000 \+2,6000 @@\n-a 0\n/)
  assert.equal(await unifiedDiff('same', 'same', { from: 'x', to: 'y' }), '')
})

test('links shows both directions, with former addresses and what is missing', async () => {
  const target = await make('Target')
  const from = await make('From', {
    body: 'See [t](/target), [gone](/nowhere), [out](https://example.com/a?b&c) and `[x](/about)`.',
  })
  await make('Mentions', { body: 'Only /target in words.' })
  await site.ok('update', { id: target.id, slug: 'new-target' })
  const { out } = await site.ok('links', { id: from.id })
  assert.deepEqual(out, [
    { path: '/target', kind: 'entry', id: target.id, title: 'Target', status: 'published', moved_to: '/new-target' },
    { path: '/nowhere', missing: true },
    { path: null, url: 'https://example.com/a?b&c' },
  ])
  assert.deepEqual((await site.ok('links', { id: target.id })).in, [{ kind: 'entry', id: from.id, title: 'From', path: '/from' }])
})

test('check finds what an editor would fix, and its calls fix it', async () => {
  const target = await make('Old place')
  await make('Hidden', { status: 'draft' })
  await site.ok('update', { id: target.id, slug: 'new-place' })
  const parent = await make('Parent of one')
  const body = '# Again\n\n[a](/old-place) [b](/hidden) [c](/nothing) [d](/user-content/x)\n\n![](/p.png)\n\n#### Deep\n\ntext'
  const { id } = await make('Parent of one', { body, parent: parent.id, slug: 'checked' })
  const look = async () =>
    (await site.ok('check', { ids: [id] })).items as {
      rule: string
      place: string
      fix: { call: string; arguments: Record<string, unknown> } | null
    }[]
  assert.deepEqual(
    (await look()).map(({ rule, place, fix }) => [rule, place, fix !== null]),
    [
      ['links', 'body: /old-place', true],
      ['links', 'body: /hidden', false],
      ['links', 'body: /nothing', false],
      ['alt', 'body: /p.png', false],
      ['headings', 'body: # Again', true],
      ['headings', 'body: #### Deep', true],
      ['lengths', 'excerpt', true],
      ['orphans', 'path', false],
      ['titles', 'title', false],
    ],
  )
  for (const { fix } of await look()) if (fix) await site.ok(fix.call, fix.arguments)
  await make('Links it', { body: '[x](/parent-of-one/checked)' })
  assert.deepEqual(
    (await look()).map(({ rule }) => rule),
    ['links', 'links', 'alt', 'titles'],
  )
  assert.deepEqual((await site.ok('check', { where: { id }, rules: ['titles'] })).total, 1)
  assert.equal((await site.fails('check', {})).code, 'invalid')
})
