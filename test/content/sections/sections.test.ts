// Sections of a text: the HTML of each kind, what is no section, and what a mistake is told.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMarkdown } from '../../../src/content/markdown/markdown.ts'
import { type PageMedia, withMedia } from '../../../src/content/markdown/media-images.ts'
import { createSanitizer } from '../../../src/content/markdown/sanitize.ts'
import { maxItems, maxSections, type SectionKind, sectionKinds } from '../../../src/content/sections/kinds.ts'
import { processorMs } from '../../processor-time.ts'

const markdown = await createMarkdown()
const sanitize = await createSanitizer()

function render(source: string) {
  const { html, notices } = markdown.render(source)
  const { html: clean, removed } = sanitize(html)
  return { html: clean, removed, told: notices.map(({ line, message }) => `${line}: ${message}`) }
}

for (const [what, stray] of [
  ['an opening line that is never closed', '::: note'],
  ['code within a line that begins with three backticks', '```npm i``` installs it.'],
] as const)
  test(`${what} is no border of the sections below it`, () => {
    const { html } = render(`${stray}\n\n::: hero\n## Bread\n:::\n`)
    assert.match(html, /<section class="section is-hero/)
  })

for (const [kind, { example, within }] of Object.entries(sectionKinds as Readonly<Record<string, SectionKind>>)) {
  test(`the example of ${kind} is a section, with nothing removed and nothing told`, () => {
    const source = within ? `::: ${within[0]}\n${example}\n:::` : example
    const { html, removed, told } = render(source)
    assert.deepEqual([removed, told], [[], []])
    assert.doesNotMatch(html, /:::/)
    assert.match(
      html,
      kind === 'button'
        ? /^<p class="section-action"><a class="button" href="\/order">Order\n?<\/a><\/p>/
        : /^<section class="section is-/,
    )
  })
}

const htmls: readonly (readonly [what: string, source: string, html: RegExp])[] = [
  ['attributes in any quotation marks', "::: hero {button='Go' href=/a}\n:::", /<a class="button" href="\/a">Go<\/a>/],
  [
    'a choice is a class',
    '::: text {side="start" image="/media/a.jpg"}\nx\n:::',
    /class="section is-text side-start with-picture"/,
  ],
  ['more colons open and close too', ':::: hero\nx\n::::', /is-hero/],
  [
    'a section ends a paragraph',
    'before\n::: call\nx\n:::\nafter',
    /^<p>before<\/p>\n<section class="section is-call">[^]*<\/section>\n<p>after<\/p>/,
  ],
  [
    'a callout',
    '::: warning\nIcy.\n:::',
    /<div class="callout warning" role="note">\n<p class="callout-title">Warning<\/p>\n<p>Icy\.<\/p>/,
  ],
  [
    'questions open their answers',
    '::: faq\n### A?\nB.\n\n### C?\nD.\n:::',
    /<details>\n<summary>A\?<\/summary>\n<p>B\.<\/p>\n<\/details>\n<details>\n<summary>C\?/,
  ],
  [
    'pictures of a gallery lead to their full size',
    '::: gallery\n![a](/media/a.jpg)\n:::',
    /<a href="\/media\/a\.jpg"><img src="\/media\/a\.jpg" alt="a" \/><\/a>/,
  ],
  [
    'a picture of a gallery without a description is a link with a name',
    '::: gallery\n![a](/media/a.jpg)\n\n![](/media/b.jpg) ![ ](/media/c.jpg)\n:::',
    /<a href="\/media\/a\.jpg"><img[^]*<a href="\/media\/b\.jpg" aria-label="Picture 2"><img[^]*aria-label="Picture 3"/,
  ],
  ['headings have ids after those of the text', '::: hero\n## A\n:::\n\n## A', /<h2 id="h-a-2">[^]*<h2 id="h-a">/],
  ['code may have such lines', '::: text\n```\n:::\n```\n:::', /is-text[^]*<pre[^]*:::[^]*<\/section>/],
]
for (const [what, source, html] of htmls) test(`sections: ${what}`, () => assert.match(render(source).html, html))

test('the name of a link to a picture is in the language of the text', () => {
  const { html } = markdown.render('::: gallery\n![](/media/b.jpg)\n:::', { language: 'de' })
  assert.match(sanitize(html).html, /<a href="\/media\/b\.jpg" aria-label="Bild 1">/)
})

test('where the library describes a picture of a gallery, the description is the name of its link', () => {
  const { html } = render('::: gallery\n![](/media/a.jpg)\n\n![](/media/b.jpg)\n:::')
  const file = (alt: string | null): PageMedia => ({
    kind: 'image',
    url: '/media/x.jpg',
    width: 6,
    height: 4,
    alt,
    placeholder: null,
    sizes: [],
  })
  const base = 'https://example.org'
  const shown = withMedia(
    html,
    base,
    new Map([
      ['/media/a.jpg', file('A loaf')],
      ['/media/b.jpg', file(null)],
    ]),
  )
  assert.match(
    shown,
    /<a href="\/media\/a\.jpg"><img [^>]*alt="A loaf"[^]*<a href="\/media\/b\.jpg" aria-label="Picture 2"><img [^>]*alt=""/,
  )
})

const plain: readonly (readonly [what: string, source: string, told: RegExp])[] = [
  ['an unknown kind', '::: hro\nx\n:::', /^1: There is no section “hro”, so it appears as text\. Did you mean "hero"\?$/],
  ['a section that is never closed', '::: hero\nx', /^1: “::: hero” opens no section/],
  ['a card by itself', '::: card\nx\n:::', /^1: A section “card” stands within “cards” or “columns”/],
  ['in a list', '- a\n\n  ::: hero\n  x\n  :::', /^3: “::: hero” opens no section/],
  ['in a quotation', '> ::: hero\n> x\n> :::', /^1: “::: hero” opens no section/],
  ['after spaces', ' ::: hero\nx\n:::', /opens no section/],
]
for (const [what, source, told] of plain)
  test(`what is no section stays text, and is told: ${what}`, () => {
    const found = render(source)
    assert.doesNotMatch(found.html, /<section/)
    assert.match(found.html, /:::/)
    assert.match(found.told[0] ?? '', told)
  })

const mistakes: readonly (readonly [source: string, told: string])[] = [
  ['::: hero {imag="/media/a.jpg"}\n:::', '1: The section “hero” has no attribute “imag”. Did you mean "image"?'],
  ['::: hero {align="left"}\n:::', '1: “align” must be one of start, center.'],
  ['::: cards {columns="9"}\n:::', '1: “columns” must be a number from 1 to 4.'],
  ['::: map\nx\n:::', '1: The section “map” needs the attribute “address”.'],
  ['::: hero {button="Go"}\n:::', '1: The button has no address: give `href`.'],
  [
    '::: embed {address="https://example.org/x"}\n:::',
    '1: “https://example.org/x” is no page of a video or map that can be shown here: it appears as a link.',
  ],
  ['::: hero {==}\n:::', '1: “==” is no attribute: write name="value", with spaces between.'],
  ['::: hero\n::: call\nx\n:::\n:::', '2: Sections nest one level: “call” within “hero” appears as text.'],
]
for (const [source, told] of mistakes) test(`a mistake is told: ${told}`, () => assert.deepEqual(render(source).told, [told]))

for (const address of [
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'data:text/html,x',
  '//elsewhere.example',
  'vbscript:x',
  '\u0001javascript:alert(1)',
  'a" onclick="alert(1)',
])
  test(`attacks 94 to 96: no attribute carries ${JSON.stringify(address)}`, () => {
    const source = `::: hero {image='${address}' button='x" onmouseover="alert(1)' href='${address}' alt='<script>alert(1)</script>'}\n:::\n\n::: map {address='${address}'}\n:::`
    const { html } = render(source)
    assert.doesNotMatch(html, /<script|javascript:|data:|vbscript:|elsewhere|<[^>]*\son\w+=/i)
  })

test('the numbers of sections and of their parts are limited, and the rest is text', () => {
  const many = render('::: call\nx\n:::\n\n'.repeat(maxSections + 1))
  assert.equal(many.html.match(/<section/g)?.length, maxSections)
  assert.match(many.told[0] ?? '', /100 sections at most/)
  const parts = render(`::: cards\n${'::: card\nx\n:::\n'.repeat(maxItems + 1)}:::`)
  assert.equal(parts.html.match(/section-item"/g)?.length, maxItems)
  assert.match(parts.told[0] ?? '', /50 parts at most/)
})

test('attack 131: a text of such lines takes time that grows with its length', () => {
  for (const line of [
    '::: hero\n',
    ':::\n',
    '::: hero\n:::\n',
    '::: hero {a="',
    '::: cards\n::: card\n',
    `::: hero {${'a '.repeat(20)}\n`,
  ]) {
    const time = (count: number) => processorMs(() => markdown.render(line.repeat(count)))
    time(1000)
    const [short, long] = [time(5000), time(20_000)]
    assert.ok(long < Math.max(400, 12 * short), `${JSON.stringify(line)}: ${short} and ${long} ms`)
  }
})
