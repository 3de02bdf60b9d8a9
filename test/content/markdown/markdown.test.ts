// What each construct becomes, what isn't understood, and that no text takes more than linear time. The examples of the document `markdown`
// are held by markdown-document.test.ts.

import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { createMarkdown, type Markdown } from '../../../src/content/markdown/markdown.ts'
import { linkedPaths, relinked } from '../../../src/content/markdown/internal-links.ts'
import { createSanitizer, type Sanitized } from '../../../src/content/markdown/sanitize.ts'
import { summaryOf } from '../../../src/content/entries/summary.ts'
import { textOfHtml } from '../../../src/content/markdown/plain-text.ts'
import { isDeep } from '../../deep-run.ts'
import { assertLinear } from '../../hostile-text.ts'
import { processorMs } from '../../processor-time.ts'

const origin = 'https://a.example/blog'
let markdown: Markdown
let sanitize: (html: string) => Sanitized

before(async () => {
  markdown = await createMarkdown()
  sanitize = await createSanitizer()
})

const page = (source: string, language = 'en') => sanitize(markdown.render(source, { language, origin }).html)
const html = (source: string, language?: string) => page(source, language).html.trim()

const constructs: readonly (readonly [rule: string, source: string, html: string])[] = [
  ['a task needs a word behind its box', '- [ ]\n- [x]a', '<ul>\n<li>[ ]</li>\n<li>[x]a</li>\n</ul>'],
  [
    'a callout in another language has its title in that language',
    '> [!note]\n> Da.',
    '<div class="callout note" role="note">\n<p class="callout-title">Hinweis</p>\n<p>Da.</p>\n</div>',
  ],
  [
    'a callout may have a title alone',
    '> [!TIP] A *title*',
    '<div class="callout tip" role="note">\n<p class="callout-title">A <em>title</em></p>\n</div>',
  ],
  [
    'a quotation within a callout stays a quotation',
    '> [!TIP]\n> > a',
    '<div class="callout tip" role="note">\n<p class="callout-title">Tipp</p>\n<blockquote>\n<p>a</p>\n</blockquote>\n</div>',
  ],
  ['an escaped kind begins no callout', '> \\[!TIP]\n> a', '<blockquote>\n<p>[!TIP]\na</p>\n</blockquote>'],
  ['an image with a title within a line is no figure', 'a ![b](/c "d")', '<p>a <img src="/c" alt="b" title="d" /></p>'],
  [
    'escaped characters, entities and code stay in the description of an image',
    '![a \\[b\\] &amp; `c` ![d \\*](/e)](/f)',
    '<p><img src="/f" alt="a [b] &amp; c d *" /></p>',
  ],
  [
    'the caption of a film has the escaped characters of its description',
    `![a \\[b\\]](${origin}/c.mp4)`,
    `<figure><video src="${origin}/c.mp4" controls preload="metadata"><a href="${origin}/c.mp4">a [b]</a></video><figcaption>a [b]</figcaption></figure>`,
  ],
  [
    'an image that is a link may be a figure',
    '[![b](/c "d")](/e)',
    '<figure><a href="/e"><img src="/c" alt="b" /></a><figcaption>d</figcaption></figure>',
  ],
  ['a film of another site stays a link', '[a](https://b.example/c.mp4)', '<p><a href="https://b.example/c.mp4">a</a></p>'],
  [
    'a bare address of a sound of the site is a player',
    `${origin}/c.mp3`,
    `<figure><audio src="${origin}/c.mp3" controls preload="metadata"><a href="${origin}/c.mp3">c.mp3</a></audio></figure>`,
  ],
  [
    'a link with words to a video stays a link',
    '[a](https://youtu.be/dQw4w9WgXcQ)',
    '<p><a href="https://youtu.be/dQw4w9WgXcQ">a</a></p>',
  ],
  [
    'a bare video within a line stays a link',
    'See https://youtu.be/dQw4w9WgXcQ',
    '<p>See <a href="https://youtu.be/dQw4w9WgXcQ">https://youtu.be/dQw4w9WgXcQ</a></p>',
  ],
  ['a heading with a link is no link to itself', '## [a](/b)', '<h2 id="h-a"><a href="/b">a</a></h2>'],
  ['a heading with a raw link is none either', '## <a href="/b">a</a>', '<h2 id="h-a"><a href="/b">a</a></h2>'],
  [
    'an empty cell of the first row is no heading',
    '| | a |\n|-|-|\n| b | c |',
    '<div class="table" role="group" tabindex="0" aria-label="Tabelle"><table>\n<thead>\n<tr>\n<td></td>\n<th>a</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>b</td>\n<td>c</td>\n</tr>\n</tbody>\n</table></div>',
  ],
  [
    'code of an unknown language is as it was written',
    '```x-y\n"a" -- \'b\'...\n```',
    '<pre tabindex="0"><code class="language-x-y">"a" -- \'b\'...\n</code></pre>',
  ],
]

