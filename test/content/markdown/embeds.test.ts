// Which pages become frames, and what the frame is before a click. That nothing is loaded by then is tried in a browser
// (test/deep/browser-texts.test.ts).

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { embedOrigins, expandEmbeds, findEmbed } from '../../../src/content/markdown/embeds.ts'
import { elementsOf } from '../elements.ts'

const id = 'dQw4w9WgXcQ'
const frames: readonly (readonly [page: string, frame: string | undefined])[] = [
  [`https://www.youtube.com/watch?v=${id}`, `https://www.youtube-nocookie.com/embed/${id}?autoplay=1`],
  [`https://youtu.be/${id}?t=1m30s&si=x`, `https://www.youtube-nocookie.com/embed/${id}?autoplay=1&start=90`],
  [`https://m.youtube.com/shorts/${id}`, `https://www.youtube-nocookie.com/embed/${id}?autoplay=1`],
  ['https://vimeo.com/76979871', 'https://player.vimeo.com/video/76979871?dnt=1&autoplay=1'],
  ['https://vimeo.com/76979871/0123abc', 'https://player.vimeo.com/video/76979871?dnt=1&autoplay=1&h=0123abc'],
  [
    'https://www.openstreetmap.org/?mlat=52.5&mlon=13.4#map=16/52.5/13.4',
    'https://www.openstreetmap.org/export/embed.html?bbox=13.39313%2C52.49766%2C13.40687%2C52.50234&layer=mapnik&marker=52.5%2C13.4',
  ],
  [`https://www.youtube.com/watch?v=${id}"><script>`, undefined],
  ['https://www.youtube.com/@someone', undefined],
  [`https://youtube.com.evil.example/watch?v=${id}`, undefined],
  [`https://evil.example/?u=https://youtu.be/${id}`, undefined],
  [`https://user@youtu.be/${id}`, undefined],
  [`https://youtu.be:8443/${id}`, undefined],
  ['https://www.openstreetmap.org/#map=16/952.5/13.4x', undefined],
  ['https://vimeo.com/blog', undefined],
  ['javascript:alert(1)//youtu.be', undefined],
]
for (const [page, frame] of frames) test(`the frame of ${page}`, () => assert.equal(findEmbed(page)?.frame, frame))

test('every frame has an origin that the policy of pages names', () => {
  for (const [, frame] of frames) if (frame !== undefined) assert.ok(embedOrigins.includes(new URL(frame).origin))
})

const figure = (href: string) => `<p>a</p>\n<figure class="embed"><a href="${href}">${href}</a></figure>\n`

test('a link becomes a frame with a page of ours, with one link to the other site and no address of its own', () => {
  const made = expandEmbeds(figure(`https://youtu.be/${id}`), 'de')
  const [frame] = elementsOf(made).filter(({ tag }) => tag === 'iframe')
  assert.equal(frame?.attributes['src'], undefined)
  assert.match(frame?.attributes['sandbox'] ?? '', /allow-scripts/)
  assert.doesNotMatch(frame?.attributes['sandbox'] ?? '', /top-navigation/)
  const cover = frame?.attributes['srcdoc'] ?? ''
  assert.match(cover, /Video abspielen/)
  const inside = elementsOf(cover)
  assert.deepEqual(
    inside.flatMap(({ attributes }) => [attributes['href'], attributes['src']]).filter((one) => one !== undefined),
    [`https://www.youtube-nocookie.com/embed/${id}?autoplay=1`],
  )
  assert.ok(!inside.some(({ tag }) => tag === 'script' || tag === 'link' || tag === 'img'))
  assert.ok(!/url\(|@import/.test(cover))
  assert.ok(elementsOf(made).some(({ tag, attributes }) => tag === 'a' && attributes['href'] === `https://youtu.be/${id}`))
})

test('attack 94: a figure that a writer made for another site stays a link', () => {
  for (const href of ['https://evil.example/', '/about', `https://youtu.be/${id}&quot;x`])
    assert.equal(expandEmbeds(figure(href), 'en'), figure(href))
})
