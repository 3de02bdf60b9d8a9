// What remains of a hostile drawing (attacks 95 and 104), and what a drawing keeps.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Failure } from '../../src/base/failure.ts'
import { checkDrawing, cleanSvg } from '../../src/media/clean-svg.ts'
import { mediaNamedIn } from '../../src/store/change/media-uses.ts'
import { reduceFileName } from '../../src/media/file-name.ts'
import { processorMs } from '../processor-time.ts'

const hostile: readonly (readonly [what: string, markup: string])[] = [
  ['a script', '<script>alert(1)</script>'],
  ['a script in CDATA', '<script><![CDATA[alert(1)]]></script>'],
  ['a handler', '<rect onclick="alert(1)" width="1"/>'],
  ['a handler in capitals', '<rect ONLOAD="alert(1)"/>'],
  ['a style sheet', '<style>@import url(//evil.example/x.css)</style>'],
  ['a style attribute', '<rect style="background:url(//evil.example/x)"/>'],
  [
    'foreign markup',
    '<foreignObject><body xmlns="http://www.w3.org/1999/xhtml"><iframe src="//evil.example"/></body></foreignObject>',
  ],
  ['a link', '<a href="javascript:alert(1)"><text>x</text></a>'],
  ['a link by XLink', '<a xlink:href="javascript:alert(1)"><text>x</text></a>'],
  ['an image from elsewhere', '<image href="https://evil.example/x.png"/>'],
  ['a use of elsewhere', '<use href="https://evil.example/x.svg#a"/>'],
  ['a use of a data address', '<use xlink:href="data:image/svg+xml,&lt;svg onload=alert(1)&gt;"/>'],
  ['paint from elsewhere', '<rect fill="url(https://evil.example/x#a)"/>'],
  ['paint with an escape', '<rect fill="u\\72l(https://evil.example/x)"/>'],
  ['an animation of an address', '<set attributeName="href" to="javascript:alert(1)"/>'],
  ['an animation', '<animate attributeName="x" values="javascript:alert(1)" onbegin="alert(1)"/>'],
  ['another namespace', '<x:script xmlns:x="http://www.w3.org/1999/xhtml" src="//evil.example"/>'],
  ['a stylesheet instruction', '<?xml-stylesheet href="https://evil.example/x.xsl"?>'],
]

