// The pages in the frames of an approval, asked for as anybody could: they run no script, show only what was shown with the
// proposal, and only to an address that this site made for somebody who still may look.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { openVisitor, ownersPassword, type Visitor } from '../admin/visitor.ts'
import { openSite, type TestSite } from '../site.ts'

for (const database of ['sqlite', 'postgres'] as const)
  describe(`the frames of approvals on ${database}`, () => {
    let site: TestSite
    let owner: Visitor
    let asking: string
    before(async () => {
      site = await openSite({ database })
      owner = openVisitor(site)
      await owner.signIn()
      const made = await site.call('SVC_Tokens.create', { name: 'Helper', scope: 'admin', limits: { ask: ['*'] } })
      asking = (made as { token: string }).token
    })
    after(() => site[Symbol.asyncDispose]())

    let turn = 0
    const publish = async (body: string): Promise<{ id: string; path: string }> =>
      (await site.call('SVC_Content.create', { type: 'page', title: `Page ${++turn}`, body, status: 'published' })).item
    const propose = async (action: string, input: object): Promise<string> => {
      const { json, text } = await site.api(action, { ...input }, { token: asking })
      assert.equal(json.data?.pending, true, text)
      return json.data.proposal.id
    }
    /** The addresses of the frames on a page, by their titles. */
    const framesOf = async (path: string, visitor = owner): Promise<Map<string, string>> => {
      const { text } = await visitor.open(path)
      const frames = [...text.matchAll(/<iframe([^>]*)>/g)].map(([, attributes = '']) => attributes)
      for (const frame of frames) assert.match(frame, /\ssandbox=""/)
      return new Map(
        frames.map((frame) => [
          /title="([^":]*)/.exec(frame)?.[1] ?? '',
          (/src="([^"#]*)/.exec(frame)?.[1] ?? '').replaceAll('&amp;', '&'),
        ]),
      )
    }
    const look = async (url = ''): Promise<{ status: number; text: string; headers: Headers }> => {
      const answer = await fetch(url, { redirect: 'manual' })
      return { status: answer.status, text: await answer.text(), headers: answer.headers }
    }

    test('before, after and marked, without a cookie; nothing keeps them, and the public page stays', async () => {
      const { id, path } = await publish('Open at **nine**.\n\nMondays.')
      const proposal = await propose('SVC_Content.edit', { id, edits: [{ find: 'nine', replace: 'ten' }] })
      const frames = await framesOf(`/admin/approvals?id=${proposal}`)
      assert.deepEqual([...frames.keys()], ['Before', 'After', 'Changes marked'])
      assert.match((await look(frames.get('Before'))).text, /Open at <strong>nine<\/strong>/)
      const shown = await look(frames.get('After'))
      assert.match(shown.text, /Open at <strong>ten<\/strong>/)
      assert.match(
        (await look(frames.get('Changes marked'))).text,
        /<strong><del id="first-change">nine<\/del><ins>ten<\/ins><\/strong>/,
      )
      assert.match(shown.headers.get('cache-control') ?? '', /no-store/)
      assert.match(shown.headers.get('x-robots-tag') ?? '', /noindex/)
      assert.match((await site.send(path, { token: null })).text, /nine/)
    })

    test('a new page, one that goes to the trash and one that is published are shown once', async () => {
      const made = await propose('SVC_Content.create', { type: 'page', title: `New ${turn}`, body: 'Fresh bread.' })
      const fresh = await framesOf(`/admin/approvals?id=${made}`)
      assert.deepEqual([...fresh.keys()], ['The page'])
      assert.match((await look(fresh.get('The page'))).text, /Fresh bread/)
      const { id } = await publish('Stale bread.')
      const trashed = await propose('SVC_Content.delete', { ids: [id] })
      const { text } = await owner.open(`/admin/approvals?id=${trashed}`)
      assert.match(text, /This page goes to the trash\./)
      assert.match((await look((await framesOf(`/admin/approvals?id=${trashed}`)).get('The page'))).text, /Stale bread/)
      const { item: draft } = await site.call('SVC_Content.create', { type: 'page', title: `Draft ${turn}`, body: 'Soon.' })
      const published = await propose('SVC_Content.publish', { id: draft.id })
      assert.match((await owner.open(`/admin/approvals?id=${published}`)).text, /The page itself stays as it is\./)
    })

    test('attack 146: what a stranger wrote runs nowhere: neither in the frame nor in a window of its own', async () => {
      const body = '<script>alert(1)</script><img src=x onerror=alert(1)>\n\n[a](javascript:alert(1)) words'
      const proposal = await propose('SVC_Content.create', { type: 'page', title: '<script>alert(2)</script>', body })
      const page = await owner.open(`/admin/approvals?id=${proposal}`)
      assert.doesNotMatch(page.text, /<script>alert|<img [^>]*onerror/)
      assert.match(page.headers.get('content-security-policy') ?? '', /frame-src 'self'/)
      for (const url of (await framesOf(`/admin/approvals?id=${proposal}`)).values()) {
        const { text, headers } = await look(url)
        assert.doesNotMatch(text, /<script>alert|<img [^>]*onerror|href="javascript:/)
        const policy = headers.get('content-security-policy') ?? ''
        assert.match(policy, /; sandbox$/)
        assert.equal(headers.get('cross-origin-opener-policy'), null, 'browsers refuse both together')
      }
    })

    test('attack 149: a frame shows what the page showed, or nothing: after a further call, another edit, or the decision', async () => {
      const { id } = await publish('One two.')
      const proposal = await propose('SVC_Content.update', { id, body: 'Three.' })
      const first = await framesOf(`/admin/approvals?id=${proposal}`)
      await propose('SVC_Content.update', { id, body: 'Something that nobody saw.' })
      for (const url of first.values()) {
        const { status, text } = await look(url)
        assert.equal(status, 404)
        assert.doesNotMatch(text, /nobody saw/)
      }
      const again = await framesOf(`/admin/approvals?id=${proposal}`)
      assert.match((await look(again.get('After'))).text, /nobody saw/)
      await site.call('SVC_Proposals.reject', { id: proposal })
      assert.equal((await look(again.get('After'))).status, 404)
    })

    test('attack 156: an altered link, and one whose maker may not look any more, shows nothing', async () => {
      const { id } = await publish('Public words.')
      await site.call('SVC_Content.update', { id, body: 'Secret words.', stage: true })
      const email = `eve${turn}@example.org`
      const { link } = await site.call('SVC_Accounts.create', { email, name: 'Eve', role: 'content' })
      const eve = openVisitor(site)
      const form = (await eve.open(link.url ?? link)).form('/new-password')
      assert.equal((await eve.submit(form, { password: ownersPassword })).status, 303)
      const frames = await framesOf(`/admin/content/revisions?id=${id}&from=live&to=staged`, eve)
      const url = frames.get('After') ?? ''
      assert.match((await look(url)).text, /Secret words/)
      const at = url.lastIndexOf('/') + 12
      assert.equal((await look(url.slice(0, at) + (url[at] === 'A' ? 'B' : 'A') + url.slice(at + 1))).status, 404)
      assert.equal((await look(url.replace('/user-content/compared/psc_', '/user-content/preview/psp_'))).status, 404)
      await site.call('SVC_Accounts.update', { id: email, disabled: true })
      assert.equal((await look(url)).status, 404)
      const secret = url.slice(url.lastIndexOf('/') + 5)
      assert.ok(!site.log.some((line) => line.includes(secret)), 'the log masks the link')
    })
  })
