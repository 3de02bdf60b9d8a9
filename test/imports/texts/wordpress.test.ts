// Texts of WordPress: with blocks and without, with shortcodes of both generations, and what is listed as lost.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { referencesIn } from '../../../src/imports/texts/convert-text.ts'
import type { ImportText } from '../../../src/imports/text.ts'
import { convert, lossesOf } from './convert.ts'

const text = (source: string): ImportText => ({ format: 'wordpress', source })
const video = 'https://www.youtube.com/watch?v=d_w4w9_gX_Q'
const block = (name: string, html: string, values = '') =>
  `<!-- wp:${name}${values && ` ${values}`} -->${html}<!-- /wp:${name} -->`
const paragraph = (words: string) => block('paragraph', `<p>${words}</p>`)

interface Case {
  readonly rule: string
  readonly source: string
  readonly markdown: string
  readonly losses?: readonly string[]
}

const cases: readonly Case[] = [
  {
    rule: 'an empty line ends a paragraph, and any other line end is a break',
    source: 'Flour\nand <b>water,\r\n\r\nthen</b> salt.<br />\nWait.',
    markdown: 'Flour\\\nand **water,**\n\n**then** salt.\\\nWait.',
  },
  {
    rule: 'lines beside blocks are no breaks',
    source:
      '<h2>List</h2>\n<ul>\n<li>One\ntwo</li>\n\n<li>Three</li>\n</ul>\nEnd\n<blockquote>Q\n\nR</blockquote>\n<pre>a\n\n  b</pre>',
    markdown: '## List\n\n- One\\\n  two\n- Three\n\nEnd\n\n> Q\n>\n> R\n\n```\na\n\n  b\n```',
  },
  {
    rule: 'the title is said once, and other headings of level 1 sink',
    source: '<h1>The Mill</h1>\n<h1>History</h1>\n<h2>Wheel</h2>',
    markdown: '## History\n\n### Wheel',
  },
  {
    rule: 'the address of a video alone on its line',
    source: `Look:\n${video}\nand ${video} not\n\n${video}`,
    markdown: `Look:\n\n${video}\n\nand ${video} not\n\n${video}`,
  },
  {
    rule: 'a caption behind its picture',
    source:
      '[caption id="attachment_7" align="left" width="300"]<a href="https://old.example/mill.jpg"><img src="https://cdn.example/x-300x200.jpg" alt="" /></a> The <em>old</em> mill[/caption]',
    markdown: '[![Seven loaves](/media/seven.jpg "The old mill")](/media/mill.jpg)',
  },
  {
    rule: 'a caption in an attribute, with a link',
    source: `[caption id="" caption="By <a href='https://ann.example/'>Ann</a>"]<img src="https://old.example/mill.jpg" alt="Mill" />[/caption]`,
    markdown:
      '<figure>\n\n![Mill](/media/mill.jpg)\n\n<figcaption>\n\nBy [Ann](https://ann.example/)\n\n</figcaption>\n\n</figure>',
  },
  {
    rule: 'a gallery by ids',
    source: '[gallery columns="2" ids="7,8,404"]',
    markdown:
      '::: gallery {columns="2"}\n![Seven loaves](/media/seven.jpg "Baked at four")\n\n![Eight rolls](/media/eight.jpg)\n:::',
    losses: ['picture [gallery]'],
  },
  {
    rule: 'a gallery of the own pictures',
    source: '[gallery]',
    markdown: '::: gallery\n![One](/media/one.png)\n\n![](/media/two.png)\n:::',
  },
  {
    rule: 'a gallery of which nothing is there',
    source: '[gallery ids="404"]',
    markdown: '[gallery ids="404"]',
    losses: ['picture [gallery]'],
  },
  {
    rule: 'sound and film',
    source:
      '[audio mp3="https://a.example/x.mp3"][/audio]\n\n[audio]\n\n[playlist ids="9"]\n\n[video src="https://youtu.be/dQw4w9WgXcQ"]',
    markdown:
      '[x.mp3](https://a.example/x.mp3)\n\n[A talk](/media/talk.mp3)\n\n[The song of the miller](/media/song.mp3)\n\nhttps://youtu.be/dQw4w9WgXcQ',
  },
  {
    rule: 'pages of other sites',
    source:
      '[embed width="300"]https://page.example/a[/embed]\n\n[youtube=https://youtu.be/dQw4w9WgXcQ&amp;w=320]\n\n[vimeo 123]\n\n[youtube]',
    markdown: '<https://page.example/a>\n\nhttps://youtu.be/dQw4w9WgXcQ\n\nhttps://vimeo.com/123\n\n[youtube]',
    losses: ['shortcode [youtube]'],
  },
  {
    rule: 'code is read by nothing else',
    source:
      '[code language="php"]\n<?php if ($a < 1) { echo "[gallery]"; }\n\n\n$b &amp;&amp; 2;\n[/code]\n\n<code>[gallery]</code>',
    markdown: '```php\n<?php if ($a < 1) { echo "[gallery]"; }\n\n\n$b && 2;\n```\n\n`[gallery]`',
  },
  {
    rule: 'unknown shortcodes stay, and are no syntax of ours',
    source: '[[gallery]] [1] [sic] [rev_slider alias="x"](y) [a]: b\n\n[note]Mind[/note]\n::: hero\n[contact-form-7 id="5"]',
    markdown:
      '[gallery] [1] [sic] [rev_slider alias="x"\\](y) [a]: b\n\n[note]Mind[/note]\\\n\\::: hero\\\n[contact-form-7 id="5"]',
    losses: ['shortcode [rev_slider]', 'shortcode [note]', 'form [contact-form-7]'],
  },
  {
    rule: 'page builders leave their text',
    source:
      '[vc_row][vc_column width="1/2"][vc_custom_heading text="Bread"]<p>Rye</p>[vc_single_image image="8"][/vc_column][/vc_row][et_pb_button button_url="https://old.example/2019/05/bread/" button_text="More"]',
    markdown: '## Bread\n\nRye\n\n![Eight rolls](/media/eight.jpg)\n\n[More](/bread)',
    losses: ['vc_row', 'vc_column', 'vc_custom_heading', 'vc_single_image', 'et_pb_button'].map(
      (name) => `page builder [${name}]`,
    ),
  },
  {
    rule: 'nothing runs (attack 163)',
    source:
      '<p onclick="x()">A <a href="javascript:alert(1)">b</a></p><script>c()</script><iframe src="https://evil.example/"></iframe><style>p{}</style>O:8:"stdClass":0:{}',
    markdown: 'A b\n\n[evil.example](https://evil.example/)\n\nO:8:"stdClass":0:{}',
    losses: ['html <script>', 'html <style>'],
  },
  {
    rule: 'columns, and those within columns',
    source: block(
      'columns',
      `<div>${block('column', `<div>${paragraph('Left')}</div>`)}${block('column', block('columns', block('column', paragraph('A')) + block('column', paragraph('B'))))}</div>`,
    ),
    markdown: '::: columns\n::: column\nLeft\n:::\n::: column\nA\n\nB\n:::\n:::',
  },
  {
    rule: 'a cover with its button, and a button by itself',
    source:
      block(
        'cover',
        `<div class="wp-block-cover"><img class="wp-block-cover__image-background" src="https://old.example/mill.jpg"><div>${block('heading', '<h2>Big</h2>')}${block('button', '<div><a href="/go">Go</a></div>')}</div></div>`,
        '{"url":"https:\\/\\/old.example\\/mill.jpg"}',
      ) + block('buttons', block('button', '<div><a href="https://old.example/2019/05/bread/">Bread</a></div>')),
    markdown: '::: hero {image="/media/mill.jpg" button="Go" href="/go"}\n## Big\n:::\n\n::: button {href="/bread"}\nBread\n:::',
  },
  {
    rule: 'a text beside a picture',
    source: block(
      'media-text',
      `<div><figure class="wp-block-media-text__media"><img src="https://gone.example/7.jpg"></figure><div>${paragraph('Words')}</div></div>`,
      '{"mediaId":7,"mediaPosition":"right"}',
    ),
    markdown: '::: text {image="/media/seven.jpg" alt="Seven loaves"}\nWords\n:::',
  },
  {
    rule: 'galleries of both generations',
    source:
      block(
        'gallery',
        `<figure>${block('image', '<figure><img src="a.jpg"/><figcaption>C</figcaption></figure>', '{"id":7}')}${block('image', '<figure><img src="b.jpg"/></figure>', '{"id":8}')}<figcaption>Both</figcaption></figure>`,
      ) +
      block(
        'gallery',
        '<ul class="blocks-gallery-grid"><li><figure><img src="a.jpg" data-id="7"/></figure></li><li><figure><img src="b.jpg" data-id="8"/></figure></li></ul>',
        '{"columns":2}',
      ),
    markdown:
      '::: gallery\n![Seven loaves](/media/seven.jpg "C")\n\n![Eight rolls](/media/eight.jpg)\n:::\n\nBoth\n\n::: gallery {columns="2"}\n![Seven loaves](/media/seven.jpg)\n\n![Eight rolls](/media/eight.jpg)\n:::',
  },
  {
    rule: 'embeds, files, verses and details',
    source:
      block(
        'embed',
        '<figure><div class="wp-block-embed__wrapper">\nx\n</div><figcaption>Film</figcaption></figure>',
        '{"url":"https://vimeo.com/1"}',
      ) +
      block(
        'file',
        '<div><a href="https://old.example/mill.jpg">Plan</a><a class="wp-block-file__button" href="https://old.example/mill.jpg">Download</a></div>',
      ) +
      block('verse', '<pre class="wp-block-verse">Red\nrose</pre>') +
      block('details', `<details><summary>More</summary>${paragraph('Hidden')}</details>`),
    markdown:
      'https://vimeo.com/1\n\nFilm\n\n[Plan](/media/mill.jpg)\n\nRed\\\nrose\n\n<details>\n\n<summary>More</summary>\n\nHidden\n\n</details>',
  },
  {
    rule: 'a lost backslash, in blocks alone',
    source:
      block('button', '<div><a>Go</a></div>') +
      block('social-links', '<ul><!-- wp:social-link {"url":"https://m.example/?au003d1u0026b=2","service":"web"} /--></ul>') +
      paragraph('u0026'),
    markdown: 'Go\n\n- [web](https://m.example/?au003d1&b=2)\n\nu0026',
  },
  {
    rule: 'notes beside the text',
    source: paragraph('Built.<sup data-fn="f-1" class="fn"><a href="#f-1" id="f-1-link">1</a></sup>') + '<!-- wp:footnotes /-->',
    markdown: 'Built.[^1]\n\n[^1]: The *archive* has the bill.',
  },
  {
    rule: 'what is made with the page is dropped',
    source:
      '<!-- wp:latest-posts {"n":3} /-->' +
      block('query', block('post-template', '<!-- wp:post-title /-->')) +
      '<!-- wp:acme/map /-->' +
      paragraph('Rest'),
    markdown: 'Rest',
    losses: ['block wp:latest-posts', 'block wp:query', 'block wp:acme/map'],
  },
  {
    rule: 'blocks that do not end, and ends without a beginning',
    source: `<!-- /wp:quote --><!-- wp:group --><div>${paragraph('A')}<!-- wp:image {"id":not json} --><p>B</p>`,
    markdown: 'A\n\nB',
  },
]

