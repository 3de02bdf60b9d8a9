// Comments of visitors, from the form on a page to the page with the comment: attack 171, threads, kept pages, moderation, limits.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { parseAtomFeed } from 'feedsmith'
import { openSite, type TestSite } from '../site.ts'
import { editRows } from '../admin/edit-rows.ts'

let site: TestSite

const see = async (path: string) => site.send(path, { token: null })
const write = (path: string, fields: Readonly<Record<string, string>>) =>
  site.send(path, {
    token: null,
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ do: 'comment', name: 'Ann', text: 'Lovely.', ...fields }).toString(),
  })
const list = async (where: Record<string, unknown> = {}) => (await site.call('SVC_Comments.list', { where })).items
const approve = (id: string, status = 'approved') => site.call('SVC_Comments.moderate', { ids: [id], status })

before(async () => {
  site = await openSite()
  for (const type of ['post', 'page'])
    await site.call('SVC_Content.create', { type, title: `A ${type}`, status: 'published', body: 'Text.' })
})
after(() => site[Symbol.asyncDispose]())

/** Each test begins with no comment, no count, and comments of posts. */
const afresh = async () => {
  await editRows(site.home, 'delete from comment')
  await editRows(site.home, 'delete from sign_in_attempt')
  await site.call('SVC_Settings.update', { set: { comments: null } })
  await site.call('SVC_Settings.update', { set: { comments: ['post'] } })
}

test('comments are off at first, and on for the types of the setting', async () => {
  await site.call('SVC_Settings.update', { set: { comments: null } })
  assert.doesNotMatch((await see('/a-post')).text, /id="comments"/)
  assert.equal((await write('/a-post', {})).status, 403)
  await afresh()
  assert.match((await see('/a-post')).text, /<section class="comments" id="comments"/)
  assert.doesNotMatch((await see('/a-page')).text, /id="comments"/)
  assert.equal((await write('/nothing-here', {})).status, 405)
  const refused = await site.api('SVC_Settings.update', { set: { comments: ['nonsense'] } })
  assert.equal(refused.json.error.code, 'invalid')
})

test('one entry differs from its type: on, closed with what it has, off; programs see the same as visitors', async () => {
  await afresh()
  const choose = (id: string, comments: string | null) => site.call('SVC_Content.update', { id, comments })
  const seen = async () => (await site.api('SVC_Comments.list', {}, { token: null })).json.data.items.length
  await site.call('SVC_Comments.create', { entry: '/a-post', body: 'An early word' })
  const { activity_id: activity } = await choose('/a-post', 'closed')
  const closed = await write('/a-post', {})
  assert.equal(closed.status, 403)
  assert.match(closed.text, /takes no comments any more/)
  const shown = (await see('/a-post')).text
  assert.match(shown, /An early word/)
  assert.doesNotMatch(shown, /class="comment-form"/)
  assert.equal(await seen(), 1)
  const refused = await site.api('SVC_Comments.create', { entry: '/a-post', body: 'Too late' })
  assert.equal(refused.json.error.code, 'refused')
  await choose('/a-post', 'off')
  assert.doesNotMatch((await see('/a-post')).text, /id="comments"|An early word/)
  assert.equal(await seen(), 0)
  await choose('/a-page', 'on')
  assert.match((await see('/a-page')).text, /class="comment-form"/)
  assert.equal((await write('/a-page', { text: 'On a page' })).status, 303)
  await choose('/a-page', null)
  assert.doesNotMatch((await see('/a-page')).text, /id="comments"/)
  await choose('/a-post', null)
  assert.match((await see('/a-post')).text, /class="comment-form"/)
  await choose('/a-post', 'closed')
  const { item: copy } = await site.call('SVC_Content.duplicate', { id: '/a-post' })
  assert.equal((await site.call('SVC_Content.get', { id: copy.id })).item.comments, 'closed')
  await site.call('SVC_Content.update', { id: '/a-post', comments: null })
  await site.call('SVC_Activity.undo', { ids: [activity], force: true })
  assert.equal((await site.call('SVC_Content.get', { id: '/a-post' })).item.comments, null)
  const wrong = await site.api('SVC_Content.update', { id: '/a-post', comments: 'perhaps' })
  assert.equal(wrong.json.error.field, 'comments')
})

