// HTML to Markdown: what each program puts on the clipboard, what Markdown must not misread, and what hostile HTML costs.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isDeep } from '../../deep-run.ts'
import fc from 'fast-check'
import { fromHtml } from '../../../src/content/from-html/from-html.ts'
import { TooDeep } from '../../../src/content/from-html/tree.ts'
import { createMarkdown } from '../../../src/content/markdown/markdown.ts'
import { createSanitizer } from '../../../src/content/markdown/sanitize.ts'
import { clipboard } from '../../fixtures/clipboard.ts'
import { assertLinear } from '../../hostile-text.ts'
import { processorMs } from '../../processor-time.ts'

const origin = 'https://bakery.example'
const convert = (html: string): string => fromHtml(html, { origin }).markdown
const markdown = await createMarkdown()
const sanitize = await createSanitizer()

const programs: readonly { readonly rule: string; readonly html: string; readonly text: string }[] = [
  {
    rule: 'Word',
    html: clipboard.word,
    text: [
      '## Baking Bread',
      'Take good **flour**, and bake *slowly*.[^1] See [the list](#Toc42).',
      '### <a id="h-Toc42"></a>What you need',
      '- 500 g of flour\n  - of rye, if you like\n- Water',
      '1. Knead.\n2. Wait.',
      '[^1]: At 180 degrees.',
    ].join('\n\n'),
  },
  {
    rule: 'Google Docs',
    html: clipboard.docs,
    text: [
      '## New bread',
      '**Bold** and *italic*~~, gone~~[a mill](https://example.org/flour)[^1]',
      '- One\n  - Inside\n- Two',
      '* [x] Done',
      '[^1]: Stone-ground.',
    ].join('\n\n'),
  },
  {
    rule: 'a spreadsheet',
    html: clipboard.excel,
    text: '| Name | Price |\n| --- | ---: |\n| Rye \\| whole | 3,20 |\n| Rolls | 0,45 |',
  },
  {
    rule: 'a web page',
    html: clipboard.page,
    text: [
      '## How we bake',
      'Our *day* begins at `04:00`. Press <kbd>Ctrl</kbd>+<kbd>P</kbd>, H<sub>2</sub>O.',
      '[![The oven](/small.jpg "Our oven")](/big.jpg)',
      '```js\nconst a = 1\n```',
      'https://www.youtube.com/watch?v=dQw4w9WgXcQ',
      '[The way](https://maps.example/embed)',
      'Crumb\n: The inside',
    ].join('\n\n'),
  },
  {
    rule: 'a mail',
    html: clipboard.mail,
    text: [
      '## Hello Anna,',
      'the bread\\\ncomes',
      'tomorrow.',
      '--\\\nBen\\\nBaker',
      'On Monday Anna wrote:',
      '> When does it come?',
    ].join('\n\n'),
  },
  { rule: 'a page with scripts (attacks 94–96, 163)', html: clipboard.hostile, text: 'Words here there\n\nfield' },
]
for (const { rule, html, text } of programs)
  test(`the clipboard of ${rule} becomes clean Markdown`, () => {
    assert.equal(convert(html), text)
  })

