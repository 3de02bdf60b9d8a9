// The frames of the admin that show the site in a theme: what their links show, and what they refuse.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openVisitor, type Visitor } from '../admin/visitor.ts'
import { openSite, type TestSite } from '../site.ts'

let site: TestSite
let owner: Visitor
before(async () => {
  site = await openSite()
  owner = openVisitor(site)
  await owner.signIn()
  await site.call('SVC_Content.create', { type: 'post', title: 'Rye bread', status: 'published', body: 'Baked at four.' })
})
after(() => site[Symbol.asyncDispose]())

const framesOf = (text: string): readonly string[] =>
  [...text.matchAll(/<iframe[^>]*\ssrc="([^"]*)"/g)].map(([, src = '']) => src)
const at = (address: string) => site.send(address.slice(site.base.length), { token: null })

test('the page of themes shows the home page in each, and the visitors’ theme stays', async () => {
  const { text, headers } = await owner.open('/admin/themes')
  const frames = framesOf(text)
  const { items } = await site.call('SVC_Themes.list')
  assert.equal(frames.length, items.length)
  assert.match(headers.get('content-security-policy') ?? '', /frame-src 'self'/)
  assert.ok(
    [...text.matchAll(/<iframe[^>]*>/g)].every(([frame]) => frame.includes('sandbox=""')),
    'attack 146',
  )
  for (const address of frames) {
    const { status, text: shown, headers: own } = await at(address)
    assert.deepEqual([status, own.get('x-robots-tag')], [200, 'noindex, nofollow'])
    assert.match(shown, /Rye bread|My site/)
  }
  assert.ok((await site.call('SVC_Themes.get', { id: 'default' })).item.active)
})

test('settings are shown before they are saved, and a wrong one is told', async () => {
  const page = await owner.open('/admin/themes/edit?id=default')
  const form = page.forms.find(({ fields }) => fields['do'] === 'configure')
  assert.ok(form)
  const look = async (values: Readonly<Record<string, string>>) => {
    const { status, text } = await owner.submit({ ...form, action: '/admin/themes/look' }, values)
    return { status, answer: JSON.parse(text) as { url?: string; message?: string } }
  }
  const { status, answer } = await look({ 'setting-accent': '#aa0011' })
  assert.equal(status, 200)
  assert.match((await site.send(answer.url ?? '', { token: null })).text, /--accent:#aa0011/)
  assert.doesNotMatch((await site.send('/', { token: null })).text, /#aa0011/)
  const wrong = await look({ 'setting-accent': 'red;}</style><script>' })
  assert.equal(wrong.status, 422)
  assert.match(wrong.answer.message ?? '', /must be a colour/)
})

test('a forged link shows nothing, and another site’s reader sees none', async () => {
  const [address = ''] = framesOf((await owner.open('/admin/themes')).text)
  assert.equal((await at(address.replace('psl_', 'psv_'))).status, 404)
  assert.equal((await at(address.replace(/psl_.{5}/, 'psl_AAAAA'))).status, 404)
  const stranger = openVisitor(site)
  assert.notEqual((await stranger.open('/admin/themes/look')).status, 200)
})