for (const [what, markup] of hostile)
  test(`attack 104: an SVG with ${what} keeps nothing of it`, async () => {
    const { svg, changed } = await cleanSvg(`<svg xmlns="http://www.w3.org/2000/svg"><g id="a"/>${markup}</svg>`)
    assert.doesNotMatch(svg, /script|alert|evil|javascript|onload|onclick|onbegin|style|data:|foreign|iframe|72l/i)
    assert.match(svg, /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"><g id="a">/)
    assert.equal(changed, !markup.startsWith('<?'))
  })

test('a drawing keeps its shapes, gradients and references within itself, and cleaning it twice changes nothing', async () => {
  const source =
    '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 20"><defs><linearGradient id="g"><stop offset="0" stop-color="#fff"/></linearGradient></defs>' +
    '<rect width="4" fill="url(#g)" transform="rotate(3)"/><use href="#g"/><text font-family="serif">Größe &amp; Maß</text></svg>'
  const { svg, width, height, changed } = await cleanSvg(source)
  assert.deepEqual([width, height, changed], [40, 20, false])
  for (const part of ['linearGradient id="g"', 'fill="url(#g)"', 'href="#g"', 'Größe &amp; Maß', 'viewBox="0 0 40 20"'])
    assert.ok(svg.includes(part), part)
  assert.equal((await cleanSvg(svg)).svg, svg)
})

test('an SVG with a DOCTYPE, and a text without a drawing, are refused', async () => {
  for (const source of ['<!DOCTYPE svg><svg/>', '<!doctype svg [<!ENTITY a "b">]><svg/>', '<p>x</p>', ''])
    await assert.rejects(cleanSvg(source), (error) => error instanceof Failure && error.code === 'unprocessable')
})

const drawing = (inside: string): string => `<svg xmlns="http://www.w3.org/2000/svg">${inside}</svg>`
const many = (count: number, make: (at: number) => string): string => Array.from({ length: count }, (_, at) => make(at)).join('')
const uses = (id: string, count: number): string => `<use href="#${id}"/>`.repeat(count)
const ten = '<path d="M0 0h1"/>'.repeat(10)

const costly: readonly (readonly [what: string, inside: string, reason: RegExp])[] = [
  ['80,000 open groups', '<g>'.repeat(80_000), /more than 200 elements within each other/],
  ['open groups that are ended by another name', '<g></x>'.repeat(300), /more than 200 elements within each other/],
  ['125,000 elements', '<g/>'.repeat(125_000), /more than 20000 elements/],
  ['2 MB of attributes', `<g ${'a="" '.repeat(400_000)}/>`, /more than 100 attributes/],
  ['many attributes without values', `<g ${'a '.repeat(101)}/>`, /more than 100 attributes/],
  ['a million signs that begin tags', '<'.repeat(1e6), /more than 60000 tags/],
  ['200,000 end tags', '</g>'.repeat(200_000), /more than 60000 tags/],
  ['200,000 references', `<path filter="${'url(#a) '.repeat(200_000)}"/>`, /more than 60000 references/],
]
for (const [what, inside, reason] of costly)
  test(`attack 147: an SVG with ${what} is refused by a look that takes no longer than its length`, () => {
    const ms = processorMs(() => {
      assert.throws(
        () => checkDrawing(drawing(inside)),
        (error) => error instanceof Failure && reason.test(error.message),
      )
    })
    // Parsing the first of them takes seconds.
    assert.ok(ms < 700, `${ms} ms of processor time`)
  })

const again = /draw more than 10000 elements again/
const expanding: readonly (readonly [what: string, inside: string, reason: RegExp])[] = [
  ['use, of use', `<g id="a0">${ten}</g>${many(9, (at) => `<g id="a${at + 1}">${uses(`a${at}`, 10)}</g>`)}`, again],
  [
    'use, in the other order',
    `${many(9, (at) => `<g id="a${9 - at}">${uses(`a${8 - at}`, 10)}</g>`)}<g id="a0">${ten}</g>`,
    again,
  ],
  ['patterns', many(6, (at) => `<pattern id="p${at}">${`<rect fill="url(#p${at - 1})"/>`.repeat(10)}</pattern>`), again],
  ['a pattern that shapes inherit', `<pattern id="p">${ten.repeat(100)}</pattern><g fill="url(#p)">${ten}${ten}</g>`, again],
  ['masks', many(6, (at) => `<mask id="m${at}">${`<rect mask="url('#m${at - 1}')"/>`.repeat(10)}</mask>`), again],
  ['clip paths', many(6, (at) => `<clipPath id="c${at}">${`<rect clip-path="url(#c${at - 1})"/>`.repeat(10)}</clipPath>`), again],
  ['filters', `<filter id="f">${'<feGaussianBlur/>'.repeat(100)}</filter>${'<g filter="url( #f )"/>'.repeat(200)}`, again],
  ['markers', `<marker id="m">${ten}</marker><path marker-mid="url(#m)" d="M0 0${'h1'.repeat(2000)}"/>`, again],
  [
    'markers that paths inherit',
    `<marker id="m">${ten}</marker><g marker="url(#m)"><path d="M0 0${'h1'.repeat(2000)}"/></g>`,
    again,
  ],
  ['blurs of large regions', `<filter id="f" width="20"><feGaussianBlur/></filter>${'<g filter="url(#f)"/>'.repeat(50)}`, again],
  ['clouds', `<filter id="f"><feTurbulence/></filter>${'<g filter="url(#f)"/>'.repeat(20)}`, again],
  ['wide outlines', `<filter id="f"><feMorphology/></filter>${'<g filter="url(#f)"/>'.repeat(20)}`, again],
  ['a reference to what is around it', '<g id="a"><use href="#a"/></g>', /refers to itself/],
  ['references in a circle', '<use id="a" href="#b"/><use id="b" xlink:href="#a"/>', /refers to itself/],
  ['a chain of 19,000', many(19_000, (at) => `<use id="a${at}" href="#a${at + 1}"/>`), again],
]
for (const [what, inside, reason] of expanding)
  test(`attack 148: an SVG that a browser draws for ever, by ${what}, is refused`, async () => {
    const failed = (error: unknown) => error instanceof Failure && error.code === 'unprocessable' && reason.test(error.message)
    assert.throws(() => checkDrawing(drawing(inside)), failed)
    // Also where only what is left of the drawing after cleaning has the shape.
    const hidden = inside.replaceAll('href', ' ="" href').replaceAll('url(', '&#117;rl(')
    await assert.rejects(cleanSvg(drawing(hidden)), failed)
  })

const patternsOf = (id: string) => `<pattern id="${id}">${ten.repeat(100)}</pattern>`
for (const [what, inside] of [
  ['a style sheet', `<style>path { fill: URL( "#p" ) }</style>${patternsOf('p')}${ten}${ten}`],
  ['a style of a group', `${patternsOf('p')}<g style="fill:url(&#35;p)">${ten}${ten}</g>`],
  ['a hidden sign', `${patternsOf('p')}<g fill="url(&#x23;p)">${ten}${ten}</g>`],
  ['a name beyond ASCII', `${patternsOf('é')}<g fill="url(#é)">${ten}${ten}</g>`],
  ['capitals', `${patternsOf('p')}<g fill="URL(#p)">${ten}${ten}</g>`],
  ['a use with a space', `<g id="p">${ten.repeat(100)}</g>${'<use href=" &#35;p "/>'.repeat(20)}`],
  ['a style with escapes', '<style>path { fill: \\75rl(#p) }</style>'],
] as const)
  test(`attack 148: a drawing of a theme, which is not cleaned, refers by ${what}, and is refused`, () => {
    assert.throws(() => checkDrawing(drawing(inside), true), /draw more than|escapes/)
  })

test('a drawing of many parts is taken: thousands of paths with gradients, icons that are used often, an arrow on each line', async () => {
  const gradient = '<linearGradient id="g"><stop/><stop/><stop/></linearGradient>'
  for (const inside of [
    `<style>.a{fill:url(#g)}</style>${gradient}${many(9000, () => '<path class="a"/>')}`,
    `<filter id="f"><feGaussianBlur/><feOffset/></filter>${'<g filter="url(#f)"/>'.repeat(20)}`,
    `${gradient}<g fill="url(#g)">${many(15_000, () => '<path stroke="url(#g)" d="M0 0"/>')}</g>`,
    `<symbol id="i">${ten}</symbol>${uses('i', 900)}`,
    `<marker id="m"><path/></marker>${many(1500, () => '<path marker-end="url(#m)" d="M0 0L1 1L2 3"/>')}`,
    `<a b='${'<'.repeat(50)}'/>${'<g>'.repeat(190)}${'</g>'.repeat(190)}<!-- <g> --><text>a &lt; b</text>`,
  ])
    assert.match((await cleanSvg(drawing(inside))).svg, /^<svg/)
})

test('the media that an entry names are found in its text, its cover and its metadata', () => {
  const [a, b, c] = ['01k0000000000000000000000a', '01k0000000000000000000000b', '01k0000000000000000000000c']
  const body = `![x](/media/a.jpg) <img src="https://x.org/blog/media/b/c-d.png"> ![y](${a} "t") See /media/e.pdf. /media/none ${b}`
  assert.deepEqual(
    [...mediaNamedIn({ body, cover: b, seo: `{"image":"${c}"}` })].sort(),
    ['/media/a.jpg', '/media/b/c-d.png', '/media/e.pdf', a, b, c].sort(),
  )
})

test('attack 105: names are reduced, whatever they contain', () => {
  for (const [given, name] of [
    ['../../etc/passwd', 'passwd.txt'],
    ['C:\\x\\Ärger.TXT', 'arger.txt'],
    ['写真', 'file.txt'],
    ['a.php.csv', 'a-php.csv'],
    ['x'.repeat(5000), `${'x'.repeat(80)}.txt`],
  ] as const)
    assert.equal(reduceFileName(given, 'text/plain'), name)
})
