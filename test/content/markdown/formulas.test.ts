// Formulas: which dollar signs begin one, what MathML they become, and what an attack gets.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createRenderer } from '../../../src/content/markdown/render.ts'
import { createLog } from '../../../src/base/log.ts'

const renderer = createRenderer({ log: createLog('info', () => undefined) })
after(() => renderer.close())
const render = (text: string) => renderer.render(text, { formulas: true })
/** The sources of the formulas that became MathML. */
const formulasOf = async (text: string) =>
  [...(await render(text)).html.matchAll(/<math[ >].*?<annotation encoding="application\/x-tex">([^<]*)</gs)].map(
    ([, tex]) => tex,
  )

const rows: readonly (readonly [text: string, formulas: readonly string[]])[] = [
  ['It is $x^2$.', ['x^2']],
  ['$5 and $10', []],
  ['from $20,000 to $30,000', []],
  ['$x$5 is none', []],
  ['$5 and $10, and the area is $\\pi r^2$.', ['\\pi r^2']],
  ['$ x$ and $x $', []],
  ['\\$x$ and `$y$`', []],
  ['$a\\$b$', ['a\\$b']],
  ['$a$ and $b$', ['a', 'b']],
  ['a $x\n= y$ b', ['x\n= y']],
  ['$x\n\ny$', []],
  ['$$x$$', ['x']],
  ['see $$x$$ here', ['x']],
  ['$$\na\n- b\n= c\n$$', ['a\n- b\n= c']],
  ['$$\na\n\nb\n$$', []],
  ['text\n$$\na\n$$\ntext', ['a']],
  ['> $$\n> a\n> $$', ['a']],
  ['- $$\n  a\n  $$', ['a']],
  ['| $a$ | b |\n|-|-|\n| $c$ | d |', ['a', 'c']],
  ['# On $x$', ['x']],
  ['[$x$](/there) and **$y$**', ['x', 'y']],
  ['    $x$', []],
  ['$$ $$ and $', []],
  ['![$x$](/media/a.png)', []],
]
for (const [text, formulas] of rows)
  test(`${JSON.stringify(text)} has the formulas ${JSON.stringify(formulas)}`, async () => {
    assert.deepEqual(await formulasOf(text), formulas)
    assert.deepEqual((await renderer.render(text)).html.includes('<math'), false, 'none where the setting is off')
  })

test('a formula is MathML on the page, and its source in plain text and excerpts', async () => {
  const source = 'Here $x<y$ is.\n\n$$\n\\frac{a}{b}\n$$'
  const { html, excerpt, notices, removed } = await render(source)
  assert.match(html, /^<p>Here <math><semantics><mrow>.*<mi>x<\/mi>.*<mo>&lt;<\/mo>/)
  assert.match(html, /<p><span class="formula" tabindex="0"><math display="block"><semantics>.*<mfrac>.*<\/math><\/span><\/p>/)
  assert.doesNotMatch(html, /style=|<var>|formula-/)
  assert.equal(await renderer.plain(source, { formulas: true }), 'Here $x<y$ is.\n$$\\frac{a}{b}$$')
  assert.equal(excerpt, 'Here $x<y$ is. $$\\frac{a}{b}$$')
  assert.deepEqual([notices, removed], [[], []])
})

for (const [text, line, words] of [
  ['a\n\nb\n$\\frac{a}$', 4, /\\frac\{a\}.*as it is written/],
  ['$\\nothing$', 1, /\\nothing/],
  ['$$\n\\def\\a{b}\\a\n$$', 1, /\\def isn't supported/],
  ['$\\href{javascript:alert(1)}{x}$', 1, /\\href isn't supported/],
  ['$\\includegraphics{/x.png}$', 1, /\\includegraphics isn't/],
  ['$\\url{https://a.example}$', 1, /\\url isn't/],
  ['$\\class{a}{x}$', 1, /\\class isn't/],
  ['$\\style{color:red}{x}$', 1, /\\style isn't/],
  ['$\\color{red}x$', 1, /\\color isn't/],
  [`$${'{'.repeat(900)}x${'}'.repeat(900)}$`, 1, /nested too deeply/],
  [`$${'x+'.repeat(1500)}x$`, 1, /at most 2000 characters/],
  [`$${'\\iff'.repeat(450)}$`, 1, /as it is written/],
] as const)
  test(`${text.slice(0, 40)} stays as it is written, and its writer is told`, async () => {
    const { html, notices } = await render(text)
    assert.doesNotMatch(html, /<math|<a |<img|formula-/)
    assert.equal(notices.length, 1)
    assert.equal(notices[0]?.line, line)
    assert.match(notices[0]?.message ?? '', words)
  })

test('attacks 94, 96: MathML in a text is removed, and what a formula says is text', async () => {
  const raw = await render(
    '<math><mi>x</mi></math> and <math><annotation-xml encoding="text/html"><script>evil()</script></annotation-xml></math> $x$',
  )
  assert.equal(raw.html.match(/<math/g)?.length, 1)
  assert.ok(raw.removed.some(({ name }) => name === '<math>'))
  for (const hostile of [
    '$\\text{<script>evil()</script>}$',
    '$\\text{<img src=x onerror=evil()>}$',
    '$\\unicode{<}$ $x$',
    '$\\mathrm{</math><script>evil()</script>}$',
    '$x"onload=evil()$',
    '$$\\begin{matrix}<svg/onload=evil()>&b\\end{matrix}$$',
    '<a title="$x$" href="/a">$\\text{"></a><script>evil()</script>}$</a>',
    '$x</annotation></semantics></math><script>evil()</script>$',
  ]) {
    const { html } = await render(hostile)
    assert.doesNotMatch(html, /<(?:script|img|svg)|<[^>]*\son[a-z]+=/, hostile)
    assert.equal(html.match(/<math/g)?.length, html.match(/<\/math>/g)?.length, hostile)
    assert.doesNotMatch(html, /formula-[0-9a-f]/, hostile)
  }
})

test('lengths are short, so a formula stays at its place', async () => {
  const { html } = await render('$a\\kern-50em b\\raisebox{-90em}{c}\\hspace{99em}d$')
  assert.match(html, /<math/)
  assert.doesNotMatch(html.replace(/<annotation.*?<\/annotation>/, ''), /50em|90em|99em|voffset/)
})

test('a page that a plugin has changed keeps its formulas, and gets no others', async () => {
  const { html } = await render('$x$\n\n$$\ny\n$$')
  const { html: cleaned } = await renderer.clean(`${html}<math><mi>z</mi></math><p title='${html}'>more</p>`, html)
  assert.ok(cleaned.startsWith(html))
  assert.equal(cleaned.match(/<math/g)?.length, 2)
})

test('a change of a formula is marked as a whole', async () => {
  const [before, after] = await Promise.all(['a $x^2$ b', 'a $x^3$ b'].map(async (text) => (await render(text)).html))
  const marked = (await renderer.markChanges(before ?? '', after ?? '')) ?? ''
  assert.match(marked, /<del[^>]*><math>.*<\/math><\/del><ins><math>.*<\/math><\/ins>/)
})

test('attack 125: many signs, and many formulas, take no longer than their length', async () => {
  for (const text of ['$a '.repeat(30_000), '$$'.repeat(30_000), '$a$ '.repeat(20_000), `${'\\'.repeat(60_000)}$a$`]) {
    const { notices } = await render(text)
    assert.ok(notices.length <= 20)
  }
})
