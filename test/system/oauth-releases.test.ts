// Signing in as each release does it, in each zone: the defect of 0.10 on a server ahead of UTC, and personal tokens beside it.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inZone } from '../in-zone.ts'
import { openOwner, postForm, untilCode } from '../doors/oauth/flow.ts'
import { openSite } from '../site.ts'

for (const [release, zone, status] of [
  ['0.10', 'Pacific/Kiritimati', 400],
  ['0.10', 'Asia/Kolkata', 400],
  ['0.10', 'UTC', 200],
  ['0.10', 'America/Los_Angeles', 200],
  ['0.11', 'Pacific/Kiritimati', 200],
  ['1', 'Pacific/Kiritimati', 200],
  ['1', 'America/Los_Angeles', 200],
] as const) {
  test(`attack 53: release ${release} under TZ=${zone}: a fresh code is ${status === 200 ? 'good' : 'expired at issue'}, a personal token good`, () =>
    inZone(zone, async () => {
      await using site = await openSite({ release })
      await using owner = await openOwner(site, { POSTERN_COMPAT: release })
      const { form } = await untilCode(site, owner)
      const answer = await postForm(site, '/oauth/token', form)
      assert.equal(answer.status, status, answer.text)
      assert.equal(answer.json.error_description, status === 400 ? 'Unknown or used code' : undefined)
      assert.equal((await site.call('SVC_API.welcome')).you.token.kind, 'personal')
    }))
}

for (const basePath of ['', '/blog']) {
  test(`${basePath || 'at the root'}: either form of the resource is good at authorize and at the token endpoint, mixed as clients do`, async () => {
    await using site = await openSite({ basePath })
    await using owner = await openOwner(site, basePath ? { POSTERN_BASE_PATH: basePath } : {})
    for (const resource of [`${site.base}/mcp`, `${site.base}/mcp/`, undefined]) {
      const { form } = await untilCode(site, owner)
      const { status, json } = await postForm(site, '/oauth/token', { ...form, resource })
      assert.equal(status, 200)
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
      const headers = { 'content-type': 'application/json' }
      assert.equal((await site.send('/mcp', { method: 'POST', headers, body, token: json.access_token })).status, 200)
    }
    const { form } = await untilCode(site, owner)
    const { json } = await postForm(site, '/oauth/token', {
      ...form,
      resource: [`${site.base}/mcp`, 'https://other.example/mcp/'],
    })
    assert.equal(json.error, 'invalid_target')
  })
}
