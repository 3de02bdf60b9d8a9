// What remains of a hostile drawing (attacks 95 and 104), and what a drawing keeps.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Failure } from '../../src/failure.ts'
import { cleanSvg } from '../../src/media/clean-svg.ts'
import { mediaNamedIn } from '../../src/store/media-uses.ts'
import { reduceFileName } from '../../src/media/file-name.ts'

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
