// The page of checks, without a browser: what the check of the whole site found, and the buttons that mend it.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openVisitor, type Page, type Visitor } from '../admin/visitor.ts'
import { openSite, type TestSite } from '../site.ts'
import { until } from '../until.ts'

let site: TestSite
let owner: Visitor
before(async () => {
  site = await openSite()
  owner = openVisitor(site)
  await owner.signIn()
})
after(() => site[Symbol.asyncDispose]())

async function checkAll(): Promise<Page> {
  const sent = await owner.submit((await owner.open('/admin/checks')).form('/admin/checks'))
  assert.match(sent.location, /^\/admin\/checks\?job=/)
  let page = await owner.follow(sent)
  await until('the check is done', async () => {
    if (page.text.includes('data-running')) page = await owner.follow(sent)
    return !page.text.includes('data-running')
  })
  return page
}

test('the page says what the check found, leads to the place, mends what a call can mend, and the home page counts broken links', async () => {
  assert.match((await owner.open('/admin/checks')).text, /Nothing has been checked yet/)
  assert.match((await checkAll()).text, /There is nothing to fix/)
  const body = 'Go to [the shop](/nowhere).\n\n#### Deep\n\nWords.'
  const { item } = await site.call('SVC_Content.create', { type: 'page', title: '<b>Shop', body, status: 'published' })
  assert.doesNotMatch((await owner.open('/admin/')).text, /broken link/)
  const page = await checkAll()
  assert.match(page.text, /&lt;b&gt;Shop<\/a>/)
  assert.match(page.text, /There is no page \/nowhere\./)
  assert.match(page.text, new RegExp(`/admin/content/edit\\?id=${item.id}&amp;find=%2Fnowhere#f-body`))
  const home = await owner.open('/admin/')
  assert.match(home.text, /The last check found 1 broken link\./)
  const links = await owner.open('/admin/checks?rule=links')
  assert.match(links.text, /There is no page \/nowhere\./)
  assert.doesNotMatch(links.text, /#### Deep/)

  const mending = page.forms.filter(({ fields }) => fields['do'] === 'fix')
  assert.equal(mending.length, 2, 'the heading and the summary, and no broken link')
  const done = await owner.follow(await owner.submit(mending[0] ?? assert.fail()))
  assert.match(done.text, /Fixed\./)
  assert.match(done.text, /has changed since the check/)
  assert.match((await site.call('SVC_Content.get', { id: item.id })).item.body as string, /\n## Deep/)
  const again = await owner.follow(await owner.submit(mending[0] ?? assert.fail()))
  assert.match(again.text, /Nothing was fixed: it has changed since the check/)
})

test('one button fixes all that a call can fix, also in menus, theme and redirects, leaves what has changed, and checks again', async () => {
  const page = async (slug: string, body: string) =>
    (await site.call('SVC_Content.create', { type: 'page', title: slug, slug, body, excerpt: 'x', status: 'published' })).item.id
  const [team, one, two] = [await page('team', ''), await page('one', '# One'), await page('two', '# Two')]
  await site.call('SVC_Content.move', { id: team, slug: 'crew' })
  const items = [{ id: 'team', label: 'Team & <co>', url: '/team' }]
  const menu = (await site.call('SVC_Menus.create', { slug: 'main', name: 'Main', location: 'main', items })).item.id
  await site.call('SVC_Themes.configure', { id: 'default', settings: { hero_link: '/team' } })
  await site.call('SVC_Redirects.create', { from: '/van', to: '/team' })
  const found = await checkAll()
  for (const place of [`/admin/menus/edit?id=${menu}`, '/admin/themes/edit?id=default', '/admin/redirects?search=%2Fvan'])
    assert.ok(found.text.includes(`href="${place}"`), place)
  assert.match(found.text, /<code>Team &amp; &lt;co&gt;<\/code>/)
  const all = found.forms.find(({ fields }) => fields['do'] === 'all') ?? assert.fail()
  const count = Number(/Fix all (\d+) that can be fixed/.exec(found.text)?.[1])
  assert.equal(count, found.forms.filter(({ fields }) => fields['do'] === 'fix').length)
  await site.call('SVC_Content.update', { id: two, body: '## Two, by hand' })
  const sent = await owner.submit(all)
  assert.match(sent.location, /^\/admin\/checks\?job=.*done=content\.done_fixed_some/)
  assert.match((await owner.follow(sent)).text, new RegExp(`${count - 1} findings were fixed`))
  assert.equal((await site.call('SVC_Content.get', { id: one })).item.body, '## One')
  assert.equal((await site.call('SVC_Content.get', { id: two })).item.body, '## Two, by hand')
  assert.equal((await site.call('SVC_Menus.get', { id: 'main' })).item.items[0].url, '/crew')
  assert.equal((await site.call('SVC_Redirects.get', { id: '/van' })).item.to, '/crew')
  assert.doesNotMatch((await checkAll()).text, /name="do" value="(?:all|mend)"/)
  const { items: records } = await site.call('SVC_Activity.list', { limit: 1, where: { call: 'SVC_Content.fix' } })
  await site.call('SVC_Activity.undo', { ids: [records[0].id] })
  assert.equal((await site.call('SVC_Menus.get', { id: 'main' })).item.items[0].url, '/team')
  assert.equal((await site.call('SVC_Content.get', { id: one })).item.body, '# One')
})

test('a job of another action, a foreign finding and an unknown job mend nothing', async () => {
  const { form } = await checkAll()
  const { csrf = '' } = form('/admin/checks').fields
  for (const [job, at] of [
    ['unknown', '0'],
    ['', '0'],
  ])
    assert.equal((await owner.submit(form('/admin/checks'), { csrf, do: 'fix', job, at })).status, 404)
  assert.equal((await owner.open('/admin/checks?job=unknown')).status, 404)
})
