// What a writer may put on a page and what is taken out, told by reading the result as a browser does (parse5).
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { codePoint, fc } from '../../properties.ts'
import { allowedTags } from '../../../src/content/markdown/allowed-markup.ts'
import { mayLoseMarkup } from '../../../src/content/markdown/markup.ts'
import { createMarkdown } from '../../../src/content/markdown/markdown.ts'
import { createSanitizer, type Sanitized } from '../../../src/content/markdown/sanitize.ts'
import { elementsOf } from '../elements.ts'

let sanitize: (html: string) => Sanitized
let toHtml: (markdown: string) => string

before(async () => {
  sanitize = await createSanitizer()
  const markdown = await createMarkdown()
  toHtml = (source) => markdown.render(source).html
})

const render = (markdown: string) => sanitize(toHtml(markdown))

const links = [
  '[x](javascript:alert(1))',
  '[x](JaVaScRiPt:alert(1))',
  '[x](&#106;avascript:alert(1))',
  '[x](&#x6A;&#x61;vascript&colon;alert(1))',
  '[x](java&Tab;script:alert(1))',
  '[x](<java\tscript:alert(1)>)',
  '<a href="java\nscript:alert(1)">x</a>',
  '<a href=" \u0001javascript:alert(1)">x</a>',
  '<a href="javascript&#58;alert(1)">x</a>',
  '<a href="jav&#x0A;ascript:alert(1)">x</a>',
  '<a href="vbscript:x">x</a>',
  '<a href="feed:javascript:alert(1)">x</a>',
  '[x](data:text/html;base64,PHNjcmlwdD4=)',
  '![x](data:image/svg+xml;base64,PHN2Zz4=)',
  '[x](//evil.example)',
  '<a href="/\\evil.example">x</a>',
  '<a href="\\\\evil.example">x</a>',
  '<a href="/\t/evil.example">x</a>',
  '![x](//evil.example/x.png)',
  '<img src="//evil.example/x.png">',
  '<img srcset="//evil.example/x.png 2x, data:image/png,x 3x">',
  '<javascript:alert(1)>',
  '[x]: javascript:alert(1)\n\n[x]',
  '<blockquote cite="javascript:alert(1)">x</blockquote>',
  '<video poster="javascript:alert(1)" src="data:text/html,x"></video>',
]

for (const source of links) {
  test(`attack 94: ${JSON.stringify(source)} points nowhere`, () => {
    const { html } = render(source)
    for (const { attributes } of elementsOf(html)) {
      for (const name of ['href', 'src', 'srcset', 'cite', 'poster']) assert.equal(attributes[name], undefined, html)
    }
  })
}

test('attack 94: what was dropped is told by name', () => {
  assert.deepEqual(render('[x](javascript:alert(1)) [y](//evil.example)').removed, ['javascript: link', 'protocol-relative link'])
})

test('links that a reader may follow stay as they are', () => {
  for (const address of [
    'https://a.example/b?c=d#e',
    'http://a.example',
    'mailto:a@b.example',
    'tel:+49301',
    '/about',
    'about',
    '../x',
    '?q=a:b',
  ]) {
    const { html, removed } = render(`[x](${address})`)
    assert.equal(elementsOf(html).find(({ tag }) => tag === 'a')?.attributes['href'], address)
    assert.deepEqual(removed, [])
  }
})

const inert = [
  '<xmp><img src=x onerror=alert(1)></xmp>',
  '<xmp></xmp><script>alert(1)</script>',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>"></noscript>',
  '<svg><style><img src=x onerror=alert(1)></style></svg>',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=x onerror=alert(1)&gt;">',
  '<template><script>alert(1)</script></template>',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  '<base href="https://evil.example/">',
  '<form action="https://evil.example/"><input name=password><button>x</button></form>',
  '<p style="position:fixed">x</p>',
  '<p onclick="alert(1)" ONMOUSEOVER=alert(1)>x</p>',
  '<h2 id="body">x</h2><h2 id="h-x&quot;onclick=">x</h2>',
  '<a id="cookie" name="cookie">x</a>',
  '<img name="getElementById" src="/x.png">',
  '<object data="x"></object><embed src="x"><applet></applet>',
  '<meta http-equiv="refresh" content="0;url=https://evil.example"><link rel="stylesheet" href="/x.css">',
  '<!--<img src="--><img src=x onerror=alert(1)//">',
  '<![CDATA[<img src=x onerror=alert(1)>]]>',
  '<select><style></select><img src=x onerror=alert(1)></style></select>',
  '<textarea></textarea><script>alert(1)</script>',
  '<title></title><style><img src="</style><img src=x onerror=alert(1)//">',
  '<plaintext><script>alert(1)</script>',
  '<p <script>alert(1)</script>',
  '<img src="/x.png"onerror=alert(1)>',
  '<details ontoggle=alert(1) open>x</details>',
  '<a href="/x" target="_blank" ping="https://evil.example">x</a>',
]

for (const source of inert) {
  test(`attack 95: ${JSON.stringify(source)} is inert`, () => assertInert(sanitize(source).html))
  test(`attack 95: ${JSON.stringify(source)} is inert in Markdown`, () => assertInert(render(source).html))
}