for (const [rule, source, expected] of constructs) test(`Markdown: ${rule}`, () => assert.equal(html(source, 'de'), expected))

test('Markdown: a note that is used twice has two links back, in the order of first use', () => {
  const made = html('A[^b] b[^a] c[^B].\n\n[^a]: One.\n[^b]: Two.\n\n    More.')
  assert.deepEqual(
    [...made.matchAll(/ href="([^"]*)"/g)].map(([, href]) => href),
    ['#h--note-1', '#h--note-2', '#h--note-1', '#h--use-1', '#h--use-1-2', '#h--use-2'],
  )
  assert.match(made, /<li id="h--note-1">\n<p>Two\.<\/p>\n<p>More\. <a class="back"/)
  const ids = [...made.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id)
  assert.equal(new Set(ids).size, ids.length)
})

test('Markdown: a heading has no id that a footnote has', () => {
  const ids = [...html('# -note 1\n\n# h--note-1\n\na[^1]\n\n[^1]: b').matchAll(/ id="([^"]*)"/g)].map(([, id]) => id)
  assert.equal(new Set(ids).size, ids.length)
})

test('attack 95: nobody may use the classes and roles of rendering in another way', () => {
  const { html: made, removed } = sanitize(
    '<div class="callout note evil" role="alert" tabindex="5"></div><span class="code-x" role="button"></span><p class="table" role="note"></p><a class="skip" id="content">x</a><li id="x" class="site-name"></li>',
  )
  assert.equal(made, '<div></div><span></span><p></p><a>x</a><li></li>')
  assert.deepEqual(removed, ['class attribute', 'role attribute', 'tabindex attribute', 'id attribute'])
})

const notices: readonly (readonly [source: string, line: number, words: RegExp])[] = [
  ['a\n\n```js\nb\n', 3, /^The code block that begins with ``` is not closed/],
  ['- a\n\n  ~~~\n  b\n\nc', 3, /^The code block that begins with ~~~ is not closed/],
  ['```mermaid\na\n```', 1, /^A block of mermaid isn't drawn/],
  ['a\n> b\n\n> [!FOO] c', 4, /^“\[!FOO\] c” begins no callout.*\[!NOTE\], \[!TIP\]/],
  ['> [!NOTE]- c', 1, /begins no callout/],
  ['a\nb[^1] c', 2, /^The footnote \[\^1\] is used but not defined/],
  ['a\n\n[^1]: b', 3, /^Nothing refers to the footnote \[\^1\]/],
  ['a[^1]\n\n[^1]: b\n[^1]: c', 4, /^The footnote \[\^1\] is defined a second time/],
  [':::nope\na\n:::', 1, /^There is no section “nope”/],
  ['a {% include x %}', 1, /^The tag “\{% include x %\}” isn't supported/],
  ['a [[b]]', 1, /^“\[\[b\]\]” appears as text/],
  ['$$\na\n$$', 1, /^Formulas between \$\$ are off/],
  ['[TOC]', 1, /^\[TOC\]/],
  ['a^[b]', 1, /^The note/],
  ['a\n\n<!-- b\n\nc', 3, /^The comment/],
  ['| a |\n|-|\n| b |\n| [[c]] |', 4, /appears as text/],
]
for (const [source, line, words] of notices)
  test(`not understood: ${JSON.stringify(source)} in line ${line}`, () => {
    const [first] = markdown.render(source).notices
    assert.equal(first?.line, line)
    assert.match(first.message, words)
  })

test('not understood: nothing in code, behind a backslash, or in what is understood', () => {
  const fine = [
    '`[[a]] {% b %} [^1] :::c`',
    '```\n[[a]]\n:::b\n[!FOO]\n```',
    '    [[a]]',
    '\\[[a]] \\[^1]',
    '> [!NOTE] a\n> b',
    'a[^1]\n\n[^1]: b',
    '```js\na\n```',
    '```\n```',
    '> ```\n> a\n> ```',
    '<!-- a -->',
    'a: b :: c',
    '$5 and $6',
    'x^2 [a]: b',
  ]
  for (const source of fine) assert.deepEqual(markdown.render(source).notices, [], source)
  assert.equal(markdown.render('[[a]]\n\n'.repeat(100)).notices.length, 20)
})

test('links follow: paths are found with and without the base path, and only entries are rewritten', () => {
  const text = html(
    `[a](/old#team) [b](/blog/old?x=1) [c](${origin}/%C3%BCber/) [d](/other) [e](https://b.example/old) [f](#old) \`<a href="/old">\``,
  )
  assert.deepEqual(linkedPaths(text, origin), ['/old', '/über', '/other'])
  const targets = new Map([
    ['/old', '/new/place'],
    ['/über', '/über'],
  ])
  assert.deepEqual(
    [...relinked(text, origin, targets).matchAll(/ href="([^"]*)"/g)].map(([, href]) => href),
    ['/blog/new/place#h-team', '/blog/new/place?x=1', '/blog/%C3%BCber', '/other', 'https://b.example/old', '#h-old', '/old'],
  )
})

