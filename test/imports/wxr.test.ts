// The reader of WordPress exports, on files as they really are: broken, cut, in several parts.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { wxrFormat } from '../../src/imports/readers/wxr/wxr.ts'
import { partsOf, partsOfKind, sourceOf } from './parts.ts'

const cdata = (text: string) => `<![CDATA[${text}]]>`

interface Item {
  readonly [element: string]: string
}

function item(fields: Item, more = ''): string {
  const all = { title: 'Rye', 'wp:post_id': '1', 'wp:post_type': 'post', 'wp:status': 'publish', ...fields }
  return `<item>${Object.entries(all)
    .map(([name, value]) => `<${name}>${value}</${name}>`)
    .join('')}${more}</item>`
}

const meta = (key: string, value: string) =>
  `<wp:postmeta><wp:meta_key>${cdata(key)}</wp:meta_key><wp:meta_value>${cdata(value)}</wp:meta_value></wp:postmeta>`

const channel = (content: string) =>
  `<?xml version="1.0" encoding="UTF-8" ?>\n<rss version="2.0" xmlns:wp="http://wordpress.org/export/1.2/"><channel>
<title>Bakery &amp; Co</title><link>https://old.example/shop/</link><description>Bread</description><language>de-DE</language>
<wp:wxr_version>1.2</wp:wxr_version><wp:base_site_url>http://wordpress.com/</wp:base_site_url>
<wp:base_blog_url>https://www.old.example/shop</wp:base_blog_url>${content}</channel></rss>`

const read = (content: string, pieceBytes?: number) =>
  partsOf(wxrFormat, sourceOf({ 'export.xml': channel(content) }, pieceBytes))

const entriesOf = async (content: string) => partsOfKind(await read(content), 'entry')

test('site, authors and terms are read, also in pieces that divide characters', async () => {
  const content =
    `<wp:author><wp:author_id>3</wp:author_id><wp:author_login>${cdata('jörg')}</wp:author_login>` +
    `<wp:author_email>j@old.example</wp:author_email><wp:author_display_name>${cdata('Jörg Müller')}</wp:author_display_name></wp:author>` +
    `<wp:category><wp:term_id>5</wp:term_id><wp:category_nicename>brot</wp:category_nicename><wp:category_parent/>` +
    `<wp:cat_name>${cdata('Brot &amp; mehr')}</wp:cat_name></wp:category>` +
    `<wp:category><wp:term_id>6</wp:term_id><wp:category_nicename>r%c3%bcben</wp:category_nicename>` +
    `<wp:category_parent>brot</wp:category_parent><wp:cat_name>Rüben</wp:cat_name></wp:category>`
  const parts = await read(content, 7)
  const [site] = partsOfKind(parts, 'site')
  assert.deepEqual(
    { key: site?.key, title: site?.title, url: site?.url, language: site?.language },
    { key: 'old.example/shop', title: 'Bakery & Co', url: 'https://www.old.example/shop', language: 'de-DE' },
  )
  const [author] = partsOfKind(parts, 'author')
  assert.equal(author?.name, 'Jörg Müller')
  assert.deepEqual(author?.addresses, ['/author/j%C3%B6rg/', '/?author=3'])
  assert.deepEqual(
    partsOfKind(parts, 'term').map(({ slug, name, parent, addresses }) => ({ slug, name, parent, addresses })),
    [
      { slug: 'brot', name: 'Brot & mehr', parent: undefined, addresses: ['/category/brot/'] },
      { slug: 'rüben', name: 'Rüben', parent: 'brot', addresses: ['/category/brot/r%c3%bcben/'] },
    ],
  )
})

test('dates are UTC where the file has it, else the clock of the site; the commonest offset is a hint', async () => {
  const parts = await read(
    item({ 'wp:post_date': '2024-05-01 10:00:00', 'wp:post_date_gmt': '2024-05-01 08:00:00' }) +
      item({ 'wp:post_id': '2', 'wp:post_date': '2024-01-01 10:00:00', 'wp:post_date_gmt': '2024-01-01 17:00:00' }) +
      item({ 'wp:post_id': '3', 'wp:post_date': '2024-05-01 10:00:00', 'wp:post_date_gmt': '2024-05-01 08:00:00' }) +
      item({ 'wp:post_id': '4', 'wp:post_date': '2024-05-02 10:00:00', 'wp:post_date_gmt': '0000-00-00 00:00:00' }) +
      item({
        'wp:post_id': '5',
        'wp:status': 'draft',
        pubDate: 'Wed, 30 Nov -0001 00:00:00 +0000',
        'wp:post_date': '0000-00-00 00:00:00',
        'wp:post_date_gmt': '0000-00-00 00:00:00',
      }),
  )
  assert.deepEqual(
    partsOfKind(parts, 'entry').map(({ publishedAt }) => publishedAt),
    [
      { utc: Date.UTC(2024, 4, 1, 8) },
      { utc: Date.UTC(2024, 0, 1, 17) },
      { utc: Date.UTC(2024, 4, 1, 8) },
      { local: '2024-05-02T10:00:00' },
      undefined,
    ],
  )
  assert.equal(partsOfKind(parts, 'site').at(-1)?.offsetMinutes, 120)
})