/** Read as a browser reads it, only allowed elements are there, with no attribute that acts, names or styles. */
function assertInert(html: string): void {
  for (const { tag, attributes } of elementsOf(html)) {
    assert.ok(allowedTags.includes(tag), `<${tag}> in ${html}`)
    for (const [name, value] of Object.entries(attributes)) {
      assert.doesNotMatch(name, /^on|^style$|^srcdoc$|^name$|^ping$/, html)
      if (name === 'target')
        assert.match(html, /<a [^>]*target="_blank"[^>]*rel="noopener|<a [^>]*rel="noopener[^>]*target="_blank"/)
      if (name === 'id') assert.match(value, /^h-[\p{L}\p{N}\p{M}-]+$/u)
      if (name === 'href' || name === 'src') assert.doesNotMatch(value, /^\s*(?:javascript|data|vbscript):|^\/\//i)
    }
  }
}

test('attack 95: what was taken out is told once each, and a hostile name cannot flood the answer', () => {
  assert.deepEqual(sanitize('<script>a</script><script>b</script><p style="a" onclick="b">c</p>').removed, [
    '<script>',
    'style attribute',
    'onclick attribute',
  ])
  const many = Array.from({ length: 500 }, (_, n) => `<x${n}${'y'.repeat(500)}>`).join('')
  const { removed } = sanitize(many)
  assert.ok(removed.length <= 20 && removed.every((name) => name.length <= 48))
})

test('attack 96: fence info, alt text, titles and heading ids are escaped where they stand', () => {
  const { html } = render(
    '```"><script>alert(1)</script>\nx\n```\n\n![a"><script>](/x.png "t\\"><script>")\n\n# "><script>alert(1)</script>',
  )
  assertInert(html)
  const [heading] = elementsOf(html).filter(({ tag }) => tag === 'h1')
  assert.match(heading?.attributes['id'] ?? '', /^h-[a-z0-9-]+$/)
  assert.equal(elementsOf(html).find(({ tag }) => tag === 'img')?.attributes['alt'], 'a"><script>')
})

test('what a writer expects comes through', () => {
  const source = [
    '| a | b |\n|:--|--:|\n| 1 | 2 |',
    '<figure><picture><source srcset="/a.webp 1x, /b.webp 2x" type="image/webp"><img src="/a.jpg" alt="A"></picture><figcaption>F</figcaption></figure>',
    '<video src="/a.mp4"></video>',
    '<details open><summary>S</summary>\n\nMore *text*\n\n</details>',
    '```js\nlet a = 1 < 2\n```',
    'H<sub>2</sub>O ~~no~~ <kbd>Ctrl</kbd> https://a.example/b',
  ].join('\n\n')
  const { html, removed } = render(source)
  assert.deepEqual(removed, [])
  const found = new Set(elementsOf(html).map(({ tag }) => tag))
  for (const tag of ['table', 'picture', 'source', 'img', 'figcaption', 'video', 'details', 'summary', 'sub', 's', 'kbd', 'a'])
    assert.ok(found.has(tag), tag)
  assert.match(html, /<td class="right">2<\/td>/)
  assert.match(html, /<code class="language-js"><span class="code-keyword">let<\/span> a = /)
  assert.match(html, /<video src="\/a\.mp4" controls[ >=]/)
})

test('words that look like addresses are left alone', () => {
  assert.equal(render('See README.md and //comment and 1.2.3.4').html, '<p>See README.md and //comment and 1.2.3.4</p>\n')
})

test('headings get unique ids that begin with h-, and links within the text find them', () => {
  const { html } = render('# Prices\n\n## Prices\n\n## *Über* `uns`\n\n##\n\n> # Quoted\n\n[p](#prices)')
  const ids = elementsOf(html).flatMap(({ attributes }) => (attributes['id'] === undefined ? [] : [attributes['id']]))
  assert.deepEqual(ids, ['h-prices', 'h-prices-2', 'h-über-uns', 'h-section'])
  assert.match(html, /<a href="#h-prices">/)
})

const hostile = fc
  .array(
    fc.oneof(
      fc.string({ unit: codePoint, maxLength: 12 }),
      fc.constantFrom(...links, ...inert),
      fc.constantFrom(
        '<',
        '>',
        '"',
        "'",
        '</',
        '<!--',
        '-->',
        '<svg>',
        '</p>',
        '<table>',
        '<a href=',
        ' onerror=x ',
        '```',
        '\n\n',
        '    ',
        '[x](',
        'javascript:',
        '[^a]',
        '\n[^a]: ',
        '\n> [!NOTE] ',
        '- [x] ',
        '\n: ',
        '```html\n',
        '\n\nhttps://youtu.be/dQw4w9WgXcQ\n\n',
        '![a](/b.mp4 "c")',
        '&#106;',
      ),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(''))

test('any text becomes HTML that reads the same after it was written out, with no script and no javascript: address', () => {
  fc.assert(
    fc.property(hostile, (source) => {
      const { html } = render(source)
      assertInert(html)
      assert.equal(sanitize(html).html, html, 'cleaning what is clean changes nothing')
    }),
    { numRuns: 1500, examples: [['<p <script>alert(1)</script>[x](<java\tscript:alert(1)>)<table>']] },
  )
})

const pieces = [
  '[a]',
  '(',
  ')',
  '](',
  '](https://a.example',
  '](/b',
  '](#c',
  '!',
  '[',
  ']',
  ':',
  '//',
  '/',
  '\\',
  '#',
  '*',
  '`',
  '\n',
  ' ',
  'javascript',
  'a',
]

test('attack 94: a text that is taken to lose nothing without rendering it loses nothing', () => {
  const texts = fc
    .array(fc.constantFrom(...pieces, '&#58;', '&', '"', '|', '>', '-'), { maxLength: 30 })
    .map((parts) => parts.join(''))
  fc.assert(
    fc.property(texts, (text) => {
      fc.pre(!mayLoseMarkup(text, false))
      assert.deepEqual(render(text).removed, [])
    }),
  )
  const hostile = links.filter((link) => render(link).removed.length > 0)
  assert.deepEqual(
    hostile.filter((link) => !mayLoseMarkup(link, false)),
    [],
  )
})
