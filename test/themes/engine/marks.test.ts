// Attack 153: what runs in a page, or leads away, stays only where a writer without limits wrote it, however the other templates are put together.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type DefaultTreeAdapterMap, parse } from 'parse5'
import type { ThemeData } from '../../../src/themes/contract.ts'
import { createEngine } from '../../../src/themes/engine/engine.ts'
import { madePages } from '../../../src/themes/engine/made-data.ts'
import { shippedMessages } from '../../../src/themes/shipped.ts'
import { processorMs } from '../../processor-time.ts'
import { fc } from '../../properties.ts'

type Files = Readonly<Record<string, string>>

const site = {
  title: 'Notes',
  tagline: '',
  url: 'https://a.example/blog',
  home: '/blog/',
  language: 'en',
  direction: 'ltr',
} as const
const base: ThemeData = {
  site: {
    ...site,
    time_zone: 'UTC',
    logo: null,
    logo_dark: null,
    search: 'https://a.example/blog/search',
    posts: '',
    feed: '',
    address: '',
    social: [],
    year: 2026,
  },
  settings: { word: 'script', address: 'https://evil.example/' },
  menus: { main: [] },
  request: { path: '/', preview: false },
  page: undefined as never,
}
const made = madePages(base).find(({ page }) => page.kind === 'page' && page.entry?.toc.length)
assert.ok(made?.page.entry)
/** A text may hold what would run if it stood in a tag. */
const content = {
  markup: '<p>a" onclick=evil() b=\' onclick=evil() c </p><iframe src="https://video.example/1" loading="lazy"></iframe>',
}
const head = { markup: '<script type="application/ld+json">{"a":"b"}</script><link rel="modulepreload" href="/m.js">' }
const data: ThemeData = { ...made, page: { ...made.page, head, entry: { ...made.page.entry, content } } }

const good = '<script src="/assets/app.js" defer></script>'
/** The files of the owner, in a theme whose other files are not. */
const own: Files = {
  'partials/own.liquid': `${good}<button type="button" onclick="go()">Go</button><noscript><p>No</p></noscript>`,
  'partials/words.liquid': '<script>start("<b>")</script><!-- <script src="/assets/app.js" defer></script> -->',
}

function render(files: Files, limited: readonly string[], given = data): string | undefined {
  const source = {
    version: '1',
    templates: files,
    limited,
    assets: {},
    messages: [{ en: { word: 'script' } }, shippedMessages()],
  }
  const engine = createEngine(source)
  const answer = engine.render({ template: 'page', data: given })
  return 'html' in answer ? answer.html : undefined
}

/** A page by a writer with limits, beside the files of the owner. */
const hostilePage = (page: string, more: Files = {}): string => {
  const files = { ...own, ...more, 'page.liquid': page }
  const html = render(files, ['page.liquid', ...Object.keys(more)])
  assert.ok(html !== undefined, `the template fails: ${page}`)
  return html
}

type Node = DefaultTreeAdapterMap['node']

/** What a browser would run or follow in a page, each as it stands there. */
function activeIn(html: string, scriptingEnabled: boolean): string[] {
  const found: string[] = []
  const walk = (node: Node): void => {
    if ('attrs' in node) {
      const { tagName, attrs } = node
      const text = node.childNodes.map((child) => ('value' in child ? child.value : '')).join('')
      const written = attrs.map(({ name, value }) => `${name}=${value}`).join(' ')
      if (/^(?:script|iframe|object|embed|base|frame|applet|portal)$/.test(tagName))
        found.push(`${tagName} ${written} ${text}`.trim())
      for (const { name, value } of attrs) {
        if (/^(?:on.*|srcdoc|http-equiv|ping)$/.test(name)) found.push(`${name}=${value}`)
        if (/^(?:action|formaction)$/.test(name) && !value.startsWith('/')) found.push(`${name}=${value}`)
        // oxlint-disable-next-line no-control-regex
        if (/^javascript:/i.test(value.replace(/[\u0000-\u0020]/g, ''))) found.push(`${name}=${value}`)
        if (tagName === 'link' && name === 'rel' && /import|modulepreload/i.test(value)) found.push(`${name}=${value}`)
      }
    }
    if ('content' in node) walk(node.content)
    if ('childNodes' in node) node.childNodes.forEach(walk)
  }
  walk(parse(html, { scriptingEnabled }))
  return found
}

