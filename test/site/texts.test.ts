// Texts on public pages: links that follow a moved entry, one algorithm for every excerpt, words in the language of the entry, and what the
// answers of writes say.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openSite, type TestSite } from '../site.ts'

let site: TestSite

before(async () => {
  site = await openSite({ basePath: '/blog' })
})
after(() => site[Symbol.asyncDispose]())

const published = (more: Record<string, unknown>) =>
  site.call('SVC_Content.create', { type: 'page', status: 'published', ...more })
const mainOf = (text: string): string => /<main[^]*<\/main>/.exec(text)?.[0] ?? ''
const textOf = (text: string): string => /<div class="text">[^]*?<\/div>/.exec(text)?.[0] ?? ''
const descriptionOf = (text: string): string | undefined => /<meta name="description" content="([^"]*)"/.exec(text)?.[1]

test('a link to an entry leads to where the entry is, after it moved, when it is gone, and below a base path', async () => {
  await published({ title: 'Team', slug: 'team' })
  await published({
    title: 'Links',
    slug: 'links',
    body: `[a](/team#hours) [b](/blog/team) [c](${site.base}/team) [d](/nowhere)`,
  })
  const hrefs = async () => [...textOf((await site.send('/links')).text).matchAll(/ href="([^"]*)"/g)].map(([, href]) => href)
  assert.deepEqual(await hrefs(), ['/blog/team#h-hours', '/blog/team', '/blog/team', '/nowhere'])
  await site.call('SVC_Content.update', { id: '/team', slug: 'people' })
  assert.deepEqual(await hrefs(), ['/blog/people#h-hours', '/blog/people', '/blog/people', '/nowhere'])
  const { item } = await site.call('SVC_Content.get', { id: '/links', format: 'html' })
  assert.match(item.html, /<a href="\/blog\/people#h-hours">/)
  await site.call('SVC_Content.delete', { ids: ['/people'] })
  assert.deepEqual((await hrefs())[0], '/team#hours')
})

test('lists and descriptions show the same plain words, whatever markup the text has', async () => {
  const body =
    '## Heading\n\n> [!NOTE]\n> **Bold** `code` [link][ref] "quoted" <kbd>key</kbd>.[^1]\n\n```js\nnot()\n```\n\n- [ ] Task\n\n[ref]: /x\n[^1]: Note.'
  await published({ type: 'post', title: 'Marked', slug: 'marked', body })
  const words = 'Bold code link “quoted” key. Task'
  assert.equal(descriptionOf((await site.send('/marked')).text), words)
  assert.ok(mainOf((await site.send('/')).text).includes(`<p>${words}</p>`))
  await site.call('SVC_Content.update', { id: '/marked', excerpt: '*Given* [words](/x), "so"' })
  assert.equal(descriptionOf((await site.send('/marked')).text), 'Given words, “so”')
  assert.ok(mainOf((await site.send('/')).text).includes('<p>Given words, “so”</p>'))
  await site.call('SVC_Content.update', { id: '/marked', seo: { description: 'For **engines**' } })
  assert.equal(descriptionOf((await site.send('/marked')).text), 'For engines')
  assert.ok(mainOf((await site.send('/')).text).includes('<p>Given words, “so”</p>'))
})

test('the title for search results is in the head of the page, also of the home page, and the page keeps its own', async () => {
  const { item } = await published({ type: 'page', title: 'Hours', slug: 'opening', seo: { title: 'Opening hours & prices' } })
  const headed = (text: string) => [/<title>([^<]*)/.exec(text)?.[1], /og:title" content="([^"]*)"/.exec(text)?.[1]]
  const { text } = await site.send('/opening')
  const [title = '', card] = headed(text)
  assert.match(title, /^Opening hours &amp; prices – /)
  assert.equal(card, 'Opening hours &amp; prices')
  assert.match(text, /<h1[^>]*>Hours</)
  await site.call('SVC_Settings.update', { set: { home: item.id } })
  assert.deepEqual(headed((await site.send('/')).text), [title, card])
  await site.call('SVC_Content.update', { id: item.id, seo: { title: null } })
  assert.doesNotMatch((await site.send('/')).text, /prices/)
  await site.call('SVC_Settings.update', { set: { home: null } })
})

test('the excerpt of a long text is the same in a list and on its page', async () => {
  const long = `${'Some words of [a link][ref] and more. '.repeat(20)}\n\n${'A paragraph.\n\n'.repeat(2000)}[ref]: /x\n`
  const code = `\`\`\`\n${'code\n'.repeat(3000)}\`\`\`\n\nThe words behind a long block of code.`
  for (const [slug, body] of [
    ['long', long],
    ['code', code],
  ] as const) {
    await published({ type: 'post', title: slug, slug, body })
    const description = descriptionOf((await site.send(`/${slug}`)).text) ?? ''
    assert.match(description, /^(?:Some words of a link and more\. |The words behind)/)
    assert.ok(mainOf((await site.send('/')).text).includes(`<p>${description}</p>`), slug)
  }
})

test('the words of rendering are in the language of the entry, else of the site', async () => {
  const body = '"Zitat"\n\n> [!WARNING]\n> x'
  await published({ title: 'de', slug: 'de', locale: 'de', body })
  await published({ title: 'en', slug: 'en', body })
  assert.match(mainOf((await site.send('/de')).text), /„Zitat“[^]*Warnung/)
  assert.match(mainOf((await site.send('/en')).text), /“Zitat”[^]*Warning/)
  await site.call('SVC_Settings.update', { set: { language: 'fr' } })
  assert.match(mainOf((await site.send('/en')).text), /«\u202fZitat\u202f»[^]*Avertissement/)
  assert.match(mainOf((await site.send('/de')).text), /„Zitat“/)
})

test('a write says what is not understood, with its line, and an edit only what is new', async () => {
  const messages = ({ warnings }: { warnings: { code: string; message: string }[] }) =>
    warnings.map(({ code, message }) => `${code}: ${message.slice(0, 40)}`)
  const created = await published({ title: 'Warned', slug: 'warned', body: 'a[^1]\n\n<script>x</script>\n\n```js\nb' })
  assert.deepEqual(messages(created), [
    'markup_removed: The public page leaves this out: <script',
    'not_understood: Line 1: The footnote [^1] is used but no',
    'not_understood: Line 5: The code block that begins with ',
  ])
  assert.match(created.warnings[0].message, /<script> \(line 3\)/)
  const edit = (find: string, replace: string) => site.call('SVC_Content.edit', { id: '/warned', edits: [{ find, replace }] })
  assert.deepEqual(messages(await edit('a[^1]', 'A\n\nA[^1] [[b]]')), [
    'not_understood: Line 3: “[[b]]” appears as text. A link ',
  ])
  assert.deepEqual(messages(await edit(' [[b]]', '')), [])
  assert.deepEqual(messages(await edit('A[^1]', 'A[^1]\n\n[^1]: Note.')), [])
  const put = await site.call('SVC_Content.put', { path: '/put', markdown: '---\ntitle: Put\n---\n\n> [!NOT]\n> a' })
  assert.deepEqual(messages(put), ['not_understood: Line 1: “[!NOT]” begins no callout, so t'])
})

test('a page lets frames come from the known hosts alone', async () => {
  const { headers } = await site.send('/')
  assert.match(
    headers.get('content-security-policy') ?? '',
    /frame-src 'self' https:\/\/www\.youtube-nocookie\.com https:\/\/player\.vimeo\.com https:\/\/www\.openstreetmap\.org;/,
  )
})
