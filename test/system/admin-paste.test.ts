// The address that turns copied HTML into Markdown for the editor. The script itself is tried in a browser.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openVisitor, type Visitor } from '../admin/visitor.ts'
import { openSite, type TestSite } from '../site.ts'

let site: TestSite
let owner: Visitor
before(async () => {
  // On a busy machine a long text takes longer than the usual time.
  site = await openSite({ env: { POSTERN_RENDER_SECONDS: '60' } })
  owner = openVisitor(site)
  await owner.signIn()
})
after(() => site[Symbol.asyncDispose]())

async function paste(html: string, more: Readonly<Record<string, string>> = {}) {
  const form = (await owner.open('/admin/content/new?type=page')).form('new?type=page')
  const { status, text } = await owner.submit({ ...form, action: '/admin/content/paste' }, { html, ...more })
  return { status, answer: JSON.parse(text) as Record<string, unknown> }
}

test('copied HTML comes back as Markdown, with links of the site as paths', async () => {
  const html = `<p>a <b>b</b> <a href="${site.base}/about">c</a><img src="https://other.example/x.png"></p>`
  assert.deepEqual(await paste(html), {
    status: 200,
    answer: {
      markdown: 'a **b** [c](/about)[x.png](https://other.example/x.png)',
      elsewhere: ['https://other.example/x.png'],
      missing: 0,
    },
  })
})

test('footnotes get labels that the text does not have', async () => {
  const html = '<p>a<a id="r1" href="#n1">1</a></p><p><a id="n1" href="#r1">1</a> b</p>'
  assert.equal((await paste(html, { notes: '1 x 2' })).answer['markdown'], 'a[^3]\n\n[^3]: b')
})

const refusals: readonly { readonly rule: string; readonly html: string; readonly status: number; readonly message: string }[] = [
  { rule: 'more than 1 MB', html: 'a'.repeat(1024 * 1024 + 1), status: 413, message: 'More than 1 MB was pasted.' },
  { rule: 'deep nesting', html: '<div>'.repeat(2000), status: 422, message: 'The formatting could not be read.' },
  {
    rule: 'Markdown of more than a text may have',
    html: `${'<blockquote>'.repeat(10)}${'<hr>'.repeat(60_000)}`,
    status: 413,
    message: 'More than 1 MB was pasted.',
  },
]
for (const { rule, html, status, message } of refusals)
  test(`a paste is refused with a sentence: ${rule}`, async () => {
    assert.deepEqual(await paste(html), { status, answer: { message } })
  })

test('1 MB of HTML is converted beside other requests, which do not wait for it', async () => {
  const html = '<p>word <b>bold</b></p>'.repeat(40_000)
  const pasted = await paste(html)
  assert.equal(String(pasted.answer['markdown']).length, 'word **bold**\n\n'.length * 40_000 - 2)
})

test('a browser that is not signed in is refused', async () => {
  const stranger = openVisitor(site)
  const form = (await owner.open('/admin/content/new?type=page')).form('new?type=page')
  assert.equal((await stranger.submit({ ...form, action: '/admin/content/paste' }, { html: '<b>a</b>' })).status, 403)
})
