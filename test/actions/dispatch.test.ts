// The rules for all actions (ACTIONS.md), on actions made up for it: what is checked when, what a call leaves, what it may not.

import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { test } from 'node:test'
import { Type } from 'typebox'
import { action } from '../../src/actions/call/action.ts'
import { maxAnswerBytes } from '../../src/actions/call/answer.ts'
import { batch } from '../../src/actions/api/batch.ts'
import { dispatch } from '../../src/actions/call/dispatch.ts'
import { Failure } from '../../src/base/failure.ts'
import { openBareSite, tokenOf } from './bare-site.ts'
import { declared, get, mint, purge, put } from './made-up.ts'

const admin = tokenOf('admin')
const notes = [put, get, mint, purge, batch]
const nothing = Type.Object({}, { additionalProperties: false })

test('the checks run in order: action, input, thing, revision', async () => {
  await using site = await openBareSite(notes)
  await site.ok('Test.put', { key: 'a', value: 'x' })
  assert.equal((await site.fails('Test.mint', { nonsense: 1, if_revision: 7 })).code, 'unknown_action')
  assert.equal((await site.fails('Test.put', { key: 1, value: 'x', if_revision: 7 })).code, 'invalid')
  assert.equal((await site.fails('Test.get', { key: 'b' })).code, 'not_found')
  assert.equal((await site.fails('Test.put', { key: 'a', value: 'x', if_revision: 7 })).code, 'conflict')
})

test('an option that is not of its kind is refused in dispatch itself, so that no door can go around', async () => {
  await using site = await openBareSite(notes)
  await site.ok('Test.put', { key: 'a', value: 'x' })
  const wrong: readonly (readonly [string, object])[] = [
    ...[Number.NaN, Infinity, -1, 1.5, 2 ** 31, '1', '1#', null].map((ifRevision) => ['if_revision', { ifRevision }] as const),
    ...['', 'a b', 'é', 'x'.repeat(201), 7].map((idempotencyKey) => ['idempotency_key', { idempotencyKey }] as const),
    ...['yes', 1, null].map((dryRun) => ['dry_run', { dryRun }] as const),
    ...[[], [''], [7], Array(51).fill('a')].map((select) => ['select', { select }] as const),
  ]
  for (const [field, options] of wrong) {
    const call = { name: 'Test.put', input: { key: 'a', value: 'y' }, options }
    const outcome = await dispatch(site.site, admin, call, { origin: '' })
    assert.ok(!outcome.ok, JSON.stringify(options))
    assert.deepEqual([outcome.failure.code, outcome.failure.detail.field], ['invalid', field], JSON.stringify(options))
  }
})

test('a read that has its answer in memory is answered at once; one that throws fails at once, and a later failure in its time', async () => {
  const read = (name: string, run: () => unknown) =>
    action(`Test.${name}`, {
      ...declared,
      tier: 'any',
      effect: 'read',
      failures: ['conflict'],
      input: nothing,
      run: run as () => never,
    })
  const refuse = () => {
    throw new Failure('conflict', 'No.')
  }
  const actions = [read('there', () => ({ done: [] })), read('later', async () => ({ done: [] })), read('no', refuse)]
  await using site = await openBareSite([...actions, read('no-later', async () => refuse())])
  const run = (name: string) => dispatch(site.site, admin, { name, input: {}, options: {} }, { origin: '' })
  const [there, no] = [run('Test.there'), run('Test.no')]
  assert.ok('ok' in there && there.ok)
  assert.ok('ok' in no && !no.ok && no.failure.code === 'conflict')
  const [later, noLater] = [run('Test.later'), run('Test.no-later')]
  assert.ok(later instanceof Promise && (await later).ok)
  assert.ok(noLater instanceof Promise && !(await noLater).ok)
})

test('attack 77: class __proto__ and action toString are unknown tools', async () => {
  await using site = await openBareSite(notes)
  for (const name of ['__proto__.get', 'constructor.constructor', 'Test.toString', 'toString', '', '.', 'Test.__proto__'])
    assert.equal((await site.fails(name)).message, `Unknown tool: ${name}`)
})

