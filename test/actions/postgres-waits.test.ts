// On PostgreSQL, what a write costs is how often it waits on the network.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Call } from '../../src/actions/call/call.ts'
import { authorOf, commit } from '../../src/actions/call/commit.ts'
import type { Freshness } from '../../src/cache/freshness.ts'
import { findReplay, rememberAnswer } from '../../src/actions/call/idempotency.ts'
import type { Services } from '../../src/actions/call/services.ts'
import { builtInTypes } from '../../src/content/types/entry-types.ts'
import { insertEntry } from '../../src/content/entries/write-entry.ts'
import { ownerOf } from '../../src/identity/caller.ts'
import { releaseOf } from '../../src/base/release.ts'
import { createChange } from '../../src/store/change/change.ts'
import { newId } from '../../src/store/core/ids.ts'
import { noteChanges } from '../../src/store/change/recent-changes.ts'
import { createMail } from '../../src/mail/mail.ts'
import { countWaits } from '../store/count-waits.ts'
import { makePostgres, quiet } from '../store/on-each-database.ts'
import { tokenOf } from './content-site.ts'

test('a create waits on the network of PostgreSQL three times, and once more for an idempotency key', async () => {
  await using database = await makePostgres('tables')
  const store = await database.open({ pollMs: 600_000 })
  try {
    const freshness: Pick<Freshness, 'note' | 'committed'> = {
      note: (db, { counters, records, rows }) => noteChanges(db, counters.get('content') ?? 0, records, rows),
      committed: async () => undefined,
    }
    const webhooks = { note: () => false }
    const mail = createMail(async () => false)
    const site = { store, log: quiet, freshness, webhooks, mail } as unknown as Services
    const caller = tokenOf('admin')
    const now = Date.parse('2026-11-21T09:00:00Z')
    const name = 'SVC_Content.create'
    let made = 0
    const create = (key?: string) =>
      commit(site, name, async ({ db, record }) => {
        const call: Call = { name, input: { title: `Post ${++made}` }, options: {} }
        const keyed = key === undefined ? undefined : { owner: ownerOf(caller), key: `${key} ${made}`, call, now }
        if (keyed) await findReplay(db, keyed)
        const change = createChange(db, { now, author: authorOf(caller, name) })
        const writing = { change, caller, release: releaseOf('1'), types: builtInTypes }
        await insertEntry(writing, { type: 'post', title: `Post ${made}`, body: 'A text.', author_id: null })
        const runs = [{ name, tier: 'content' as const, effect: 'write' }]
        record({ id: newId(now), call: name, runs, summary: '', caller, input: call.input, records: change.records, now })
        if (keyed) rememberAnswer(db, { ...keyed, answer: { done: true } })
      })
    await create('warm')
    await create('warm')
    assert.equal(await countWaits(() => create()), 3, 'the path, all rows with the counter, commit')
    assert.equal(await countWaits(() => create('key')), 4, 'and the key')
    assert.equal((await store.read.selectFrom('entry').select('id').execute()).length, 4)
  } finally {
    await store.close()
  }
})
