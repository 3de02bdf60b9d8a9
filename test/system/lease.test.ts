// While the database can't be asked what has changed, nothing that grants rights comes from memory. Public pages do.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { onlySqlite } from '../sqlite-only.ts'
import { withoutTable } from '../missing-table.ts'
import { openSite, type TestSite } from '../site.ts'
import { until } from '../until.ts'

let site: TestSite
before(async () => {
  site = await openSite()
})
after(() => site[Symbol.asyncDispose]())

// PostgreSQL's prepared statements go on after their table is renamed.
const fails = onlySqlite('statements that fail where their table was renamed')

test(
  'a token and a closed door are unavailable a second after the last look, pages and health are not, and all comes back by itself',
  fails,
  async () => {
    await site.call('SVC_Content.create', { type: 'page', title: 'Kept', slug: 'kept', status: 'published' })
    assert.equal((await site.send('/kept')).status, 200)
    assert.equal((await site.api('SVC_API.welcome')).status, 200)
    await withoutTable(site.home, 'version', async () => {
      await until('calls are refused', async () => (await site.api('SVC_API.welcome')).status === 503)
      const { json, headers } = await site.api('SVC_Content.get', { id: '/kept' })
      assert.equal(json.error.code, 'unavailable')
      assert.ok(Number(headers.get('retry-after')) > 0)
      for (const path of ['/admin/', '/oauth/authorize', '/metrics', '/ext/nothing/here'])
        assert.equal((await site.send(path)).status, 503, path)
      assert.equal((await site.send('/kept')).status, 200)
      assert.equal((await site.send('/healthz')).status, 200)
    })
    await until('calls are answered again', async () => (await site.api('SVC_API.welcome')).status === 200)
  },
)