test('an excerpt is plain words: no heading, code, table, picture, box or number of a note', () => {
  const source =
    '# Title\n\n![a](/b "c")\n\n```js\nd()\n```\n\n| e |\n|-|\n| f |\n\n> [!NOTE]\n> **One** [two](/x)[^1] `three`.\n\n- [x] Four\n\n[^1]: Five.'
  assert.equal(summaryOf(html(source)), 'One two three. Four')
  assert.equal(summaryOf(html('# Only\n\n## Headings')), 'Only Headings')
  assert.equal(textOfHtml(html('a[^1]\n\n[^1]: b')), 'a[1]\nb')
})

const hostile: Readonly<Record<string, (length: number) => string>> = {
  'notes and uses': (n) => `${list(n / 20, (i) => `[^${i}] `)}\n\n${list(n / 20, (i) => `[^${i}]: x\n`)}`,
  'uses of one note': (n) => `${'[^a] '.repeat(n / 5)}\n\n[^a]: x`,
  'labels without an end': (n) => `${'[^'.repeat(n / 2)}\n\n[^a]: x`,
  'notes within notes': (n) => '[^a]: '.repeat(n / 6),
  'opening quotation marks': (n) => '"a '.repeat(n / 3),
  'quotation marks that do not match': (n) => `${'"a '.repeat(n / 6)}${"b' ".repeat(n / 6)}`,
  'quotation marks alone': (n) => '"\''.repeat(n / 2),
  dashes: (n) => ' --'.repeat(n / 3),
  callouts: (n) => '> [!NOTE] a\n\n'.repeat(n / 13),
  'callouts within callouts': (n) => `${'> '.repeat(n / 2)}[!NOTE]`,
  tasks: (n) => '- [ ] a\n'.repeat(n / 8),
  definitions: (n) => 'a\n: b\n'.repeat(n / 6),
  'definitions within definitions': (n) => `a\n${': '.repeat(n / 2)}`,
  'colons on their own': (n) => ':\n'.repeat(n / 2),
  embeds: (n) => 'https://youtu.be/dQw4w9WgXcQ\n\n'.repeat(n / 30),
  'a long address': (n) => `https://youtu.be/${'a'.repeat(n)}`,
  figures: (n) => '![a](/b "c")\n\n'.repeat(n / 14),
  directives: (n) => ':::'.repeat(n / 3),
  braces: (n) => '{%'.repeat(n / 2),
  'wiki links': (n) => '![[a'.repeat(n / 4),
  'code blocks': (n) => '```js\na\n```\n'.repeat(n / 12),
  'internal links': (n) => '[a](/b/c) '.repeat(n / 10),
}
const list = (count: number, make: (index: number) => string): string =>
  Array.from({ length: Math.floor(count) }, (_, index) => make(index)).join('')

for (const [kind, make] of Object.entries(hostile))
  test(`attack 131: ${kind} take linear time`, () =>
    assertLinear(kind, isDeep ? 100_000 : 20_000, async (length) => {
      const source = make(length)
      return processorMs(() => {
        const made = html(source, 'fr')
        summaryOf(made)
        relinked(made, origin, new Map(linkedPaths(made, origin).map((path) => [path, path])))
      })
    }))
