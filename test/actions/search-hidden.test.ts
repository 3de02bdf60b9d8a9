// Attack 154: a hidden entry has no effect on what a search answers to somebody who may not see the entry. A site in which the hidden entries have a word
// answers as one in which they have another word of the same length.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { searchPublic } from '../../src/site/lists/public-search.ts'
import { suggestPath } from '../../src/actions/redirects/suggest-path.ts'
import type { Caller } from '../../src/identity/caller.ts'
import { type ContentSite, nobody, openContentSite, tokenOf } from './content-site.ts'

let site: ContentSite
before(async () => {
  site = await openContentSite()
  await fill()
})
after(() => site[Symbol.asyncDispose]())

/** The words that hidden entries have or lack. The sites' public entries have each of them, spelled so or almost so. */
const secrets = ['harbour', 'lantern', 'granite', 'semaphore']
const others: Readonly<Record<string, string>> = {
  harbour: 'xarbyur',
  lantern: 'xantyrn',
  granite: 'xranyte',
  semaphore: 'xemyphore',
}
/** More than are looked through where some entries with a word are needed. */
const hidden = 240

/** Public entries whose order depends on a close call: how rare the words are, and how long the texts. */
async function fill(): Promise<void> {
  const create = (input: Record<string, unknown>) => site.ok('create', { type: 'post', ...input })
  for (let number = 0; number < 12; number++) {
    const words = secrets.filter((_, at) => (number >> at) % 2 === 0)
    const body = `${words.join(' and ')}. ${'Much is written here. '.repeat(number % 5)} ${words[0] ?? ''} part${number}`
    await create({ title: `Note ${number} ${secrets[number % 6] ?? ''}`, body, status: 'published' })
  }
  // The published ones have expired.
  await sql`with recursive numbers (n) as (select 0 union all select n + 1 from numbers where n < ${hidden - 1})
    insert into entry (id, type, title, slug, path, body, status, published_at, unpublish_at, position, seo, created_at, updated_at, revision)
    select 'zz' || (10000 + n), 'post', 'Secret ' || n, 'secret-' || n, '/secret-' || n, 'empty',
      case n % 4 when 0 then 'draft' when 1 then 'private' when 2 then 'published' else 'scheduled' end,
      case n % 4 when 2 then 1 when 3 then 9000000000000 end, case n % 4 when 2 then 2 end, 0, '{}', n, n, 1
    from numbers`.execute(site.services.store.write)
}

/** Writes the texts of the hidden entries: with these words, those of `others` in place of all others, and words that are almost the same. */
async function hide(words: readonly string[]): Promise<void> {
  const { store, search } = site.services
  const told = secrets.map((word) => (words.includes(word) ? word : others[word])).join(' ')
  // More words that are like a misspelt one than are tried.
  const near = [...'abcdefghij'].map((end) => told.replaceAll(/\w\b/g, end)).join(' ')
  await sql`update entry set body = ${`${told} ${near} ${told}`}, revision = revision + 1 where title like 'Secret %'`.execute(
    store.write,
  )
  await search.run()
}

const calls: readonly (readonly [action: string, input: Record<string, unknown>])[] = [
  ...secrets.map((query) => ['SVC_Search.query', { query }] as const),
  ['SVC_Search.query', { query: 'harbour lantern', limit: 3 }],
  ['SVC_Search.query', { query: 'harbour granite semaphore' }],
  ['SVC_Search.query', { query: '"lantern and granite"' }],
  ['SVC_Search.query', { query: 'lanter', typing: true }],
  ['SVC_Search.query', { query: 'harbuor' }],
  ['SVC_Search.query', { query: 'lantenr xyz' }],
  ['SVC_Search.query', { query: 'harbouq' }],
  ['SVC_Search.query', { query: 'semaphoreq' }],
  ['SVC_Search.similar', { text: 'A harbour with a lantern of granite, and a semaphore', limit: 20 }],
  ['SVC_Search.similar', { text: 'harbour harbour harbour lantern granite part3 part7', limit: 5 }],
  ['SVC_Search.similar', { id: '/note-1-lantern', limit: 4 }],
  ['SVC_Content.list', { search: 'harbour granite', count: true }],
  ['SVC_Content.list', { search: 'lantern', sort: 'title', count: true }],
  ['SVC_Content.list', { where: { body: { has: 'harbour' } }, count: true }],
  ['SVC_Content.get', { id: '/note-1-lanten' }],
]

/** Everything that callers are told, the reason of a failure too. */
async function told(as: Caller): Promise<readonly unknown[]> {
  const answers: unknown[] = []
  for (const [action, input] of calls) answers.push({ action, input, answer: (await site.run(action, input, as)) as unknown })
  if (as === nobody) answers.push(...(await toldOnPages()))
  return answers
}

/** What the search page shows, and which page a missing one suggests. */
async function toldOnPages(): Promise<readonly unknown[]> {
  const { services, clock } = site
  const asked = {
    page: 1,
    language: null,
    origin: 'https://example.org',
    client: '192.0.2.1',
    signal: new AbortController().signal,
  }
  const pages = ['harbour lantern', 'harbuor'].map((query) => searchPublic(services, { ...asked, query }))
  const paths = ['/note-1-lanten', '/harbour', '/secret-1'].map((path) => suggestPath(services.store.read, path, clock.at))
  return Promise.all([...pages, ...paths])
}

const callers: readonly (readonly [who: string, as: Caller, where: 'drafts' | 'trash'])[] = [
  ['a stranger', nobody, 'drafts'],
  ['a stranger', nobody, 'trash'],
  ['a read token', tokenOf('read'), 'trash'],
  ['a contributor', tokenOf('content', { drafts_only: true }), 'trash'],
]

for (const [who, as, where] of callers)
  test(`attack 154: ${who} is answered the same, whichever words entries among the ${where} have`, async () => {
    const { write } = site.services.store
    if (where === 'trash') await sql`update entry set status = 'trash' where title like 'Secret %'`.execute(write)
    await hide([])
    const without = await told(as)
    for (const words of [['harbour'], secrets]) {
      await hide(words)
      assert.deepEqual(await told(as), without, words.join(' '))
    }
  })