const rows: readonly (readonly [rule: string, html: string, text: string])[] = [
  ['headings sink below the title of the page', '<h1>a</h1><h2>b</h2><h6>c</h6>', '## a\n\n### b\n\n###### c'],
  ['without a first heading they stay', '<h2>a</h2><h3>b</h3>', '## a\n\n### b'],
  ['a heading that is bold as a whole', '<h2><b>a</b></h2>', '## a'],
  ['an id that a link needs', '<h2 id="sec">The part</h2><a href="#sec">see</a>', '## <a id="h-sec"></a>The part\n\n[see](#sec)'],
  [
    'an id that the words give anyway',
    '<h2 id="the-part">The part</h2><a href="#the-part">see</a>',
    '## The part\n\n[see](#the-part)',
  ],
  ['a link to a place that is gone', '<a href="#gone">see</a>', 'see'],
  ['spaces outside of marks', 'x<strong> bold </strong>y', 'x **bold** y'],
  ['marks that Markdown would not read', 'x<b>,y</b>z', 'x<strong>,y</strong>z'],
  ['neighbours with one mark', '<b>a</b><b>b</b> <b>c</b>', '**ab c**'],
  ['marks in marks', '<b>a<i>b</i></b><i>c</i>', '__a*b*__*c*'],
  ['struck out text', '<del>a</del> <s>b</s>', '~~a b~~'],
  ['a list that begins at three', '<ol start="3"><li>a<li>b</ol>', '3. a\n4. b'],
  ['two lists in a row', '<ul><li>a</ul><ul><li>b</ul>', '- a\n\n* b'],
  ['items of several paragraphs', '<ul><li><p>a</p><p>b</p></li><li>c</li></ul>', '- a\n\n  b\n\n- c'],
  ['tasks', '<ul><li><input type="checkbox" checked> a<li><input type="checkbox">b</ul>', '- [x] a\n- [ ] b'],
  ['line breaks', 'a<br>b<br><br>c<br>', 'a\\\nb\n\nc'],
  ['a quotation with a list', '<blockquote><p>a</p><ul><li>b</ul></blockquote>', '> a\n>\n> - b'],
  ['code with marks of code', '<code>a`b</code> <pre>```\nx</pre>', '``a`b``\n\n````\n```\nx\n````'],
  [
    'a cell with lines',
    '<table><tr><th>a<th>b<tr><td>1<br>2<td><p>x</p><p>y</p></table>',
    '| a | b |\n| --- | --- |\n| 1<br>2 | x<br>y |',
  ],
  [
    'cells over columns and rows',
    '<table><tr><th colspan=2>a<th>b<tr><td rowspan=2>1<td>2<td>3<tr><td>4<td>5</table>',
    '| a |  | b |\n| --- | --- | --- |\n| 1 | 2 | 3 |\n|  | 4 | 5 |',
  ],
  ['numbers without a heading', '<table><tr><td>1<td>2<tr><td>3<td>4</table>', '|  |  |\n| --- | --- |\n| 1 | 2 |\n| 3 | 4 |'],
  ['parts that open', '<details><summary>a</summary><p>b</p></details>', '<details>\n\n<summary>a</summary>\n\nb\n\n</details>'],
  ['an address as its own text', '<a href="https://a.example/b">https://a.example/b</a>', '<https://a.example/b>'],
  ['a link that opens a tab', '<p>See <a href="/a" target="_blank"><b>b</b> c</a>.</p>', 'See [**b** c](/a){target=_blank}.'],
  ['an address with parentheses and spaces', '<a href="https://a.example/b (c)">x</a>', '[x](<https://a.example/b%20(c)>)'],
  ['links of the site', `<a href="${origin}/bread">x</a>`, '[x](/bread)'],
  ['a link around blocks', '<a href="/a"><h3>b</h3><p>c</p></a>', '### [b](/a)\n\n[c](/a)'],
  [
    'a map',
    '<iframe src="https://www.openstreetmap.org/export/embed.html?bbox=-1.3,51.7,-1.2,51.8&layer=mapnik"></iframe>',
    'https://www.openstreetmap.org/#map=13/51.75000/-1.25000',
  ],
  ['a sound', '<audio src="/media/a.mp3" controls></audio>', '[a.mp3](/media/a.mp3)'],
  ['emoji that are pictures', 'a <img alt="😀" src="https://x.example/1f600.png"> b', 'a 😀 b'],
  ['hidden words', 'a<span style="display:none">b</span><i hidden>c</i>', 'a'],
  ['no-break spaces', 'a&nbsp;b &nbsp; c', 'a\u00a0b c'],
  [
    'lines of an editor of programs',
    '<div style="font-family: Menlo, monospace; white-space: pre;"><div>if (a)</div><div>  b()</div></div>',
    '```\nif (a)\n  b()\n```',
  ],
  [
    'Word on the web',
    '<div class="ListContainerWrapper"><ul><li data-aria-level="1">a</li></ul></div><div class="ListContainerWrapper"><ul><li data-aria-level="2">b</li></ul></div>',
    '- a\n  - b',
  ],
  [
    'LibreOffice',
    '<p>a<a class="sdfootnoteanc" name="sdfootnote1anc" href="#sdfootnote1sym"><sup>1</sup></a></p><div id="sdfootnote1"><p><a class="sdfootnotesym" name="sdfootnote1sym" href="#sdfootnote1anc">1</a> b</p></div>',
    'a[^1]\n\n[^1]: b',
  ],
  [
    'a page that Markdown made',
    '<p>a<sup><a href="#fn1" id="r1">1</a></sup></p><section><ol><li id="fn1"><p>b <a href="#r1">↩</a></p></li></ol></section>',
    'a[^1]\n\n[^1]: b',
  ],
]
for (const [rule, html, text] of rows)
  test(`HTML to Markdown: ${rule}`, () => {
    assert.equal(convert(html), text)
  })

