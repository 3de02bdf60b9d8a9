// Old addresses of an imported site as visitors meet them, on both engines: by number and by path, in one hop, wherever the thing has
// moved since.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openSite, type TestSite } from '../site.ts'

const drawing = (name: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><title>${name}</title><circle r="4"/></svg>`
const from = 'https://old.example.org/magazin'

type Row = readonly [kind: string, old: string, to: string]

const written: readonly Row[] = [
  ['item', '123', '/about'],
  ['item', '9', '/team'],
  ['item', '55', '/media/hat.svg'],
  ['term', '5', 'category/local'],
  ['item', '70', '/draft'],
  ['item', '71', '/private'],
  ['item', '72', '/later'],
  ['item', '73', '/media/held.svg'],
  ['path', '/2019/05/%C3%BCber-uns/', '/about'],
  ['path', `/2019/05/${'%e6%bc%a2'.repeat(60)}/`, '/about'],
  ['path', 'https://old.example.org/Archiv/Alt.HTML', '/about'],
  ['path', '/category/news/local/', 'category/local'],
  ['path', '/2019/05/ueber-uns/hat/', '/media/hat.svg'],
  ['path', '/wp-content/uploads/2019/05/hat.svg', '/media/hat.svg'],
  ['path', '/wp-content/uploads/2019/05/cat-300x200.jpg', '/media/cat-small.svg'],
  ['path', '/wp-content/uploads/2019/05/cat.jpg', '/media/cat.svg'],
  ['path', '/wp-content/uploads/2019/05/dog-scaled.jpg', '/media/hat.svg'],
  ['path', '/content/images/2024/02/fish.png', '/media/hat.svg'],
  ['path', '/start', '/home'],
  ['path', '/old-draft', '/draft'],
  ['path', '/old-private', '/private'],
  ['path', '/old-later', '/later'],
  ['path', '/old-held.jpg', '/media/held.svg'],
]

/** The way from an old address: the path of the answer's `location`, or null for 404. */
const ways: readonly (readonly [path: string, location: string | null])[] = [
  ['/?p=123', '/about'],
  ['/?p=123&utm_source=mail&utm_medium=x', '/about?utm_source=mail&utm_medium=x'],
  ['/?post_type=book&p=123', '/about'],
  ['/index.php?p=123', '/about'],
  ['/magazin?p=123', '/about'],
  ['/magazin/?page_id=9', '/staff'],
  ['/?page_id=9', '/staff'],
  ['/?p=0009', '/staff'],
  ['/?attachment_id=55', '/media/hat.svg'],
  ['/?cat=5', '/category/local'],
  ['/?p=9999', null],
  ['/2019/05/%C3%BCber-uns/', '/about'],
  ['/2019/05/%c3%bcber-uns', '/about'],
  ['/2019/05/u%CC%88ber-uns', '/about'],
  ['/2019/05/%C3%9CBER-uns/?utm_source=x', '/about?utm_source=x'],
  [`/2019/05/${'%E6%BC%A2'.repeat(60)}/`, '/about'],
  ['/Archiv/Alt.HTML', '/about'],
  ['/category/news/local/', '/category/local'],
  ['/Category/News/local/', '/category/local'],
  ['/2019/05/ueber-uns/hat/', '/media/hat.svg'],
  ['/wp-content/uploads/2019/05/hat.svg', '/media/hat.svg'],
  ['/wp-content/uploads/2019/05/cat-300x200.jpg', '/media/cat-small.svg'],
  ['/wp-content/uploads/2019/05/cat-1024x768.jpg', '/media/cat.svg'],
  ['/wp-content/uploads/2019/05/cat-scaled-e1590000000000.jpg', null],
  ['/wp-content/uploads/2019/05/cat-e1590000000000-150x150.jpg', '/media/cat.svg'],
  ['/wp-content/uploads/2019/05/dog-150x150.jpg', '/media/hat.svg'],
  ['/wp-content/uploads/2019/05/dog.jpg', '/media/hat.svg'],
  ['/content/images/size/w600/2024/02/fish.png', '/media/hat.svg'],
  ['/content/images/size/w1000/format/webp/2024/02/fish.png', '/media/hat.svg'],
  ['/content/images/2024/02/fish_o.png', '/media/hat.svg'],
  ['/start', '/'],
  ['/feed/', '/feed.xml'],
  ['/feed/atom/', '/atom.xml'],
  ['/rss/', '/feed.xml'],
  ['/2019/feed/', '/feed.xml'],
  ['/2019/05/feed/', '/feed.xml'],
  ['/blog/2019/5/12/feed/atom/', '/atom.xml'],
  ['/comments/feed/', '/feed.xml'],
  ['/feed/rss2/', '/feed.xml'],
  ['/comments/feed/atom/', '/atom.xml'],
  ['/wp-rss2.php', '/feed.xml'],
  ['/wp-atom.php', '/atom.xml'],
  ['/index.xml', '/feed.xml'],
  ['/rss.xml', '/feed.xml'],
  ['/rss2.xml', '/feed.xml'],
  ['/atom', '/atom.xml'],
  ['/feed/feed.json', '/feed.json'],
  ['/feeds/all.atom.xml', '/atom.xml'],
  ['/feeds/posts/default', '/atom.xml'],
  ['/posts/index.xml', '/posts/feed.xml'],
  ['/posts/feed/', '/posts/feed.xml'],
  ['/blog/index.xml', '/feed.xml'],
  ['/news/atom.xml', '/atom.xml'],
  ['/about/index.xml', '/feed.xml'],
  ['/dish/index.xml', '/dish/feed.xml'],
  ['/author/jo/rss/', '/author/jo/feed.xml'],
  ['/nothing/index.xml', null],
  ['/nothing/feed.xml', null],
  ['/?feed=rss2', '/feed.xml'],
  ['/?feed=comments-rss2', '/feed.xml'],
  ['/index.php?feed=atom&x=1', '/atom.xml?x=1'],
  ['/?feed=rss2&cat=5', '/category/local/feed.xml'],
  ['/?feed=rss2&p=123', '/about'],
  ['/category/news/local/index.xml', '/category/local/feed.xml'],
  ['/category/news/local/atom.xml', '/category/local/atom.xml'],
  ['/category/local/feed/', '/category/local/feed.xml'],
  ['/category/news/local/feed/', '/category/local/feed.xml'],
  ['/category/nothing/feed/', null],
  ['/2019/05/%C3%BCber-uns/feed/', '/about'],
  ['/ABOUT', '/about'],
]

/** Addresses of things that nobody may see (attack 89). */
const hidden = ['/?p=70', '/?p=71', '/?p=72', '/?attachment_id=73', '/old-draft', '/old-private', '/old-later', '/old-held.jpg']

async function fill(site: TestSite): Promise<void> {
  for (const name of ['hat', 'cat', 'cat-small', 'held'])
    await site.call('SVC_Media.upload', { text: drawing(name), filename: `${name}.svg`, alt: 'A drawing' })
  await site.call('SVC_Media.update', { id: '/media/held.svg', protected: true })
  await site.call('SVC_Terms.create', { taxonomy: 'category', name: 'Local' })
  for (const [title, status] of [
    ['About', 'published'],
    ['Team', 'published'],
    ['Home', 'published'],
    ['Draft', 'draft'],
    ['Private', 'private'],
    ['Later', 'scheduled'],
  ])
    await site.call('SVC_Content.create', {
      type: 'page',
      title,
      status,
      ...(status === 'scheduled' && { published_at: '2099-01-01T00:00:00Z' }),
    })
  await site.call('SVC_Settings.update', { set: { home: '/home' } })
  await site.call('SVC_Accounts.create', { email: 'jo@example.org', name: 'Jo', role: 'content' })
  await site.call('SVC_Accounts.update', { id: 'jo@example.org', public: true, slug: 'jo' })
  await site.call('SVC_Types.create', { slug: 'dish', name: 'Dishes', feed: true })
  await site.call('SVC_Content.create', { type: 'dish', title: 'Soup', status: 'published' })
  const rows = written.map(([kind, old, to]) => ({ site: from, kind, old, to }))
  const done = await site.call('SVC_Redirects.put-old', { rows })
  assert.deepEqual([done.counts.done, done.passed_over], [rows.length, []])
  await site.call('SVC_Content.update', { id: '/team', slug: 'staff' })
}

for (const [database, basePath] of [
  ['sqlite', ''],
  ['postgres', '/blog'],
] as const)
  test(`old addresses lead to the present one in one hop, and attack 89: tell nothing of what is hidden (${database})`, async () => {
    await using site = await openSite({ database, basePath })
    const ask = (path: string) => site.send(path, { token: null })
    assert.equal((await ask('/?p=123')).status, 200, 'nothing was imported yet')
    await fill(site)
    for (const [path, location] of ways) {
      const { status, headers } = await ask(path)
      const at = location && basePath + location
      assert.deepEqual([status, headers.get('location')], [at === null ? 404 : 301, location === '/' ? `${basePath}/` : at], path)
      if (location !== null) assert.equal((await ask(location)).status, 200, `${location} is the end`)
    }
    assert.equal((await ask('/?utm_source=x')).status, 200)
    assert.equal((await ask('/about?p=123')).status, 200, 'numbers are read at the home page only')
    const unknown = { number: await ask('/?p=424242'), path: await ask('/unknown') }
    for (const path of hidden) {
      const answer = await ask(path)
      const like = path.includes('?') ? unknown.number : unknown.path
      assert.deepEqual([answer.status, answer.text.length], [404, like.text.length], path)
      assert.deepEqual(namesOf(answer.headers), namesOf(like.headers), path)
    }
    await site.call('SVC_Content.publish', { id: '/draft' })
    assert.equal((await ask('/?p=70')).headers.get('location'), `${basePath}/draft`, 'found once it is public')
    const { activity_id: id } = await site.call('SVC_Redirects.put-old', {
      rows: [{ site: from, kind: 'path', old: '/once/', to: '/about' }],
    })
    assert.equal((await ask('/once')).status, 301)
    await site.call('SVC_Activity.undo', { ids: [id] })
    assert.equal((await ask('/once')).status, 404, 'an undo takes the row back')
    await site.call('SVC_Terms.create', { taxonomy: 'category', name: 'Near' })
    await site.call('SVC_Terms.merge', { ids: ['category/local'], into: 'category/near' })
    assert.equal((await ask('/?cat=5')).headers.get('location'), `${basePath}/category/near`, 'a merge takes it along')
  })

const namesOf = (headers: Headers): readonly string[] => [...headers.keys()].filter((name) => name !== 'etag').sort()
