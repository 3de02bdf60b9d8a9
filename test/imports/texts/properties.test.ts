// Properties of all conversions: the words stay, nothing that is no syntax of ours becomes it, and the time grows with the length.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMarkdown } from '../../../src/content/markdown/markdown.ts'
import { textOfHtml } from '../../../src/content/markdown/plain-text.ts'
import { createSanitizer } from '../../../src/content/markdown/sanitize.ts'
import type { ImportText } from '../../../src/imports/text.ts'
import { isDeep } from '../../deep-run.ts'
import { processorMs } from '../../processor-time.ts'
import { type Arbitrary, fc } from '../../properties.ts'
import { convert } from './convert.ts'

const markdown = await createMarkdown()
const sanitize = await createSanitizer()

const wordsOf = (html: string): readonly string[] => textOfHtml(sanitize(html).html).match(/[\p{L}\p{N}]+/gu) ?? []

const word = fc.constantFrom('bread', 'rye', 'Mühle', '12', 'x')
const sign = fc.constantFrom(
  '[x]',
  '[x](y)',
  '[x]: y',
  ':::',
  '::: hero',
  '$5$',
  '*',
  '_a_',
  '# ',
  '1. ',
  '- ',
  '> ',
  '`',
  '```',
  '==',
  '{{a}}',
  '|',
  '\\',
  '&lt;b&gt;',
  '![y](z)',
  '[^1]',
  '~~',
  '+++',
  '---',
)
const inline = fc.letrec<{ readonly any: string; readonly marked: string; readonly words: string }>((tie) => ({
  words: fc.array(fc.oneof({ weight: 3, arbitrary: word }, sign), { minLength: 1, maxLength: 4 }).map((parts) => parts.join(' ')),
  marked: fc
    .tuple(fc.constantFrom('b', 'i', 'em', 'del', 'sub', 'sup', 'kbd', 'mark', 'code', 'a href="/x"', 'span', 'u'), tie('any'))
    .map(([tag, inner]) => `<${tag}>${inner}</${tag.split(' ')[0]}>`),
  any: fc.oneof(
    { depthSize: 'small' },
    tie('words'),
    fc.tuple(tie('words'), tie('marked')).map((parts) => parts.join(' ')),
  ),
})).any
const block = fc.letrec<{ readonly any: string; readonly leaf: string; readonly around: string; readonly list: string }>(
  (tie) => ({
    leaf: fc
      .tuple(fc.constantFrom('p', 'h2', 'h3', 'pre', 'div', 'figcaption'), inline)
      .map(([tag, inner]) =>
        tag === 'figcaption'
          ? `<figure><img src="/a.jpg" alt="alt"><figcaption>${inner}</figcaption></figure>`
          : `<${tag}>${inner}</${tag}>`,
      ),
    list: fc
      .tuple(fc.constantFrom('ul', 'ol'), fc.array(tie('any'), { minLength: 1, maxLength: 3 }))
      .map(([tag, items]) => `<${tag}>${items.map((item) => `<li>${item}</li>`).join('')}</${tag}>`),
    around: fc
      .tuple(fc.constantFrom('blockquote', 'section', 'aside'), fc.array(tie('any'), { minLength: 1, maxLength: 3 }))
      .map(([tag, inner]) => `<${tag}>${inner.join('\n')}</${tag}>`),
    any: fc.oneof({ depthSize: 'small' }, tie('leaf'), tie('around'), tie('list')),
  }),
).any
const html = fc.array(block, { minLength: 1, maxLength: 4 }).map((blocks) => blocks.join('\n\n'))

const sorted = (words: readonly string[]): readonly string[] => words.toSorted()

for (const format of ['html', 'wordpress', 'ghost'] as const)
  test(`all words of a text of ${format} are on the page, whatever signs are among them`, () => {
    fc.assert(
      fc.property(html, (source) => {
        const rendered = markdown.render(convert({ format, source }).markdown).html
        assert.deepEqual(sorted(wordsOf(rendered)), sorted(wordsOf(source)))
      }),
      { numRuns: isDeep ? 2000 : 150 },
    )
  })

test('conversion throws for no text', () => {
  const part = fc.constantFrom(
    '<!-- wp:columns {"a":1} -->',
    '<!-- /wp:columns -->',
    '<!-- wp:x /-->',
    '<!--more-->',
    '<!--:0-->',
    '[caption]',
    '[/caption]',
    '[gallery ids="7',
    '"]',
    '[code]',
    '[/code]',
    '<div class="kg-card kg-bookmark-card">',
    '<div class="kg-card kg-header-card">',
    '</div>',
    '<a href="',
    '">',
    '<pre>',
    '</pre>',
    '<script>',
    '[[Note',
    '|',
    ']]',
    '![[',
    '%%',
    '{{<',
    '>}}',
    '{%',
    '%}',
    '{{',
    'raw',
    'endraw',
    'highlight',
    '\n',
    '\n\n',
    '```',
    '`',
    '# ',
    '> ',
    '- ',
    '==',
    '\ue0f00\ue0f1',
    '\ue0f2',
    '\0',
    '\ud800',
    'words',
  )
  const dialect = fc.constantFrom('plain', 'jekyll', 'hugo', 'zola', 'eleventy', 'astro', 'obsidian')
  const text: Arbitrary<ImportText> = fc.oneof(
    fc.record({
      format: fc.constantFrom('html', 'wordpress', 'ghost'),
      source: fc.array(part, { maxLength: 30 }).map((parts) => parts.join('')),
    }),
    fc.record({
      format: fc.constant('markdown'),
      dialect,
      source: fc.array(part, { maxLength: 30 }).map((parts) => parts.join('')),
    }),
  )
  fc.assert(
    fc.property(text, (one) => void convert(one)),
    { numRuns: isDeep ? 5000 : 500 },
  )
})

const costly: readonly (readonly [ImportText['format'] | 'obsidian' | 'hugo' | 'jekyll', string])[] = [
  ['wordpress', '[caption]<img src="a.jpg">'],
  ['wordpress', `[x a="'<a '`],
  ['wordpress', '<!-- wp:group --><p>a</p>'],
  ['wordpress', '[code]<pre>"\n'],
  ['wordpress', 'a\n<br>\n[gallery ids="7"]'],
  ['ghost', '<div class="kg-card kg-callout-card">a</div>'],
  ['obsidian', '![[a [[b| %% ==c `d ``e\n'],
  ['obsidian', '> [!note] ![[Note]]\n|a|\n'],
  ['hugo', '{{< highlight {{< ref "a" {{< details >}} '],
  ['hugo', '{ \t{.a\n# \t\t\n'],
  ['jekyll', '{% raw %}{% highlight %}{{ "a" | {: '],
  ['jekyll', '[a](b(c) <iframe <script> <img src="\n'],
]

for (const [name, part] of costly)
  test(`a long text of ${name} costs as much as its length: ${JSON.stringify(part)}`, () => {
    const isHtml = name === 'wordpress' || name === 'ghost' || name === 'html'
    const textOf = (chars: number): ImportText => {
      const source = part.repeat(Math.ceil(chars / part.length))
      return isHtml ? { format: name, source } : { format: 'markdown', dialect: name as 'hugo', source }
    }
    const half = processorMs(() => void convert(textOf(50_000)))
    // The lesser of two: a collection of garbage of the files before only adds.
    const measure = (): number => processorMs(() => void convert(textOf(200_000)))
    const whole = Math.min(measure(), measure())
    assert.ok(whole < 8 * half + 300, `${half} ms for a quarter, ${whole} ms for all`)
  })
