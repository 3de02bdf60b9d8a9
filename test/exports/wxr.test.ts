// The form of WXR as WordPress writes it (wp-admin/includes/export.php of 6.x): which elements there are, in which order, and whose
// text is a CDATA section. There is no schema, so these lists are one.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readXml, type XmlElement } from '../../src/imports/readers/xml-elements.ts'
import { fullSite } from '../full-site.ts'
import { openSite } from '../site.ts'

/** The children of each element in their order. A star marks text that is a CDATA section, a plus what may be repeated. */
const forms: Readonly<Record<string, string>> = {
  channel:
    'title link description pubDate language wp:wxr_version wp:base_site_url wp:base_blog_url wp:author+ wp:category+ wp:tag+ wp:term+ generator item+',
  'wp:author':
    'wp:author_id wp:author_login* wp:author_email* wp:author_display_name* wp:author_first_name* wp:author_last_name*',
  'wp:category': 'wp:term_id wp:category_nicename* wp:category_parent* wp:cat_name* wp:category_description* wp:termmeta+',
  'wp:tag': 'wp:term_id wp:tag_slug* wp:tag_name* wp:tag_description* wp:termmeta+',
  'wp:term': 'wp:term_id wp:term_taxonomy* wp:term_slug* wp:term_parent* wp:term_name* wp:term_description* wp:termmeta+',
  item:
    'title* link pubDate dc:creator* guid description content:encoded* excerpt:encoded* wp:post_id wp:post_date* wp:post_date_gmt* ' +
    'wp:post_modified* wp:post_modified_gmt* wp:comment_status* wp:ping_status* wp:post_name* wp:status* wp:post_parent wp:menu_order ' +
    'wp:post_type* wp:post_password* wp:is_sticky wp:attachment_url* category*+ wp:postmeta+ wp:comment+',
  'wp:postmeta': 'wp:meta_key* wp:meta_value*',
  'wp:comment':
    'wp:comment_id wp:comment_author* wp:comment_author_email* wp:comment_author_url wp:comment_author_IP* wp:comment_date* ' +
    'wp:comment_date_gmt* wp:comment_content* wp:comment_approved* wp:comment_type* wp:comment_parent wp:comment_user_id wp:commentmeta+',
}

/** The elements that WordPress leaves out where they say nothing. */
const optional =
  /^(?:generator|wp:(?:category|tag|term)_description|wp:termmeta|wp:commentmeta|wp:attachment_url|category|wp:postmeta|wp:comment|wp:category|wp:tag|wp:term|wp:author|wp:term_parent|item)$/

interface Shown {
  readonly name: string
  readonly hasCdata: boolean
  readonly children: readonly Shown[]
}

/** Reads the elements of a text. The reader of imports tells no CDATA section from other text, so this one is the test's own. */
function read(xml: string): Shown {
  const root: { name: string; hasCdata: boolean; children: Shown[] } = { name: '', hasCdata: false, children: [] }
  const open = [root]
  for (const [, cdata, end, name, empty] of xml.matchAll(/(<!\[CDATA\[[^]*?\]\]>)|<(\/?)([a-zA-Z][\w:]*)[^<>]*?(\/?)>/g)) {
    const top = open.at(-1) ?? root
    if (cdata !== undefined) top.hasCdata = true
    else if (end === '/') open.pop()
    else {
      const element = { name: name ?? '', hasCdata: false, children: [] }
      top.children.push(element)
      if (empty !== '/') open.push(element)
    }
  }
  return root
}

/** Returns what is wrong with an element and those in it. */
function faultsOf({ name, children }: Shown): readonly string[] {
  const form = (forms[name] ?? '').split(' ').filter((word) => word !== '')
  const faults: string[] = []
  let at = 0
  for (const child of children) {
    const written = `${child.name}${child.hasCdata ? '*' : ''}`
    const found = form.findIndex((word, place) => place >= at && word.replace(/\+$/, '') === written)
    if (found < 0) faults.push(`${name}: ${written} is not in its place`)
    else {
      for (const passed of form.slice(at, found))
        if (!optional.test(passed.replace(/[*+]/g, ''))) faults.push(`${name}: ${passed} is missing before ${written}`)
      at = form[found]?.endsWith('+') ? found : found + 1
    }
    faults.push(...faultsOf(child))
  }
  return [...new Set(faults)]
}

test('WXR has the elements of WordPress in their order, with CDATA sections where it has them', async () => {
  await using site = await openSite()
  for (const [call, input] of fullSite) await site.call(call, input)
  await site.call('SVC_Settings.update', { set: { time_zone: 'Europe/Berlin', comments: ['boat'] } })
  await site.call('SVC_Terms.create', { taxonomy: 'tag', name: 'Red', text: 'A colour' })
  await site.call('SVC_Terms.create', { taxonomy: 'region', name: 'North' })
  const when = { posted_at: '2020-07-01T12:00:00Z', approved: true, entry: '/boat/white-gull' }
  await site.call('SVC_Import.put-comments', {
    comments: [{ ...when, id: 'b-first-comment-0123456789', name: 'Ann', text: 'Good.' }],
  })
  const { url } = await site.call('SVC_Export.run', { format: 'wxr' })
  const { text } = await site.send(new URL(url).pathname, { token: null })
  const channel = read(text)
    .children.find(({ name }) => name === 'rss')
    ?.children.find(({ name }) => name === 'channel')
  assert.ok(channel)
  const present = new Set(channel.children.map(({ name }) => name))
  for (const name of ['wp:author', 'wp:category', 'wp:tag', 'wp:term', 'item'])
    assert.ok(present.has(name), `no ${name} is made here`)
  assert.ok(channel.children.some(({ children }) => children.some(({ name }) => name === 'wp:comment')))
  assert.deepEqual(faultsOf(channel), [])
  // The clock of the site, and UTC.
  assert.match(
    text,
    /<wp:comment_date><!\[CDATA\[2020-07-01 14:00:00\]\]><\/wp:comment_date>\s*<wp:comment_date_gmt><!\[CDATA\[2020-07-01 12:00:00\]\]>/,
  )
  // WordPress takes no point of a menu without the type or the taxonomy of its target.
  const objects = [...text.matchAll(/_menu_item_object\]\]><\/wp:meta_key><wp:meta_value><!\[CDATA\[(.*?)\]\]>/g)].map(
    ([, name]) => name,
  )
  assert.deepEqual(objects, ['boat', 'category'])
  // Whoever reads XML strictly reads it, too.
  const { elements, faults } = readXml(bytes(text), new Set(['rss', 'channel']))
  const items: XmlElement[] = []
  for await (const element of elements) if (element.name === 'item') items.push(element)
  assert.deepEqual([faults.isComplete, items.length], [true, channel.children.filter(({ name }) => name === 'item').length])
})

async function* bytes(text: string): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(Buffer.from(text))
}