for (const { rule, source, markdown, losses = [] } of cases)
  test(`a text of WordPress: ${rule}`, () => {
    const converted = convert(text(source))
    assert.equal(converted.markdown, markdown)
    assert.deepEqual([...new Set(lossesOf(converted))], losses)
  })

test('a reusable block stands in the text, and one that contains itself does so once', () => {
  const entries = new Map([['12', text(`${paragraph('Reused')}<!-- wp:block {"ref":12} /-->`)]])
  const source = '<!-- wp:block {"ref":12} /--><!-- wp:block {"ref":13} /-->'
  const converted = convert(text(source), { entries })
  assert.equal(converted.markdown, 'Reused')
  assert.deepEqual(lossesOf(converted), ['block wp:block', 'block wp:block'])
  assert.deepEqual(referencesIn(text(source)).entries, ['12', '13'])
})

test('the words before the border are the excerpt', () => {
  assert.equal(convert(text('One <b>two</b>\n\nthree<!--more Read on-->\n\nfour')).excerpt, 'One two three')
  assert.equal(convert(text(`${paragraph('One')}${block('more', '<!--more-->')}${paragraph('two')}`)).excerpt, 'One')
  assert.equal(convert(text('<!--more-->\nOne<!--nextpage-->')).excerpt, undefined)
})

test('references are told as they stand in the text', () => {
  const source =
    '<a href=" /about?x=1#y ">a</a> <img class="wp-image-7" src="//cdn.example/a.jpg"> [gallery ids="8"] <a href="mailto:a@b.example">m</a><a href="#x">x</a>'
  assert.deepEqual(referencesIn(text(source)), {
    addresses: ['/about?x=1#y', '//cdn.example/a.jpg'],
    files: ['8', '7'],
    entries: [],
  })
})
