// Texts in the dialects of Markdown: what each has of its own becomes ours, and code stays as it is.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ImportText, TextAnswers } from '../../../src/imports/text.ts'
import { convert, lossesOf } from './convert.ts'

type Markdown = Extract<ImportText, { format: 'markdown' }>

const text = (dialect: Markdown['dialect'], source: string): Markdown => ({ format: 'markdown', dialect, source })
const addresses: TextAnswers['addresses'] = new Map([
  ['page.md#a', '/page'],
  ['/about', '/about-us'],
  ['2010-07-21-name', '/name'],
  ['_posts/x.md', '/x'],
  ['@/blog/x.md', '/blog/x'],
  ['mill.jpg', '/media/mill.jpg'],
  ['https://old.example/a', '/a'],
  ['Note', '/note'],
  ['dir/My file.pdf', '/media/my-file.pdf'],
])

interface Case {
  readonly dialect: Markdown['dialect']
  readonly rule: string
  readonly source: string
  readonly markdown: string
  readonly losses?: readonly string[]
}

const video = 'https://www.youtube.com/watch?v=dQw4w9WgXcQ'

const cases: readonly Case[] = [
  {
    dialect: 'plain',
    rule: 'addresses of all kinds, but not those in code',
    source:
      '[a](mill.jpg "T") ![b](<mill.jpg>) [c][d] <https://old.example/a> <img alt="x" src="mill.jpg">\n\n[d]: https://old.example/a#top\n\n`[a](mill.jpg)` [m](mailto:a@b.example)\n\n    ~~~\n    [a](mill.jpg)\n    ~~~\n\n::: hero\n:::',
    markdown:
      '[a](/media/mill.jpg "T") ![b](/media/mill.jpg) [c][d] [https://old.example/a](/a) <img alt="x" src="/media/mill.jpg">\n\n[d]: https://old.example/a#top\n\n`[a](mill.jpg)` [m](mailto:a@b.example)\n\n    ~~~\n    [a](mill.jpg)\n    ~~~\n\n::: hero\n:::',
  },
  {
    dialect: 'plain',
    rule: 'the title is said once',
    source: '\n# The *Mill*\n\n## Wheel\n\nText',
    markdown: '## Wheel\n\nText',
  },
  {
    dialect: 'hugo',
    rule: 'other headings of level 1 sink',
    source: 'Other\n=====\n\nPart\n----\n\n# A\n###### F\n\n```\n# code\n```',
    markdown: 'Other\n-----\n\n### Part\n\n## A\n###### F\n\n```\n# code\n```',
  },
  {
    dialect: 'hugo',
    rule: 'shortcodes',
    source: `[r]({{< ref "page.md#a" >}}) [n]({{% relref "none.md" %}})\n\n{{< figure src="mill.jpg" alt="A" title="T" caption="C" link="https://old.example/a" >}}\n\n{{< youtube dQw4w9WgXcQ >}}\n\n{{< highlight js "linenos=table" >}}\na("{{< x >}}")\n{{< /highlight >}}\n\n{{< details summary="More" >}}\nHidden\n{{< /details >}}\n\n{{< notice tip >}}Mind{{< /notice >}}`,
    markdown: `[r](/page#a) [n](none.md)\n\n[![A](/media/mill.jpg "T – C")](/a)\n\n${video}\n\n\`\`\`js\na("{{< x >}}")\n\`\`\`\n\n<details>\n\n<summary>More</summary>\n\nHidden\n\n</details>\n\n{{< notice tip >}}Mind{{< /notice >}}`,
    losses: ['shortcode {{< notice >}}'],
  },
  {
    dialect: 'hugo',
    rule: 'shown shortcodes, attribute lists and lines of colons',
    source: 'Write `{{</* figure */>}}` or {{%/* x */%}}.\n\n## Head {#sec .x}\n\n[go](#sec)\n{.lead}\n\n::: hero\n{a: b}',
    markdown: 'Write `{{< figure >}}` or {{% x %}}.\n\n## <a id="h-sec"></a>Head\n\n[go](#sec)\n\n\\::: hero\n{a: b}',
  },
  {
    dialect: 'jekyll',
    rule: 'Liquid and kramdown',
    source:
      '* TOC\n{:toc}\n\n## Head\n{: .no_toc #x}\n\n[p]({% post_url 2010-07-21-name %}) [l]({% link _posts/x.md %}) [b]({{ site.baseurl }}/about) [u]({{ "/about" | relative_url }}){:target="_blank"}\n\n{% highlight ruby linenos %}\nputs "{{ x }}"\n{% endhighlight %}\n\n{% raw %}{{ literal }}{% endraw %} {% include box.html a="b" %}{% comment %}no{% endcomment %}',
    markdown:
      '## Head\n\n[p](/name) [l](/x) [b](/about-us) [u](/about-us)\n\n```ruby\nputs "{{ x }}"\n```\n\n{{ literal }} {% include box.html a="b" %}',
    losses: ['template {% include %}'],
  },
  {
    dialect: 'zola',
    rule: 'links between files, and videos',
    source: '[a](@/blog/x.md)\n\n{{ youtube(id="dQw4w9WgXcQ") }}\n\n{% quote(a=1) %}x{% end %}',
    markdown: `[a](/blog/x)\n\n${video}\n\n{% quote(a=1) %}x{% end %}`,
    losses: ['template {% quote %}'],
  },
  {
    dialect: 'eleventy',
    rule: 'templates are left and listed',
    source: '{% for a in b %}{{ a }}{% endfor %} [x]({{ "/about" | url }})',
    markdown: '{% for a in b %}{{ a }}{% endfor %} [x](/about-us)',
    losses: ['template {% for %}', 'template {{ a }}'],
  },
  {
    dialect: 'astro',
    rule: 'imports are left out, components listed',
    source:
      'import Box from "../Box.astro"\nexport const a = 1\n\nText\n\n<YouTube id="dQw4w9WgXcQ" />\n\n<Box a={1}>inside</Box>\n\n```js\nimport x from "y"\n```',
    markdown: `Text\n\n${video}\n\n<Box a={1}>inside</Box>\n\n\`\`\`js\nimport x from "y"\n\`\`\``,
    losses: ['component <Box>'],
  },
  {
    dialect: 'obsidian',
    rule: 'links and embeds in all forms',
    source:
      '[[Note]] [[Note|a *b*]] [[Note#Two words|x]] [[Note#A#B c]] [[#Here]] [[Note#^b1]] [[Gone|g]] `[[Note]]`\n\n| a |\n| - |\n| [[Note\\|n]] |\n\n![[mill.jpg]] ![[mill.jpg|Alt|300x20]] ![[dir/My file.pdf#page=3]] ![al|30](mill.jpg) ![250](https://x.example/a.png)',
    markdown:
      '[Note](/note) [a *b*](/note) [x](/note#two-words) [Note > A > B c](/note#b-c) [Here](#here) [Note](/note) g `[[Note]]`\n\n| a |\n| - |\n| [n](/note) |\n\n![](/media/mill.jpg) ![Alt](/media/mill.jpg) [dir/My file.pdf > page=3](/media/my-file.pdf#page-3) ![al](/media/mill.jpg) ![](https://x.example/a.png)',
    losses: ['link [[Gone]]'],
  },
  {
    dialect: 'obsidian',
    rule: 'a note in a note is a link, and named; files are links alone',
    source: '![[Note]]\n\nSee ![[Note#Two words]] and ![[dir/My file.pdf]]',
    markdown: '[Note](/note)\n\nSee [Note > Two words](/note#two-words) and [dir/My file.pdf](/media/my-file.pdf)',
    losses: ['embed ![[Note]]'],
  },
  {
    dialect: 'obsidian',
    rule: 'callouts, marks, comments and ids of blocks',
    source:
      '> [!danger]- Hot\n> body\n> more\n\n> [!note]+\n> x\n\na ==m== b %%secret\n\nstill%% c ^id-1\n\n1 == 2, `%%x%%`\n\n%%\nhidden',
    markdown: '> [!CAUTION] Hot\n> body\\\n> more\n\n> [!NOTE]\n> x\n\na <mark>m</mark> b  c\n\n1 == 2, `%%x%%`',
  },
  {
    dialect: 'obsidian',
    rule: 'lines end where they end, in paragraphs alone',
    source: 'One\ntwo\n- a\n  b\n- c\n\n## H\nx\n| a | b |\n| - | - |\n| 1 | 2 |\n#tag/sub y\n---\n```\na\nb\n```\nend',
    markdown: 'One\\\ntwo\n- a\\\n  b\n- c\n\n## H\nx\n| a | b |\n| - | - |\n| 1 | 2 |\n#tag/sub y\n---\n```\na\nb\n```\nend',
  },
  {
    dialect: 'jekyll',
    rule: 'frames, and what runs (attack 163)',
    source:
      '<iframe src="https://www.youtube.com/embed/dQw4w9WgXcQ"></iframe>\n<script>a()</script>\n\n`<script>b()</script>`\n\n<form><input></form>',
    markdown: `${video}\n\n\`<script>b()</script>\`\n\n<form><input></form>`,
    losses: ['html <script>', 'html <form>'],
  },
]

for (const { dialect, rule, source, markdown, losses = [] } of cases)
  test(`Markdown of ${dialect}: ${rule}`, () => {
    const converted = convert(text(dialect, source), { addresses })
    assert.equal(converted.markdown, markdown)
    assert.deepEqual([...new Set(lossesOf(converted))], losses)
  })

test('a sign of a comment within a line that has no end is text', () => {
  assert.equal(convert(text('obsidian', 'a 100%% b')).markdown, 'a 100%% b')
})

test('the words before the border are the excerpt of Markdown', () => {
  const source = '# The mill\n\nOne *two*\n\n![x](mill.jpg)\n\n`<!--more-->`\n\n<!--more-->\n\nThree'
  assert.equal(convert(text('hugo', source)).excerpt, 'One *two*\n\n`<!--more-->`')
  assert.equal(convert(text('hugo', source)).markdown, 'One *two*\n\n![x](mill.jpg)\n\n`<!--more-->`\n\nThree')
})