test('what was not public stays so: private, with a password, for subscribers (attack 164)', async () => {
  const entries = await entriesOf(
    item({ 'wp:status': 'private' }) +
      item({ 'wp:post_password': 'secret' }) +
      item({}, meta('_jetpack_newsletter_access', 'paid_subscribers')) +
      item({ 'wp:status': 'trash' }) +
      item({ 'wp:status': 'wc-completed' }),
  )
  assert.deepEqual(
    entries.map(({ status, heldBecause }) => heldBecause ?? status),
    ['private', 'password', 'members', 'draft'],
  )
  assert.ok(!JSON.stringify(entries).includes('secret'))
})

test('addresses: the link, former slugs, and the short links of all old mails', async () => {
  const [post, page] = await entriesOf(
    item(
      { link: 'https://old.example/2019/05/rye/', 'wp:post_name': 'rye', 'wp:post_id': '12' },
      meta('_wp_old_slug', 'r%c3%bcgen') + meta('_wp_old_slug', 'dark'),
    ) + item({ 'wp:post_type': 'page', link: 'https://old.example/team/', 'wp:post_id': '9', 'wp:post_parent': '4' }),
  )
  assert.deepEqual(post?.addresses, [
    'https://old.example/2019/05/rye/',
    'https://old.example/2019/05/r%C3%BCgen/',
    'https://old.example/2019/05/dark/',
    '/?p=12',
  ])
  assert.deepEqual([page?.addresses, page?.parent], [['https://old.example/team/', '/?page_id=9', '/?p=9'], '4'])
})

test('an address by number belongs to one thing, and only to one that has a number', async () => {
  const author = `<wp:author><wp:author_id>-31</wp:author_id><wp:author_login>${cdata('anna')}</wp:author_login></wp:author>`
  const [first, second] = ['/one/', '/two/'].map((path) =>
    item({ link: `https://old.example/shop${path}`, 'wp:post_id': '135', 'wp:post_type': 'page' }),
  )
  const parts = await read(`${author}${first}${second}`)
  assert.deepEqual(partsOfKind(parts, 'author')[0]?.addresses, ['/author/anna/'])
  assert.deepEqual(
    partsOfKind(parts, 'entry').map(({ addresses }) => addresses),
    [['https://old.example/shop/one/', '/?page_id=135', '/?p=135'], ['https://old.example/shop/two/']],
  )
})

test('terms, pictures, SEO, languages, notes, comments and further fields of an item', async () => {
  const parts = await read(
    item(
      { 'wp:post_id': '7', 'content:encoded': cdata('<p>Bread</p>'), 'wp:is_sticky': '1' },
      `<category domain="category" nicename="b%c3%a4cker">${cdata('Bäcker &amp; Co')}</category>` +
        `<category domain="post_tag" nicename="rye">Rye</category><category domain="post_format" nicename="aside">Aside</category>` +
        `<category domain="language" nicename="de">Deutsch</category><category domain="post_translations" nicename="pll_1">x</category>` +
        meta('_thumbnail_id', '44') +
        meta('_yoast_wpseo_title', '%%title%% %%sep%%') +
        meta('rank_math_title', 'Rye bread') +
        meta('_yoast_wpseo_meta-robots-noindex', '1') +
        meta('footnotes', '[{"id":"a1","content":"A <em>note</em>"}]') +
        meta('price', '3.20') +
        meta('_price', 'field_5f') +
        meta('_edit_lock', '1:1') +
        meta('evil', 'O:8:"stdClass":0:{}') +
        `<wp:comment><wp:comment_id>1</wp:comment_id><wp:comment_author>${cdata('Bert')}</wp:comment_author><wp:comment_author_IP>192.0.2.7</wp:comment_author_IP>` +
        `<wp:comment_date_gmt>2024-05-01 08:00:00</wp:comment_date_gmt><wp:comment_content>${cdata('Good')}</wp:comment_content>` +
        `<wp:comment_approved>0</wp:comment_approved><wp:comment_parent>0</wp:comment_parent></wp:comment>` +
        `<wp:comment><wp:comment_id>2</wp:comment_id><wp:comment_type>pingback</wp:comment_type><wp:comment_approved>1</wp:comment_approved></wp:comment>`,
    ),
  )
  const [entry] = partsOfKind(parts, 'entry')
  assert.deepEqual(entry?.terms, [
    { taxonomy: 'category', slug: 'bäcker', name: 'Bäcker & Co' },
    { taxonomy: 'tag', slug: 'rye', name: 'Rye' },
  ])
  assert.deepEqual(entry?.cover, { id: '44' })
  assert.deepEqual(entry?.seo, { title: 'Rye bread', noindex: true })
  assert.deepEqual([entry?.language, entry?.translations, entry?.pinned], ['de', 'pll_1', true])
  assert.deepEqual(entry?.footnotes, { a1: 'A <em>note</em>' })
  assert.deepEqual(entry?.fields, { price: '3.20', evil: 'O:8:"stdClass":0:{}' })
  const [comment] = partsOfKind(parts, 'comment')
  assert.deepEqual([comment?.entry, comment?.name, comment?.approved], ['7', 'Bert', false])
  assert.ok(!JSON.stringify(parts).includes('192.0.2.7'))
  assert.equal(partsOfKind(parts, 'loss').filter(({ group }) => group === 'comment').length, 1)
})