const active = (html: string): string[] => [...new Set([true, false].flatMap((scripting) => activeIn(html, scripting)))]

const attempts: readonly (readonly [what: string, page: string, more?: Files])[] = [
  ['a script', '<script src="/assets/other.js"></script>'],
  ['capitals and odd spaces', '<SCRIPT\n/src=//evil.example/a.js></SCRIPT\t>'],
  ['a captured name', '{% capture x %}<scr{% endcapture %}{{ x }}{% capture y %}ipt>evil()</script>{% endcapture %}{{ y }}'],
  [
    'filters in a capture',
    "{% capture x %}<{{ 'tpircs' | split: '' | reverse | join: '' }}>evil()</script>{% endcapture %}{{ x }}",
  ],
  ['append and replace', "<{{ 'scr' | append: 'ipt' }}>evil()<{{ '/scrXpt' | replace: 'X', 'i' }}>"],
  ['a tag with a percent sign', '<scr{% assign x = "%" %}ipt>evil()</script>'],
  ['a tag with a brace', '<scr{% assign x = "}" %}ipt>evil()</script>'],
  ['an output with a brace', '<scr{{ "}" | remove: "}" }}ipt>evil()</script>'],
  ['a comment', '<scr{% comment %}%}{% endcomment %}ipt>evil()</script>'],
  ['raw', '{% raw %}<scr{% endraw %}{% raw %}ipt>evil(){{ x }}</script>{% endraw %}'],
  [
    'two partials',
    "{% include 'partials/a' %}{% include 'partials/b' %}",
    { 'partials/a.liquid': '<scr', 'partials/b.liquid': 'ipt>evil()</script>' },
  ],
  ['a rendered partial', "{% render 'partials/a' %}", { 'partials/a.liquid': '<script>evil()</script>' }],
  [
    'a layout and a block',
    "{% layout 'layout' %}{% block a %}ipt>evil(){% endblock %}",
    { 'layout.liquid': '<scr{% block a %}{% endblock %}</script>' },
  ],
  ['a value of a setting', '<{{ settings.word }} src="{{ settings.address }}"></{{ settings.word }}>'],
  ['a message', "<{{ 'word' | t }}>evil()</{{ 'word' | t }}>"],
  ['an event attribute', '<img src=x onerror=evil()>'],
  ['an event attribute from parts', '<img src=x on{{ "error" }}=evil()>'],
  ['an event attribute after a slash', '<svg/onload=evil()>'],
  ['an event attribute after a value', '<p class="a"onclick="evil()">'],
  ['a frame', '<iframe src="/a" srcdoc="<script>evil()</script>"></iframe>'],
  ['a refresh', '<meta http-equiv="refresh" content="0;url=https://evil.example/">'],
  ['a base', '<base href="https://evil.example/">'],
  ['an object and an embed', '<object data="/a"><embed src="/a"></object>'],
  ['a form that leads away', '<form action="https://evil.example/"><button formaction="//evil.example/">x</button></form>'],
  ['a form with a hidden address', '<form action="&#47;/evil.example/">'],
  ['an address of a script', '<a href="&#000000106;avascript&colon;evil()">x</a><a href=" java\nscript:evil()">y</a>'],
  ['a name that would become a value', '<a href onclick=evil() =javascript:evil()>x</a>'],
  ['a form whose address depends on the scheme of the page', '<form action="https:evil.example">'],
  [
    'links that load scripts',
    '<link rel="modulepreload" href="/a.js"><link rel="stylesheet import" href="/a"><link rel="preload" as="script" href="/a.js">',
  ],
  ['an animated address', '<svg><a><set attributeName="href" to="javascript:evil()"/><text>x</text></a></svg>'],
  ['a script in a drawing', '<svg><script href="/a.js"/><script>evil()</script></svg>'],
  ['a style sheet that is none in a drawing', '<svg><style><img src=x onerror=evil()></style></svg>'],
  ['a title of a drawing', '<svg><title><script>evil()</script></title></svg>'],
  ['a text field that closes in an attribute', '<textarea><a title="</textarea><script>evil()</script>">'],
  ['a comment that closes in an attribute', '<!--><a title="--><script>evil()</script>">'],
  ['CDATA', '<svg><![CDATA[><a title="]]><script>evil()</script>">'],
  ['a noscript that closes in an attribute', '<noscript><p title="</noscript><script>evil()</script>"></noscript>'],
  ['formulas', '<math><annotation-xml encoding="text/html"><script>evil()</script></annotation-xml></math>'],
  ['a template', '<template><script>evil()</script></template>'],
  ['joined by what goes', '<scr<script></script>ipt>evil()</script><<script></script>script>evil()</script>'],
  [
    'the text of the page in an attribute',
    '<div title="{{ page.entry.content }}">x</div><div title=\'{{ page.entry.content }}\'>x</div>',
  ],
  ['a script that never closes', '<script>evil()'],
  ['a tag that never closes', '<script src="https://evil.example/'],
]
for (const [what, page, more] of attempts)
  test(`attack 153: ${what} by a writer with limits is not in the page`, () => {
    const html = hostilePage(`<p>before</p>${page}`, more)
    const allowed = /^iframe src=https:\/\/video\.example\/1 loading=lazy$/
    assert.deepEqual(
      active(html).filter((one) => !allowed.test(one)),
      [],
      html,
    )
    assert.match(html, /before/)
  })