test('an option without effect is invalid, and says what it is for', async () => {
  await using site = await openBareSite(notes)
  for (const [option, value] of Object.entries({ dry_run: true, idempotency_key: 'k', if_revision: 1 }))
    assert.equal((await site.fails('Test.get', { key: 'a', [option]: value })).field, option)
  assert.equal((await site.fails('Test.mint', { name: 'a', if_revision: 1 }, admin)).field, 'if_revision')
})

test('dry_run tells the same and a diff, and leaves no row, record, key or word to the caches', async () => {
  await using site = await openBareSite(notes)
  const tried = await site.ok('Test.put', { key: 'a', value: 'x', dry_run: true, idempotency_key: 'k' })
  assert.equal(tried.activity_id, null)
  assert.deepEqual(
    tried.diff.map(({ id, field, after }: Record<string, unknown>) => [id, field, after]),
    [
      ['a', 'key', 'a'],
      ['a', 'value', 'x'],
    ],
  )
  for (const table of ['setting', 'activity', 'activity_object', 'idempotency', 'version'] as const)
    assert.deepEqual(await site.rows(table), [], table)
  assert.deepEqual(site.committed, [])
  const { diff: _diff, ...told } = tried
  const { activity_id: id, ...done } = await site.ok('Test.put', { key: 'a', value: 'x', idempotency_key: 'k' })
  assert.deepEqual({ ...done, activity_id: null }, told)
  assert.equal((await site.rows('activity'))[0]?.id, id)
})

test('a long diff is cut to the first of each kind, with counts and how to see one: what can be done can be tried', async () => {
  const many = action('Test.many', {
    ...declared,
    tier: 'content',
    effect: 'write',
    input: nothing,
    async run({ change }) {
      for (let at = 0; at < 100; at++) await change.insert('setting', { key: `k${at}`, value: JSON.stringify('y'.repeat(1900)) })
      return { done: [] } as never
    },
  })
  await using site = await openBareSite([many])
  const outcome = await site.run('Test.many', { dry_run: true })
  assert.ok(outcome.ok && Buffer.byteLength(outcome.data.text) <= maxAnswerBytes)
  const {
    diff,
    truncated,
    diff_summary: summary,
  } = outcome.data.parse() as {
    diff: { field: string; after: string }[]
    truncated: boolean
    diff_summary: { rows: number; things: number; counts: { kind: string; field: string; rows: number }[]; hint: string }
  }
  assert.equal(truncated, true)
  assert.ok(outcome.ok && Buffer.byteLength(outcome.data.text) < 10_000)
  assert.deepEqual([summary.things, summary.rows], [100, summary.counts.reduce((sum, { rows }) => sum + rows, 0)])
  assert.ok(summary.counts.every(({ kind, rows }) => kind === 'setting' && rows === 100))
  assert.deepEqual(
    diff.map(({ field }) => field),
    summary.counts.map(({ field }) => field),
    'the first row of each kind',
  )
  assert.ok(diff.every(({ after }) => JSON.stringify(after).length <= 205))
  assert.match(summary.hint, /one thing alone/)
  await site.ok('Test.many')
})

test('nothing to change is a success without a revision or a record', async () => {
  await using site = await openBareSite(notes)
  await site.ok('Test.put', { key: 'a', value: 'x' })
  const again = await site.ok('Test.put', { key: 'a', value: 'x' })
  assert.deepEqual([again.changed, again.activity_id, again.item.revision], [[], null, 1])
  assert.equal((await site.rows('activity')).length, 1)
})

test('attack 86: a key answers the first answer again, to the same caller, for the same call, for a day', async () => {
  await using site = await openBareSite(notes)
  const send = (value: string, as = tokenOf('content')) => site.ok('Test.put', { key: 'a', value, idempotency_key: 'k' }, as)
  const first = await send('x')
  await site.ok('Test.put', { key: 'a', value: 'later' })
  assert.deepEqual(await send('x'), first)
  assert.notDeepEqual(await send('x', tokenOf('content', 'another')), first)
  const reused = await site.fails('Test.put', { key: 'a', value: 'y', idempotency_key: 'k' })
  assert.deepEqual([reused.code, reused.at], ['key_reused', '2026-11-21T09:00:00.000Z'])
  assert.equal((await site.fails('Test.put', { key: 'a', value: 'x', if_revision: 1, idempotency_key: 'k' })).code, 'key_reused')
  site.clock.at += 24 * 3600 * 1000
  assert.equal((await send('y')).item.value, 'y')
})