/** A text, and the Markdown that means it. */
const escapes: readonly (readonly [text: string, markdown: string])[] = [
  ['2 * 3 * 4, a_b_c, [x], (y), 5 < 6 & 7, C# and #9', '2 * 3 * 4, a_b_c, [x], (y), 5 < 6 & 7, C# and #9'],
  ['[contact-form-7 id="1"]', '[contact-form-7 id="1"]'],
  ['*a* and _b_ and ~~c~~', '\\*a\\* and \\_b\\_ and \\~\\~c\\~\\~'],
  ['[a](b)', '[a\\](b)'],
  ['a[^1]', 'a\\[^1]'],
  ['<b> and &amp;amp;'.replace('<b>', '&lt;b&gt;'), '\\<b> and \\&amp;'],
  ['1. a', '1\\. a'],
  ['- a', '\\- a'],
  ['# a', '\\# a'],
  ['&gt; a', '\\> a'],
  ['a<br>---', 'a\\\n\\---'],
  ['::: a', '\\::: a'],
  ['C:\\dir\\*', 'C:\\dir\\\\*'],
  ['a ` b', 'a ` b'],
  ['a `b`', 'a \\`b\\`'],
  ['Price*', 'Price*'],
]
for (const [html, text] of escapes)
  test(`text is escaped as far as Markdown needs it: ${html}`, () => {
    assert.equal(convert(`<p>${html}</p>`), text)
  })

test('pictures of other sites become links, and are named', () => {
  const found = fromHtml(
    '<img src="https://a.example/x.png" alt="X"><img src="/media/y.png"><img src="file:///c/z.png" alt="Z">',
    { origin },
  )
  assert.deepEqual(found, {
    markdown: '[X](https://a.example/x.png)![](/media/y.png)Z',
    elsewhere: ['https://a.example/x.png'],
    missing: 1,
  })
  assert.equal(fromHtml('<img src="https://a.example/x.png">', { pictures: 'all' }).markdown, '![](https://a.example/x.png)')
})

/** A rendered text without what only a page has: ids, classes, and links of headings to themselves. */
const bare = (html: string): string =>
  html
    .replace(/<a href="#h-[^"]*">([^]*?)<\/a>/g, '$1')
    .replace(/ (?:id|class|tabindex|role|aria-label)="[^"]*"/g, '')
    .replace(/<\/?(?:div|strong|em|s|del)[^>]*>/g, (tag) =>
      tag
        .replace('strong', 'b')
        .replace('em', 'i')
        .replace(/\b(?:s|del)\b/, 's'),
    )
    .replace(/\s+/g, ' ')
    .replace(/ ?(<\/?(?:p|ul|ol|li|h\d|blockquote|pre|table|thead|tbody|tr|td|th|br|hr)[^>]*>) ?/g, '$1')
    .trim()
const render = (text: string): string => bare(sanitize(markdown.render(text).html).html)

const words = fc.stringMatching(/^[a-z]{1,4}(?:[ ,.*_`~[\]()<>&#|\\!+:;=-]{1,3}[a-z*_`\\]{1,3}){0,3}$/)
const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
const inline = fc.letrec<{ readonly part: string; readonly parts: string }>((tie) => ({
  part: fc.oneof(
    { maxDepth: 3 },
    words.map(escaped),
    fc.tuple(fc.constantFrom('b', 'i', 's'), tie('parts')).map(([name, inside]) => `<${name}>${inside}</${name}>`),
    fc.tuple(fc.webUrl(), words).map(([href, inside]) => `<a href="${escaped(href)}">${escaped(inside)}</a>`),
    fc.tuple(fc.constantFrom('kbd', 'sub', 'mark'), words).map(([name, inside]) => `<${name}>${escaped(inside)}</${name}>`),
    words.map((inside) => `<code>${escaped(inside)}</code>`),
  ),
  parts: fc.array(tie('part'), { minLength: 1, maxLength: 4 }).map((all) => all.join('')),
})).parts
const block = fc.letrec<{ readonly one: string; readonly all: string }>((tie) => ({
  one: fc.oneof(
    { maxDepth: 3 },
    inline.map((text) => `<p>${text}</p>`),
    inline.map((text) => `<h3>${text}</h3>`),
    fc
      .array(tie('all'), { minLength: 1, maxLength: 3 })
      .map((items) => `<ul>${items.map((item) => `<li>${item}</li>`).join('')}</ul>`),
    fc
      .array(tie('all'), { minLength: 1, maxLength: 3 })
      .map((items) => `<ol start="7">${items.map((item) => `<li>${item}</li>`).join('')}</ol>`),
    tie('all').map((inside) => `<blockquote>${inside}</blockquote>`),
    words.map((text) => `<pre>${escaped(text)}</pre>`),
  ),
  all: fc.array(tie('one'), { minLength: 1, maxLength: 3 }).map((all) => all.join('')),
})).all

