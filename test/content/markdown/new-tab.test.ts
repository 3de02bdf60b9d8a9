// Links that open in a new tab.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMarkdown } from '../../../src/content/markdown/markdown.ts'
import { createSanitizer } from '../../../src/content/markdown/sanitize.ts'

const [markdown, sanitize] = await Promise.all([createMarkdown(), createSanitizer()])
const shown = (text: string): string => sanitize(markdown.render(text).html).html.trim()

const opens = (href: string, words: string): string => `<a href="${href}" target="_blank" rel="noopener">${words}</a>`

for (const [what, text, html] of [
  ['a link', '[map](/m){target=_blank}.', `<p>${opens('/m', 'map')}.</p>`],
  [
    'two links with underlines',
    '[a](/a){target=_blank} b_c_ [d](/d){target=_blank}',
    `<p>${opens('/a', 'a')} b_c_ ${opens('/d', 'd')}</p>`,
  ],
  ['an address', '<https://a.example/>{target=_blank}', `<p>${opens('https://a.example/', 'https://a.example/')}</p>`],
  ['a space before the brace is text', '[a](/a) {target=_blank}', '<p><a href="/a">a</a> {target=_blank}</p>'],
  ['another value is text', '[a](/a){target=_top}', '<p><a href="/a">a</a>{target=_top}</p>'],
  ['without a link it is text', 'x{target=_blank}', '<p>x{target=_blank}</p>'],
  ['in code it is text', '`[a](/a){target=_blank}`', '<p><code>[a](/a){target=_blank}</code></p>'],
] as const)
  test(`${what}: ${text}`, () => assert.equal(shown(text), html))

test('attacks 94 and 95: an address that runs script leads nowhere in a new tab either, and raw HTML gets its rel', () => {
  assert.doesNotMatch(shown('[x](javascript:alert(1)){target=_blank}'), /javascript/)
  assert.equal(sanitize('<a href="/x" target="_blank">x</a>').html, '<a href="/x" target="_blank" rel="noopener">x</a>')
  assert.equal(sanitize('<a href="/x" target="evil" rel="opener">x</a>').html, '<a href="/x">x</a>')
})