test('attachments are media, with the file of the uploads where it is there', async () => {
  const attachment = item(
    {
      'wp:post_type': 'attachment',
      'wp:status': 'inherit',
      'wp:post_id': '44',
      'wp:attachment_url': 'https://old.example/wp-content/uploads/2024/05/image-300x200.jpg',
      'excerpt:encoded': cdata('The <b>oven</b>'),
      'wp:post_parent': '7',
    },
    meta('_wp_attached_file', '2024/05/image-300x200.jpg') + meta('_wp_attachment_image_alt', 'An oven'),
  )
  const files = sourceOf({ 'site/export.xml': channel(attachment), 'site/wp-content/uploads/2024/05/image-300x200.jpg': 'x' })
  const [media] = partsOfKind(await partsOf(wxrFormat, files), 'media')
  assert.deepEqual(
    [media?.path, media?.filename, media?.alt, media?.caption, media?.parent],
    ['site/wp-content/uploads/2024/05/image-300x200.jpg', 'image-300x200.jpg', 'An oven', 'The oven', '7'],
  )
})

test('menus are trees in their order, also where a parent comes later or in a circle', async () => {
  const point = (id: string, order: string, parent: string, more: string) =>
    item(
      { 'wp:post_type': 'nav_menu_item', 'wp:post_id': id, title: `P${id}`, 'wp:menu_order': order },
      `<category domain="nav_menu" nicename="main">Main menu</category>${meta('_menu_item_menu_item_parent', parent)}${more}`,
    )
  const link = meta('_menu_item_type', 'custom') + meta('_menu_item_url', 'https://else.example/')
  const entry = meta('_menu_item_type', 'post_type') + meta('_menu_item_object_id', '7')
  const content =
    point('3', '3', '2', link) + point('2', '2', '0', entry) + point('8', '4', '9', link) + point('9', '5', '8', link)
  const [menu] = partsOfKind(await read(content), 'menu')
  const shape = (items: readonly { title: string; children: readonly never[] }[]): unknown =>
    items.map(({ title, children }) => (children.length > 0 ? { [title]: shape(children) } : title))
  assert.equal(menu?.name, 'Main menu')
  assert.deepEqual(shape(menu?.items as never), [{ P2: ['P3'] }, { P8: ['P9'] }])
})

test('a reusable block that no text shows is named', async () => {
  const block = (id: string, title: string) =>
    item({ 'wp:post_type': 'wp_block', 'wp:post_id': id, title, 'content:encoded': cdata('<p>Words.</p>') })
  const shows = item({ 'content:encoded': cdata('<!-- wp:block {"ref":5} /-->') })
  const losses = partsOfKind(await read(block('5', 'Shown') + block('6', 'Newsletter') + shows), 'loss')
  assert.deepEqual(
    losses.map(({ name, where, reason }) => [name, where, reason]),
    [['reusable block', 'Newsletter', 'no text shows it']],
  )
})

test('the menu of a block theme is read from its blocks', async () => {
  const content =
    '<!-- wp:navigation-submenu {"label":"Shop","id":7,"url":"/shop","kind":"post-type"} -->' +
    '<!-- wp:navigation-link {"label":"Rye \\u0026 co","url":"https://else.example/"} /-->' +
    '<!-- /wp:navigation-submenu --><!-- wp:navigation-link {"label":"Last","url":"/last"} /-->'
  const [menu] = partsOfKind(await read(item({ 'wp:post_type': 'wp_navigation', 'content:encoded': cdata(content) })), 'menu')
  assert.deepEqual(
    menu?.items.map(({ title, target, children }) => [title, target, children.length]),
    [
      ['Shop', { entry: '7' }, 1],
      ['Last', { address: '/last' }, 0],
    ],
  )
})