test('what a writer without limits wrote, and what the service made, stays beside the files of others', () => {
  const html = hostilePage(
    "<head>{{ page.head }}</head>{% include 'partials/own' %}{% include 'partials/words' %}{{ page.entry.content }}",
  )
  assert.equal(html, `<head>${head.markup}</head>${own['partials/own.liquid']}${own['partials/words.liquid']}${content.markup}`)
})

test('a theme whose files all are of writers without limits is shown as it is written', () => {
  const page =
    '<!doctype html><html><head><meta http-equiv="x-ua-compatible" content="ie=edge"><link rel="modulepreload" href="/a.js">' +
    '<script type="module" src="{{ site.url }}/a.js"{% if true %} defer{% endif %}></script><style>@media (width < 9px) { a > b { color: red } }</style></head>' +
    '<body onload="a()" class="{% if true %}x"{% else %}y"{% endif %} data-a><noscript><img src="/b"></noscript><script>{% include "code" %}</script>' +
    '<form action="https://list.example/"><textarea>a</textarea></form><object data="/c"></object><svg><desc>d</desc></svg>1 &lt; 2</body></html>'
  const html = render({ 'page.liquid': page, 'code.liquid': 'if (a < b && "<p>") c()' }, [])
  assert.equal(
    html,
    page
      .replace('{{ site.url }}', base.site.url)
      .replace('{% include "code" %}', 'if (a < b && "<p>") c()')
      .replaceAll(/\{% else %\}y"|\{%.*?%\}/g, ''),
  )
})

test('attack 153: a script of the owner takes no text of a writer with limits', () => {
  const theirs = { 'partials/theirs.liquid': 'evil()' }
  for (const [layout, page, more] of [
    ['<script>{% include "partials/theirs" %}</script>', '', theirs],
    ['<script>{% block code %}a(){% endblock %}</script>', '{% block code %}evil(){% endblock %}', {}],
    ['<script src="{% include \'partials/theirs\' %}"></script>', '', theirs],
    ['<script>{{ code }}</script>', '', {}],
    ['<script {{ code }} src="/a.js"></script>', '', {}],
    ['<img onerror="{{ code }}">', '', {}],
  ] as const) {
    const files = {
      ...more,
      'layout.liquid': layout,
      'page.liquid': `{% capture code %} evil() {% endcapture %}{% layout 'layout' %}${page}`,
    }
    const html = render(files, ['page.liquid', ...Object.keys(more)])
    assert.ok(html !== undefined)
    assert.doesNotMatch(active(html).join(), /evil/, html)
  }
})

test('attack 153: a mark is in no page, differs with each rendering, and no template can read it', () => {
  const seen = new Set<string>()
  for (const look of [
    '{{ x }}',
    "{{ x | split: '' | join: '.' }}",
    '{{ x | escape }}{{ x | upcase }}{{ x | size }}{{ x.size }}{{ x | slice: 0, 60 }}{{ x | strip_html }}{{ x | truncate: 90 }}',
    '{% for y in x %}{{ y }}{% endfor %}{% if x == page.head %}yes{% endif %}',
    "{{ page.head | append: '' }}{{ page.entry.content | size }}{% if page.head contains '(' %}yes{% endif %}",
    "{% assign y = x | replace: '<script', '' | url_encode %}{{ y }}",
  ]) {
    const page = `{% capture x %}{% include 'partials/own' %}{% endcapture %}${look}`
    const [once, again] = [hostilePage(page), hostilePage(page)]
    assert.equal(once, again)
    seen.add(once)
    assert.doesNotMatch(once, /[0-9a-f]{30}/)
  }
  assert.equal(seen.size, 6)
})

const pieces: readonly string[] = [
  '<scr',
  'ipt',
  '<script',
  '<script src=evil.js>',
  '</script>',
  '>',
  '/',
  ' ',
  '=',
  '"',
  "'",
  'evil()',
  '<',
  '</',
  '\n',
  '&',
  '`',
  '<p ',
  '<a ',
  'onclick=evil()',
  ' on',
  'click="evil()"',
  ' title="',
  " title='",
  ' href=javascript:evil()',
  'srcdoc=',
  '<svg>',
  '</svg>',
  '<svg/>',
  '<math>',
  '<mtext>',
  '</math>',
  '<foreignObject>',
  '</foreignObject>',
  '<desc>',
  '<title>',
  '</title>',
  '<style>',
  '</style>',
  '<textarea>',
  '</textarea>',
  '<noscript>',
  '</noscript>',
  '<xmp>',
  '</xmp>',
  '<iframe>',
  '</iframe>',
  '<!--',
  '-->',
  '--!>',
  '<!-->',
  '<![CDATA[',
  ']]>',
  '<?',
  '<!x',
  '<select>',
  '</select>',
  '<table>',
  '<template>',
  '</template>',
  '<plaintext>',
  '<base href=evil>',
  '<meta http-equiv=refresh content=evil>',
  '<form action=//evil.example>',
  '<img src=x onerror=evil()>',
  "{% include 'partials/own' %}",
  "{% include 'partials/words' %}",
  '{{ page.entry.content }}',
  '{{ page.head }}',
  '{{ x }}',
  '{{ y }}',
  "{{ '<' }}",
  "{{ 'script' }}",
  '{{ settings.word }}',
  "{{ 'word' | t }}",
  '{% if true %}',
  '{% endif %}',
  '{% assign z = "}" %}',
  '{% capture x %}',
  '{% capture y %}',
  '{% endcapture %}',
  "{% include 'partials/theirs' %}",
  '{% raw %}',
  '{% endraw %}',
]

test('attack 153: no composition of pieces makes a script, a frame or an event attribute of a writer with limits', () => {
  const allowed = new Set([
    ...active(own['partials/own.liquid'] ?? ''),
    ...active(own['partials/words.liquid'] ?? ''),
    ...active(`${head.markup}<body>`),
    'script src=/assets/app.js defer=',
    'iframe src=https://video.example/1 loading=lazy',
  ])
  const piece = fc.constantFrom(...pieces)
  let rendered = 0
  const texts = fc.tuple(fc.array(piece, { maxLength: 14 }), fc.array(piece, { maxLength: 4 }))
  fc.assert(
    fc.property(texts, ([page, theirs]) => {
      const files = {
        ...own,
        'page.liquid': page.join(''),
        'partials/theirs.liquid': theirs.join('').replaceAll('partials/theirs', 'partials/own'),
      }
      const html = render(files, ['page.liquid', 'partials/theirs.liquid'])
      if (html === undefined) return
      rendered++
      assert.deepEqual(
        active(html).filter((one) => !allowed.has(one)),
        [],
        html,
      )
    }),
    { numRuns: 1500 },
  )
  // A usual run tries fewer compositions than a deep one.
  assert.ok(rendered > 50, `${rendered}`)
})

test('attack 103: the last look takes no longer than the length of the page', () => {
  for (const piece of ['<', '<a ', '<!--', '<![CDATA[', '<script>', '<title>', '<p a="', '</', '<svg>', '<form action=/a>']) {
    const cost = (times: number) => processorMs(() => render({ 'page.liquid': piece.repeat(times) }, ['page.liquid']))
    cost(1000)
    const [short, long] = [cost(5000), cost(20_000)]
    assert.ok(long < 12 * short + 60, `${piece}: ${short} ms, ${long} ms`)
  }
})
