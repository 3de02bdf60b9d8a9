// The pages for content, media, activity, operations, home and the console, as functions of a site and a visit: no server, no browser.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { showActivity } from '../../src/admin/activity/activity-page.ts'
import { decideApproval, showApprovals } from '../../src/admin/activity/approvals-page.ts'
import { showConsole } from '../../src/admin/console/console-page.ts'
import { showContent } from '../../src/admin/content/list-page.ts'
import { showHome } from '../../src/admin/home/home-page.ts'
import { showLibrary, takeLibraryForm } from '../../src/admin/media/library-page.ts'
import { saveSettings, showSettings } from '../../src/admin/operations/settings-page.ts'
import type { SignedIn } from '../../src/admin/visit.ts'
import type { Reply } from '../../src/http/reply.ts'
import { openTestSite, start, type TestSite } from '../identity/open-test-site.ts'
import { all, attr, parsed, textOf } from './visitor.ts'
import { htmlOf, makeVisit } from './visit.ts'

let on: TestSite
before(async () => (on = await openTestSite()))
after(() => on[Symbol.asyncDispose]())

type Values = Readonly<Record<string, string | readonly string[]>>
type Page = (visit: SignedIn) => Reply | Promise<Reply>

/** The reply of a page, with its elements. */
async function open(page: Page, path: string, form?: { readonly purpose: string; readonly values: Values }, language = 'en') {
  const visit = await makeVisit({ site: on.site, account: on.owner, path, now: start, language, ...(form && { form }) })
  const reply = await page(visit)
  const html = reply.status === 303 ? '' : htmlOf(reply)
  const elements = all(parsed(html))
  const texts = (tag: string): readonly string[] =>
    elements.filter(({ tagName }) => tagName === tag).map((one) => textOf(one).replace(/\s+/g, ' ').trim())
  const hrefs = elements.flatMap((one) => (one.tagName === 'a' ? [attr(one, 'href') ?? ''] : []))
  const named = (name: string) => elements.filter((one) => attr(one, 'name') === name)
  return { status: reply.status, html, texts, hrefs, named }
}

test('the home page of a site without entries lists the next steps, in the language of the visitor', async () => {
  const english = await open(showHome, '/admin/')
  assert.ok(english.texts('h2').includes('What is left to do'))
  const german = await open(showHome, '/admin/', undefined, 'de')
  assert.ok(german.texts('h2').includes('Was noch zu tun ist'), german.texts('h2').join())
})

test('the list of entries has a row per entry with its status, and tells an empty tab from a search without results', async () => {
  const { item } = await on.ok('SVC_Content.create', { type: 'page', title: 'A <b> & c', status: 'published' })
  await on.ok('SVC_Content.create', { type: 'page', title: 'Not yet' })
  const page = await open(showContent, '/admin/content?type=page')
  const rows = page.texts('tr')
  assert.ok(
    rows.some((row) => row.includes('A <b> & c') && row.includes('Published')),
    rows.join(' | '),
  )
  assert.ok(rows.some((row) => row.includes('Not yet') && row.includes('Draft')))
  assert.ok(page.hrefs.includes(`/admin/content/edit?id=${item.id}`))
  assert.match((await open(showContent, '/admin/content?type=page&show=trash')).html, /The trash is empty/)
  const none = await open(showContent, '/admin/content?type=page&search=zebra')
  assert.match(none.html, /Nothing was found/)
  assert.equal(none.texts('table').length, 0)
})

test('activity names what was done to which entry, and links to its undo', async () => {
  const { activity_id: id } = await on.ok('SVC_Content.create', { type: 'page', title: 'Seen' })
  const page = await open(showActivity, '/admin/activity')
  assert.ok(page.texts('li').some((line) => line.startsWith('Created Seen')))
  assert.ok(page.hrefs.includes(`/admin/activity?id=${id}`))
  assert.ok(page.hrefs.includes(`/admin/activity/take-back?ids=${id}`))
  const none = await open(showActivity, '/admin/activity?search=zebra')
  assert.match(none.html, /No change matches/)
})