test('attack 86: of ten calls at once under one key one runs', async () => {
  let ran = 0
  const count = action('Test.count', {
    ...declared,
    tier: 'content',
    effect: 'act',
    input: nothing,
    run: async () => ({ ran: ++ran }) as never,
  })
  await using site = await openBareSite([count])
  const answers = await Promise.all(Array.from({ length: 10 }, () => site.ok('Test.count', { idempotency_key: 'k' })))
  assert.equal(ran, 1)
  assert.equal(new Set(answers.map((answer) => JSON.stringify(answer))).size, 1)
})

test('a call that failed leaves its key free', async () => {
  await using site = await openBareSite(notes)
  await site.fails('Test.purge', { key: 'a', expect: 1, idempotency_key: 'k' }, admin)
  await site.ok('Test.mint', { name: 'a', idempotency_key: 'k' }, admin)
})

for (const [what, call, input] of [
  ['a call', 'Test.mint', { name: 'a', password: 'correct horse battery' }],
  [
    'a call in a batch',
    'SVC_API.batch',
    { calls: [{ action: 'Test.mint', arguments: { name: 'a', password: 'correct horse battery' } }] },
  ],
] as const) {
  test(`attack 123: the secrets of ${what} are answered once and kept in no row, and not in a dry run`, async () => {
    await using site = await openBareSite(notes)
    const tried = await site.ok(call, { ...input, dry_run: true }, admin)
    assert.doesNotMatch(JSON.stringify(tried), /topsecret/)
    const sent = { ...input, idempotency_key: 'k' }
    assert.match(JSON.stringify(await site.ok(call, sent, admin)), /topsecret/)
    const again = JSON.stringify(await site.ok(call, sent, admin))
    assert.match(again, /"id":"a"/)
    assert.doesNotMatch(again, /topsecret/)
    for (const table of ['activity', 'idempotency', 'setting'] as const)
      assert.doesNotMatch(JSON.stringify(await site.rows(table)), /topsecret|correct horse/, table)
    assert.doesNotMatch(site.lines.join(), /topsecret|correct horse/)
  })
}

test('attack 123: a secret that does not fit is not repeated in the failure', async () => {
  await using site = await openBareSite(notes)
  const { message, ...detail } = await site.fails('Test.mint', { name: 'a', password: 'hunter2' }, admin)
  assert.equal(message, '"password" must be a text of 12 characters or more.')
  assert.doesNotMatch(JSON.stringify(detail), /hunter2/)
})

test('what a caller can not be answered as they asked is not done either', async () => {
  await using site = await openBareSite(notes)
  const typo = await site.fails('Test.put', { key: 'a', value: 'x', select: ['valeu'] })
  assert.deepEqual([typo.code, typo.field], ['invalid', 'select'])
  assert.equal((await site.fails('Test.put', { key: 'a', value: 'x', pad: maxAnswerBytes })).code, 'too_large')
  assert.deepEqual(await site.rows('setting'), [])
})

test('no answer tops 80 KB, text that was made before included', async () => {
  const long = action('Test.long', {
    ...declared,
    tier: 'any',
    effect: 'read',
    input: Type.Object({ size: Type.Integer() }, { additionalProperties: false }),
    run: (_context, { size }) => ({ text: 'é'.repeat(size / 2) }) as never,
  })
  await using site = await openBareSite([long])
  await site.ok('Test.long', { size: maxAnswerBytes - 100 })
  const failure = await site.fails('Test.long', { size: maxAnswerBytes })
  assert.deepEqual([failure.code, failure.limit], ['too_large', maxAnswerBytes])
})

