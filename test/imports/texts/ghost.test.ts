// Texts of Ghost: its cards as sections, callouts and links of ours.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { referencesIn } from '../../../src/imports/texts/convert-text.ts'
import type { ImportText } from '../../../src/imports/text.ts'
import { convert, lossesOf } from './convert.ts'

const text = (source: string): ImportText => ({ format: 'ghost', source })
const card = (name: string, inner: string, more = '') => `<div class="kg-card kg-${name}-card ${more}">${inner}</div>`

interface Case {
  readonly rule: string
  readonly source: string
  readonly markdown: string
  readonly losses?: readonly string[]
}

const cases: readonly Case[] = [
  {
    rule: 'a picture with its width and caption',
    source:
      '<figure class="kg-card kg-image-card kg-width-wide kg-card-hascaption"><img src="__GHOST_URL__/content/images/mill.jpg" class="kg-image" alt="Mill" srcset="x 1x"><figcaption><span>The mill</span></figcaption></figure><figure class="kg-card kg-image-card"><img src="__GHOST_URL__/content/images/size/w600/other.jpg"></figure>',
    markdown: '![Mill](/media/mill.jpg "The mill")\n\n![](/content/images/size/w600/other.jpg)',
  },
  {
    rule: 'a gallery',
    source:
      '<figure class="kg-card kg-gallery-card"><div class="kg-gallery-container"><div class="kg-gallery-row"><div class="kg-gallery-image"><img src="__GHOST_URL__/content/images/mill.jpg" alt="A"></div><div class="kg-gallery-image"><img src="https://x.example/b.jpg" alt="B"></div></div></div><figcaption>Both <b>mills</b></figcaption></figure>',
    markdown: '::: gallery\n![A](/media/mill.jpg)\n\n![B](https://x.example/b.jpg)\n:::\n\nBoth **mills**',
  },
  {
    rule: 'a film of another site, and a bookmark',
    source:
      '<figure class="kg-card kg-embed-card"><iframe src="https://www.youtube.com/embed/dQw4w9WgXcQ?feature=oembed"></iframe><figcaption>Film</figcaption></figure><figure class="kg-card kg-bookmark-card"><a class="kg-bookmark-container" href="__GHOST_URL__/bread/"><div class="kg-bookmark-content"><div class="kg-bookmark-title">Bread</div><div class="kg-bookmark-description">How it is made</div><div class="kg-bookmark-metadata"><img class="kg-bookmark-icon" src="i.ico"><span class="kg-bookmark-author">The Mill</span><span class="kg-bookmark-publisher">Ann</span></div></div><div class="kg-bookmark-thumbnail"><img src="t.jpg"></div></a></figure>',
    markdown:
      'https://www.youtube.com/watch?v=dQw4w9WgXcQ\n\nFilm\n\n> [Bread](/bread)\n>\n> How it is made\n>\n> Ann · The Mill',
  },
  {
    rule: 'callouts and toggles',
    source:
      card(
        'callout',
        '<div class="kg-callout-emoji">💡</div><div class="kg-callout-text">Mind <b>the</b> gap<br>now</div>',
        'kg-callout-card-yellow',
      ) +
      card('callout', '<div class="kg-callout-text">Plain</div>', 'kg-callout-card-grey') +
      card(
        'toggle',
        '<div class="kg-toggle-heading"><h4 class="kg-toggle-heading-text">Question</h4><button class="kg-toggle-card-icon"><svg><path/></svg></button></div><div class="kg-toggle-content"><p>Answer</p></div>',
      ),
    markdown:
      '> [!WARNING] 💡\n> Mind **the** gap\\\n> now\n\n> [!NOTE]\n> Plain\n\n<details>\n\n<summary>Question</summary>\n\nAnswer\n\n</details>',
  },
  {
    rule: 'buttons, products, headers and calls',
    source:
      card('button', '<a href="__GHOST_URL__/bread/" class="kg-btn kg-btn-accent">Order</a>') +
      card(
        'product',
        '<div class="kg-product-card-container"><img src="__GHOST_URL__/content/images/mill.jpg" class="kg-product-card-image"><div><h4 class="kg-product-card-title">Rye</h4></div><div class="kg-product-card-rating"><span><svg></svg></span></div><div class="kg-product-card-description"><p>Dark</p></div><a href="https://shop.example/" class="kg-product-card-button"><span>Buy</span></a></div>',
      ) +
      card(
        'header',
        '<h2 class="kg-header-card-header">Welcome</h2><h3>To the mill</h3><a class="kg-header-card-button" href="/go">Go</a>',
      ) +
      card('cta', '<div class="kg-cta-text"><p>Come by</p></div><a class="kg-cta-button" href="/come">Come</a>'),
    markdown:
      '::: button {href="/bread"}\nOrder\n:::\n\n::: text {image="/media/mill.jpg" button="Buy" href="https://shop.example/"}\n#### Rye\n\nDark\n:::\n\n::: hero {button="Go" href="/go"}\n## Welcome\n\n### To the mill\n:::\n\n::: call {button="Come" href="/come"}\nCome by\n:::',
  },
  {
    rule: 'files, sound and film',
    source:
      card(
        'file',
        '<a class="kg-file-card-container" href="__GHOST_URL__/content/files/p.pdf" title="Download" download><div class="kg-file-card-title">Plan</div><div class="kg-file-card-caption">Of the mill</div><div class="kg-file-card-metadata"><div class="kg-file-card-filename">p.pdf</div><div class="kg-file-card-filesize">1 MB</div></div></a>',
      ) +
      card(
        'audio',
        '<div class="kg-audio-player-container"><audio src="/content/media/s.mp3" preload="metadata"></audio><div class="kg-audio-title">Song</div><div class="kg-audio-player"><button><svg></svg></button><span class="kg-audio-current-time">0:00</span></div></div>',
      ) +
      '<figure class="kg-card kg-video-card"><div><video src="https://x.example/v.mp4" poster="p.jpg"></video><div class="kg-video-overlay"><button>1x</button></div></div><figcaption>Wheel</figcaption></figure>',
    markdown:
      '[Plan](/content/files/p.pdf)\n\nOf the mill\n\n[Song](/content/media/s.mp3)\n\n[v.mp4](https://x.example/v.mp4)\n\nWheel',
  },
  {
    rule: 'code with its language and caption, HTML cards through the cleaner',
    source:
      '<figure class="kg-card kg-code-card"><pre><code class="language-js">a &lt; b</code></pre><figcaption>Less</figcaption></figure><!--kg-card-begin: html--><div onclick="x()">Own <script>1</script><table><tr><th>A</th><th>B</th></tr><tr><td>1</td><td>2</td></tr></table></div><!--kg-card-end: html-->',
    markdown: '```js\na < b\n```\n\nLess\n\nOwn\n\n| A | B |\n| --- | --- |\n| 1 | 2 |',
    losses: ['html <script>'],
  },
  {
    rule: 'borders, members and mails',
    source:
      '<p>Free</p><!--members-only--><p>Paid</p>' +
      card('email', '<p>Hello {first_name}</p>') +
      card('signup', '<form><input></form><h2>Join</h2>') +
      '<!--kg-gated-block:begin nonMember:false memberSegment:"status:paid" --><p>Secret</p><!--kg-gated-block:end--><!--kg-gated-block:begin nonMember:true memberSegment:"" --><p>Public</p><!--kg-gated-block:end-->',
    markdown: 'Free\n\nPaid\n\nPublic',
    losses: ['card kg-email-card', 'card kg-signup-card', 'paywall members-only', 'paywall kg-gated-block'].toSorted(),
  },
]

for (const { rule, source, markdown, losses = [] } of cases)
  test(`a text of Ghost: ${rule}`, () => {
    const converted = convert(text(source))
    assert.equal(converted.markdown, markdown)
    assert.deepEqual([...new Set(lossesOf(converted))].filter((one) => !/<(?:svg)>/.test(one)).toSorted(), losses)
  })

test('the address of the old site is a mark, and each reference is told once', () => {
  const source = '<a href="__GHOST_URL__/bread/#x">a</a><a href="__GHOST_URL__/bread/#x">b</a><a href="__GHOST_URL__/">c</a>'
  assert.deepEqual(referencesIn(text(source)).addresses, ['__GHOST_URL__/bread/#x', '__GHOST_URL__/'])
  assert.equal(convert(text(source)).markdown, '[a](/bread/#x)[b](/bread/#x)[c](/)')
})