test('a filter of the activity list is unfolded, keeps its value, and can be removed', async () => {
  const { named, hrefs, html } = await open(showActivity, '/admin/activity?object=%2Fabout')
  assert.equal(attr(named('object')[0] ?? assert.fail('no field'), 'value'), '/about')
  assert.match(html, /<details open>/)
  assert.ok(hrefs.includes('/admin/activity'))
  assert.doesNotMatch((await open(showActivity, '/admin/activity')).html, /<details open>/)
})

test('approvals list what waits; a decision without a selection changes nothing and says so', async () => {
  assert.match((await open(showApprovals, '/admin/approvals')).html, /Nothing is waiting for you/)
  const asks = on.as('content', { ask: ['*'] })
  for (const title of ['One', 'Two']) await on.ok('SVC_Content.create', { type: 'page', title }, asks)
  const page = await open(showApprovals, '/admin/approvals')
  const boxes = page.named('ids')
  assert.equal(boxes.length, 2)
  assert.ok(boxes.every((box) => attr(box, 'checked') === undefined))
  const selected = await open(showApprovals, '/admin/approvals?all=yes')
  assert.ok(selected.named('ids').every((box) => attr(box, 'checked') !== undefined))
  const refused = await open(decideApproval, '/admin/approvals', {
    purpose: 'approvals',
    values: { decide: 'approve', note: 'Fine' },
  })
  assert.equal(refused.status, 400)
  assert.match(refused.html, /First select the proposals to decide on. Nothing was done./)
  assert.equal(refused.named('ids').length, 2, 'both still wait')
  assert.equal(textOf(refused.named('note')[0] ?? assert.fail('no note')).trim(), 'Fine')
})

test('the media library shows files as pictures or as a table; a bulk action without a selection leads to the boxes', async () => {
  assert.match((await open(showLibrary, '/admin/media')).html, /<div class="empty">/)
  const { item } = await on.ok('SVC_Media.upload', { filename: 'notes.txt', text: 'hello' })
  const pictures = await open(showLibrary, '/admin/media')
  assert.ok(pictures.hrefs.includes(`/admin/media/file?id=${item.id}`))
  assert.equal(pictures.texts('table').length, 0)
  const table = await open(showLibrary, '/admin/media?view=table')
  assert.ok(table.texts('tr').some((row) => row.includes('notes.txt')))
  const refused = await open(takeLibraryForm, '/admin/media', { purpose: 'media', values: { do: 'trash' } })
  assert.equal(refused.status, 422)
  assert.ok(refused.hrefs.includes(`#${attr(refused.named('ids')[0] ?? assert.fail('no box'), 'id')}`))
})

test('a refused setting stays in its field, with its fault; a changed one is saved', async () => {
  const send = (values: Values) => open(saveSettings, '/admin/settings', { purpose: 'settings', values })
  const refused = await send({ languages: 'de', posts_per_page: '-3' })
  assert.equal(refused.status, 422)
  const field = refused.named('posts_per_page')[0] ?? assert.fail('no field')
  assert.equal(attr(field, 'value'), '-3')
  assert.equal(attr(field, 'aria-invalid'), 'true')
  assert.equal(attr(refused.named('languages')[0] ?? assert.fail('no field'), 'name'), 'languages')
  assert.equal((await send({ page: 'content', posts_per_page: '7' })).status, 303)
  const saved = await open(showSettings, '/admin/settings?page=content')
  assert.equal(attr(saved.named('posts_per_page')[0] ?? assert.fail('no field'), 'value'), '7')
})

test('the console makes a form from the schema of an action, and links to each action', async () => {
  const list = await open(showConsole, '/admin/console')
  assert.ok(list.hrefs.includes('/admin/console?action=SVC_Content.update'))
  const form = await open(showConsole, '/admin/console?action=SVC_Redirects.create')
  assert.deepEqual(
    ['from', 'to'].map((name) => form.named(`arg.${name}`).length),
    [1, 1],
  )
  assert.ok(form.texts('button').includes('Run SVC_Redirects.create'))
  const none = await open(showConsole, '/admin/console?search=zebra')
  assert.match(none.html, /No action contains these words/)
})