test('what fails after the commit is told to the log: the caller hears what was done', async () => {
  const hooks: string[] = []
  const hooked = action('Test.hooked', {
    ...declared,
    tier: 'content',
    effect: 'act',
    input: nothing,
    async run({ afterCommit }) {
      afterCommit(() => {
        throw new Error('mail server away')
      })
      afterCommit(() => void hooks.push('second'))
      return { done: ['a'] } as never
    },
  })
  await using site = await openBareSite([hooked], { told: () => Promise.reject(new Error('cache away')) })
  assert.deepEqual((await site.ok('Test.hooked')).done, ['a'])
  assert.deepEqual(hooks, ['second'])
  assert.match(site.lines.join(), /cache away.*mail server away/)
})

test('what is to follow a commit does not follow a failure or a dry run', async () => {
  const hooks: string[] = []
  const hooked = action('Test.hooked', {
    ...declared,
    tier: 'content',
    effect: 'act',
    input: Type.Object({ fail: Type.Boolean() }, { additionalProperties: false }),
    async run({ afterCommit }, { fail }) {
      afterCommit(() => void hooks.push('ran'))
      if (fail) throw new Failure('refused', 'No.')
      return {} as never
    },
  })
  await using site = await openBareSite([hooked])
  await site.fails('Test.hooked', { fail: true })
  await site.ok('Test.hooked', { fail: false, dry_run: true })
  assert.deepEqual(hooks, [])
  assert.deepEqual(await site.rows('activity'), [])
})

const slow = (ms: number) =>
  action('Test.slow', {
    ...declared,
    tier: 'content',
    effect: 'write',
    input: nothing,
    async run({ change, signal }) {
      await change.insert('setting', { key: 'slow', value: '1' })
      await sleep(ms, undefined, { signal }).catch(() => undefined)
      return { done: [] } as never
    },
  })

test('a write whose caller leaves is undone', async () => {
  await using site = await openBareSite([slow(5000)])
  const left = new AbortController()
  const running = site.run('Test.slow', {}, tokenOf('content'), { signal: left.signal })
  setTimeout(() => left.abort(), 50)
  const outcome = await running
  assert.ok(!outcome.ok && outcome.failure.code === 'unavailable')
  assert.deepEqual(await site.rows('setting'), [])
  const late = await site.run('Test.slow', {}, tokenOf('content'), { signal: left.signal })
  assert.ok(!late.ok && late.failure.code === 'unavailable')
})

test('a write whose time is up is undone', async () => {
  await using site = await openBareSite([slow(5000)], { env: { POSTERN_ACTION_SECONDS: '1' } })
  const failure = await site.fails('Test.slow')
  assert.deepEqual([failure.code, failure.retry_after], ['unavailable', 5])
  assert.deepEqual(await site.rows('setting'), [])
})

test('what is nobody’s fault but ours is told by a reference that finds it in the log, and by nothing else', async () => {
  const broken = action('Test.broken', {
    ...declared,
    tier: 'any',
    effect: 'read',
    input: nothing,
    run({ db }) {
      return db
        .selectFrom('no_such_table' as never)
        .selectAll()
        .execute() as never
    },
  })
  await using site = await openBareSite([broken])
  const failure = await site.fails('Test.broken')
  assert.equal(failure.code, 'failed')
  assert.doesNotMatch(JSON.stringify(failure), /no_such_table|select/i)
  assert.match(site.lines.join(), new RegExp(`${failure.reference}.*no_such_table`))
})

test('attack 88: of two writes with one if_revision one succeeds; the other hears who changed what since', async () => {
  await using site = await openBareSite(notes)
  await site.ok('Test.put', { key: 'a', value: 'one' })
  const outcomes = await Promise.all(['two', 'three'].map((value) => site.run('Test.put', { key: 'a', value, if_revision: 1 })))
  assert.deepEqual(outcomes.map(({ ok }) => ok).sort(), [false, true])
  const [lost] = outcomes.filter((outcome) => !outcome.ok)
  const { code, revision, changes } = (lost as { failure: Failure }).failure.toJSON()
  assert.deepEqual([code, revision], ['conflict', 2])
  assert.deepEqual(
    (changes as { fields: string[]; call: string }[]).map(({ fields, call }) => [fields, call]),
    [[['value'], 'Test.put']],
  )
})