test('a file that ends early is read as far as it goes, and says so', async () => {
  const whole = channel(item({ title: 'One' }) + item({ title: 'Two' }))
  const parts = await partsOf(wxrFormat, sourceOf({ 'export.xml': whole.slice(0, whole.indexOf('Two')) }))
  assert.deepEqual(
    partsOfKind(parts, 'entry').map(({ title }) => title),
    ['One'],
  )
  assert.match(partsOfKind(parts, 'loss')[0]?.reason ?? '', /ends early, after 1 whole/)
})

test('control characters, a warning of PHP before the first tag, split and repeated CDATA', async () => {
  const content = item({ 'content:encoded': `${cdata('a\u000bb ]]')}${cdata('> c')}`, title: 'x &#11; &amp; y' })
  const file = `\n<b>Warning</b>: Undefined variable\n${channel(content)}\njunk`
  const parts = await partsOf(wxrFormat, sourceOf({ 'export.xml': file }, 11))
  const [entry] = partsOfKind(parts, 'entry')
  assert.equal(entry?.text.source, 'ab ]]> c')
  assert.equal(entry?.title, 'x & y')
  assert.match(partsOfKind(parts, 'loss')[0]?.reason ?? '', /1 control characters/)
})

test('a `<` too many before a text is text, wherever a piece of the file ends', async () => {
  const stray = { 'content:encoded': `<${cdata('<p>Rye <b>bread</b></p> 1 < 2 <<p>')}`, 'wp:post_name': 'rye' }
  for (let pieceBytes = 1; pieceBytes < 40; pieceBytes++) {
    const [entry] = partsOfKind(await read(item(stray), pieceBytes), 'entry')
    assert.deepEqual([entry?.text.source.trim(), entry?.slug], ['<<p>Rye <b>bread</b></p> 1 < 2 <<p>', 'rye'])
  }
})

test('entities of a DOCTYPE are not expanded and never read a file (attack 161)', async () => {
  const bomb =
    '<!DOCTYPE rss [<!ENTITY a "lol"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY c SYSTEM "file:///etc/passwd">]>' +
    channel(item({ title: 'x &b; &c; y' })).replace(/^<\?xml[^>]*>/, '')
  const [entry] = partsOfKind(await partsOf(wxrFormat, sourceOf({ 'export.xml': bomb })), 'entry')
  assert.equal(entry?.title, 'x &b; &c; y')
})

test('one endless element ends the reading in bounded memory (attack 161)', async () => {
  const start = Buffer.from(`${channel('').slice(0, -'</channel></rss>'.length)}${item({})}<item><title><![CDATA[`)
  const megabyte = Buffer.alloc(1024 ** 2, 'x')
  let sent = 0
  const files = {
    ...sourceOf({ 'export.xml': start }),
    async *open() {
      await Promise.resolve()
      yield start
      for (; sent < 1024; sent++) yield megabyte
    },
  }
  const parts = await partsOf(wxrFormat, files)
  assert.equal(partsOfKind(parts, 'entry').length, 1)
  assert.ok(sent < 100, `${sent} MB were read`)
})

test('several files are one import, and RSS without the mark of WordPress is none', async () => {
  const files = sourceOf({ 'a.xml': channel(item({})), 'b.xml': channel(item({ 'wp:post_id': '2' })), 'notes.txt': 'x' })
  assert.equal(partsOfKind(await partsOf(wxrFormat, files), 'entry').length, 2)
  assert.equal(await wxrFormat.recognises(sourceOf({ 'feed.xml': '<rss><channel><item/></channel></rss>' })), false)
})

test('what an entry has no place for is named: further authors, formats, templates, addresses for search engines', async () => {
  const parts = await read(
    item(
      {},
      '<category domain="author" nicename="cap-anna">Anna</category><category domain="author" nicename="cap-bo">Bo</category>' +
        '<category domain="post_format" nicename="post-format-aside">Aside</category>' +
        meta('_wp_page_template', 'full-width.php') +
        meta('_yoast_wpseo_canonical', 'https://else.example/') +
        '<wp:comment><wp:comment_id>7</wp:comment_id><wp:comment_content>Good</wp:comment_content><wp:comment_approved>1</wp:comment_approved></wp:comment>',
    ) + item({ 'wp:post_id': '2' }, meta('_wp_page_template', 'default')),
  )
  assert.equal(partsOfKind(parts, 'entry')[0]?.author, 'anna')
  assert.deepEqual(
    partsOfKind(parts, 'loss').map(({ group, name, where }) => [group, name, where]),
    [
      ['author', 'bo', 'Rye'],
      ['format', 'post-format-aside', 'Rye'],
      ['meta', '_wp_page_template', 'Rye'],
      ['meta', '_yoast_wpseo_canonical', 'Rye'],
      ['comment', '7', 'Rye'],
    ],
  )
})