test('a comment waits, is on the kept page once it is approved, and leaves it by undo', async () => {
  await afresh()
  const before = await see('/a-post')
  const sent = await write('/a-post', {
    email: 'ann@example.org',
    text: 'One.\r\n\r\nTwo <b>bold</b> https://example.org/a?b=1&c=2.',
  })
  assert.equal(sent.status, 303)
  assert.equal(sent.headers.get('location'), '/a-post?comment=waiting#comments')
  const thanks = await see('/a-post?comment=waiting')
  assert.match(thanks.text, /role="status">Thank you\. Your comment is shown once/)
  assert.equal(thanks.headers.get('cache-control'), 'private, no-store')
  assert.equal((await see('/a-post')).headers.get('etag'), before.headers.get('etag'), 'the page is as it was')
  assert.doesNotMatch((await see('/a-post')).text, /Thank you/)
  const [item] = await list({ status: 'pending' })
  assert.deepEqual([item.name, item.email, item.source], ['Ann', 'ann@example.org', 'visitor'])
  const { activity_id: activity } = await approve(item.id)
  const page = await see('/a-post')
  assert.match(
    page.text,
    /<p>One\.<\/p><p>Two &lt;b&gt;bold&lt;\/b&gt; <a href="https:\/\/example\.org\/a\?b=1&amp;c=2" rel="nofollow ugc">/,
  )
  assert.doesNotMatch(page.text, /ann@example\.org/)
  const open = await site.api('SVC_Comments.list', {}, { token: null })
  assert.equal(open.json.data.items.length, 1)
  assert.ok(!open.text.includes('ann@example.org'))
  assert.deepEqual(open.json.data.from_strangers, ['name', 'email', 'website', 'body'])
  await site.call('SVC_Activity.undo', { ids: [activity] })
  assert.doesNotMatch((await see('/a-post')).text, /One\./)
  assert.equal((await site.api('SVC_Comments.list', {}, { token: null })).json.data.items.length, 0)
})