/** The words, links and blocks of HTML, in their order. */
function outline(html: string): readonly string[] {
  const text = html
    .replace(/<\/?(?:b|i|s|strong|em|del)>/g, '')
    .replaceAll('</code><code>', '')
    .replace(/<pre><code[^>]*>/g, '<pre>')
    .replace(/[“”]/g, '"')
    .replace(/[‘’]/g, "'")
    .replaceAll('…', '...')
    .replace(/[–—]/g, '-')
  return (text.match(/<(?:p|h\d|ul|ol|li|blockquote|pre|code|kbd|sub|mark|a href="[^"]*")[^>]*>|[^<>\s]+(?![^<]*>)/g) ?? [])
    .map((part) => part.replace(/-+/g, '-'))
    .filter((part) => part !== '<p>')
}

test('rendering the Markdown gives the words, links and blocks of the HTML', () => {
  fc.assert(
    fc.property(block, (html) => {
      const once = convert(html)
      assert.deepEqual(outline(render(once)).join(' '), outline(bare(sanitize(html).html)).join(' '), once)
    }),
    { numRuns: isDeep ? 500 : 100 },
  )
})

test('converting what was rendered gives the same text again', () => {
  fc.assert(
    fc.property(block, (html) => {
      const once = render(convert(html))
      assert.equal(render(convert(once)), once)
    }),
    { numRuns: isDeep ? 300 : 60 },
  )
})

const hostileParts = fc.constantFrom(
  '<script>',
  '</script>',
  '<img src=x onerror=alert(1)>',
  '<a href="javascript:alert(1)">',
  '<svg onload=alert(1)>',
  '<!--',
  '-->',
  ']]>',
  '<table><tr><td>',
  '</p>',
  '<style>',
  '<iframe srcdoc="<script>">',
  '&lt;script&gt;alert(1)&lt;/script&gt;',
  '"',
  '`',
  '](javascript:alert(1))',
  '&#106;avascript:',
  '<noscript>',
  '<math><mtext>',
  '<a href="data:text/html,x">',
  '<xmp>',
  '\\',
  '\n',
  '[',
  '![',
  '<ul><li>',
  '</li>',
)
test('no script, event or unsafe address survives, whatever the HTML (attacks 94–96)', () => {
  fc.assert(
    fc.property(fc.array(hostileParts, { maxLength: 25 }), (parts) => {
      const { html, removed } = sanitize(markdown.render(convert(parts.join(''))).html)
      assert.deepEqual(removed, [])
      assert.doesNotMatch(html, /<script|<svg|<iframe|\son\w+=(?=[^<]*>)|href="(?:javascript|data)/i)
    }),
    { numRuns: isDeep ? 1000 : 250 },
  )
})

/** A megabyte in a deep run. In a usual run a quarter of it, of which a cost that grows with the square would be seen as well. */
const size = isDeep ? 2 ** 20 : 2 ** 18
const filled = (part: string): string => part.repeat(Math.floor(size / part.length))
const costly: Readonly<Record<string, string>> = {
  'open items': `<ul>${filled('<li>a')}`,
  stars: filled('*a'),
  brackets: filled('[a]('),
  'line breaks': filled('a<br>'),
  'wide rows': `<table>${filled('<tr><td rowspan=200 colspan=40>a<td>b')}`,
  'spans of rows': `<table>${filled('<tr><td colspan=9999 rowspan=9999>x')}`,
  footnotes: filled('<a id=r1 href="#n1">1</a><p><a id=n1 href="#r1">1</a>x</p>'),
  'endings that end nothing': '<b>'.repeat(900) + filled('</i>'),
  'items of Word': filled('<p class=MsoListParagraph style="mso-list:l0 level9">· a</p>'),
  'headings with anchors': filled('<h1 id=a><a href=#a>b</a></h1>'),
  backslashes: filled('\\'),
}
// All of them in a deep run.
for (const [what, html] of Object.entries(costly).slice(0, isDeep ? undefined : 4))
  test(`a long text of ${what} costs as much as its length`, () =>
    assertLinear(what, html.length, async (length) => processorMs(() => void convert(html.slice(0, length)))))

test('HTML that is nested more deeply than any text is refused', () => {
  for (const part of ['<div>', '<b>', '<blockquote>a', '<table><tr><td>', '<ul><li>'])
    assert.throws(() => convert(filled(part)), TooDeep)
  assert.match(convert(`${'<blockquote>'.repeat(300)}deep`), /^(?:> ){10}deep$/)
})