test('attack 171: markup, links, hidden fields and a thousand links are escaped or spam, with the same thanks', async () => {
  await afresh()
  const spam: readonly Readonly<Record<string, string>>[] = [
    { text: 'A real text', website: 'https://spam.example' },
    { text: 'https://spam.example '.repeat(200) },
    { text: 'Buy', name: 'www.spam.example' },
    { text: '[url=https://spam.example]x[/url]' },
  ]
  for (const fields of spam) assert.equal((await write('/a-post', fields)).status, 303)
  assert.equal((await list({ status: 'spam' })).length, spam.length)
  assert.equal((await list({ status: 'pending' })).length, 0)
  const name = '"><script>alert(1)</script>\u202e'
  assert.equal((await write('/a-post', { name, text: '</p><img src=x onerror=alert(1)> javascript:alert(1)' })).status, 303)
  const [item] = await list({ status: 'pending' })
  await approve(item.id)
  const { text } = await see('/a-post')
  assert.ok(text.includes('&lt;script&gt;alert(1)&lt;/script&gt;'))
  assert.ok(!text.includes('<script>alert') && !text.includes('<img src=x') && !text.includes('\u202e'))
  assert.ok(!text.includes('href="javascript:'))
  for (const { id } of await list({ status: 'spam' })) await approve(id)
  const links = (await see('/a-post')).text.match(/<a href="https:\/\/spam\.example[^>]*>/g) ?? []
  assert.ok(links.length > 100 && links.every((link) => link.endsWith('rel="nofollow ugc">')))
})

test('faults stand at their fields with what was typed, and the sixth comment within ten minutes waits', async () => {
  await afresh()
  const empty = await write('/a-post', { name: ' \u200b', email: 'nowhere', text: 'Kept <text>' })
  assert.equal(empty.status, 422)
  assert.match(empty.text, /id="write-comment-name-fault" role="alert">Please write your name/)
  assert.match(empty.text, /id="write-comment-email-fault" role="alert">This is no e-mail address/)
  assert.match(empty.text, /<textarea [^>]*>\nKept &lt;text&gt;<\/textarea>/)
  assert.equal(empty.headers.get('cache-control'), 'private, no-store')
  const long = await write('/a-post', { text: 'ü'.repeat(5001) })
  assert.equal(long.status, 422)
  assert.match(long.text, /at most 5000 characters; this one has 5001/)
  assert.equal((await write('/a-post', { text: 'x'.repeat(200_000) })).status, 422)
  for (let n = 0; n < 5; n++) assert.equal((await write('/a-post', { text: `Comment ${n}` })).status, 303)
  const blocked = await write('/a-post', { text: 'The sixth' })
  assert.equal(blocked.status, 429)
  assert.ok(Number(blocked.headers.get('retry-after')) > 0)
  assert.match(blocked.text, /These were too many comments at once\. Please send it again in 10 minutes/)
  assert.match(blocked.text, /<textarea [^>]*>\nThe sixth<\/textarea>/)
  assert.equal((await list()).length, 5)
})

test('a form that is sent twice is one comment', async () => {
  await afresh()
  for (let n = 0; n < 2; n++) assert.equal((await write('/a-post', { text: 'Once' })).status, 303)
  assert.equal((await list()).length, 1)
})

test('threads have two levels: an answer to an answer stands beside it, and is hidden with its comment', async () => {
  await afresh()
  await write('/a-post', { text: 'First' })
  const [first] = await list()
  await write('/a-post', { text: 'Too early', reply_to: first.id })
  assert.equal((await list({ reply_to: { exists: true } })).length, 0, 'what is not shown is not answered')
  await approve(first.id)
  await write('/a-post', { text: 'Second', reply_to: first.id })
  const [second] = await list({ reply_to: first.id })
  await approve(second.id)
  const { item: third } = await site.call('SVC_Comments.create', { entry: '/a-post', body: 'Third', reply_to: second.id })
  assert.equal(third.reply_to, first.id)
  assert.equal(third.status, 'approved')
  const { text } = await see('/a-post')
  assert.match(text, /First[^]*<ol>[^]*Second[^]*Third[^]*<\/ol>/)
  assert.match(text, /class="by own">Owner</)
  await approve(first.id, 'trash')
  assert.doesNotMatch((await see('/a-post')).text, /Second|Third/)
})

test('comments are changed, purged from spam and trash alone, and gone from the activity', async () => {
  await afresh()
  await write('/a-post', { text: 'The secret word' })
  const [item] = await list()
  const refused = await site.api('SVC_Comments.purge', { ids: [item.id], expect: 1 })
  assert.equal(refused.json.error.code, 'refused')
  await site.call('SVC_Comments.update', { id: item.id, body: 'The other word' })
  await approve(item.id, 'trash')
  const purged = await site.call('SVC_Comments.purge', { ids: [item.id], expect: 1 })
  assert.deepEqual(purged.done, [item.id])
  for (const { id } of (await site.call('SVC_Activity.list', { limit: 5 })).items)
    assert.doesNotMatch(JSON.stringify(await site.call('SVC_Activity.get', { id })), /secret word|other word/)
})

test('a page with a password has no comments, for visitors and for programs', async () => {
  await afresh()
  await site.call('SVC_Comments.create', { entry: '/a-post', body: 'Hushword' })
  await site.call('SVC_Content.update', { id: '/a-post', password: 'swordfish & chips' })
  assert.doesNotMatch((await see('/a-post')).text, /Hushword/)
  assert.equal((await site.api('SVC_Comments.list', {}, { token: null })).json.data.items.length, 0)
  assert.equal((await write('/a-post', {})).status, 405)
  await site.call('SVC_Content.update', { id: '/a-post', password: null })
  assert.match((await see('/a-post')).text, /Hushword/)
})

test('feeds of comments: of the site and of an entry, announced, kept, with what visitors see and nothing else', async () => {
  await site.call('SVC_Settings.update', { set: { comments: null } })
  assert.equal((await see('/comments.xml')).status, 404, 'no feed while comments are off')
  assert.doesNotMatch((await see('/')).text, /comments\.xml/)
  await afresh()
  assert.deepEqual(parseAtomFeed((await see('/comments.xml')).text).entries ?? [], [])
  await write('/a-post', { name: 'Ann & <b>', email: 'ann@example.org', text: 'See <i> https://example.org/x' })
  await write('/a-post', { text: 'Still waiting' })
  const [first] = await list({ name: 'Ann & <b>' })
  const before = await see('/comments.xml')
  assert.doesNotMatch(before.text, /Ann|Still waiting/)
  await approve(first.id)
  const { item: answer } = await site.call('SVC_Comments.create', { entry: '/a-post', body: 'An answer', reply_to: first.id })
  const kept = await see('/comments.xml')
  assert.equal(kept.headers.get('content-type'), 'application/atom+xml; charset=utf-8')
  assert.equal(kept.headers.get('cache-control'), 'no-cache')
  const again = await site.send('/comments.xml', { token: null, headers: { 'if-none-match': kept.headers.get('etag') ?? '' } })
  assert.equal(again.status, 304)
  assert.doesNotMatch(kept.text, /ann@example\.org|Still waiting/)
  const feed = parseAtomFeed(kept.text)
  assert.equal(feed.title?.value, 'Comments – My site')
  const [newest, older] = feed.entries ?? []
  assert.equal(older?.title?.value, 'Ann & <b>: A post')
  assert.equal(older?.authors?.[0]?.name, 'Ann & <b>')
  assert.equal(
    older?.content?.value,
    '<p>See &lt;i&gt; <a href="https://example.org/x" rel="nofollow ugc">https://example.org/x</a></p>',
  )
  const at = (id: string) => `${site.base}/a-post#c-${id}`
  assert.equal(newest?.id, at(answer.id))
  assert.equal(newest?.thr?.inReplyTos?.[0]?.ref, at(first.id))
  const own = parseAtomFeed((await see('/a-post/comments.xml')).text)
  assert.equal(own.title?.value, 'Comments: A post – My site')
  assert.equal(own.entries?.length, 2)
  assert.equal((await see('/a-page/comments.xml')).status, 404)
  assert.equal((await see('/nothing/comments.xml')).status, 404)
  const page = (await see('/a-post')).text
  for (const path of ['/a-post/comments.xml', '/comments.xml'])
    assert.ok(page.includes(`type="application/atom+xml" title="Comments`) && page.includes(`href="${site.base}${path}"`))
  assert.match((await see('/')).text, /\/comments\.xml/)
  await approve(first.id, 'trash')
  assert.deepEqual(parseAtomFeed((await see('/comments.xml')).text).entries ?? [], [], 'an answer goes with its comment')
  await approve(first.id)
  await site.call('SVC_Content.update', { id: '/a-post', password: 'swordfish & chips' })
  assert.doesNotMatch((await see('/comments.xml')).text, /An answer/)
  assert.notEqual((await see('/a-post/comments.xml')).status, 200)
  await site.call('SVC_Content.update', { id: '/a-post', password: null, comments: 'off' })
  assert.doesNotMatch((await see('/comments.xml')).text, /An answer/)
  await site.call('SVC_Content.update', { id: '/a-post', comments: null })
})
