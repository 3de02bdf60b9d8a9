// Comments as text and as markup: addresses become links that search engines don't follow, old HTML becomes text.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { commentMarkup, textOfOldComment } from '../../src/content/comments/comment-html.ts'
import { looksLikeSpam, tidyLine, tidyText } from '../../src/content/comments/comment-rules.ts'

const link = (url: string) => `<a href="${url}" rel="nofollow ugc">${url}</a>`

test('paragraphs, line ends and addresses of a comment', () => {
  const rows: readonly (readonly [string, string])[] = [
    ['One\nline\n\nTwo', '<p>One<br>line</p><p>Two</p>'],
    [
      'See https://example.org/a, or (http://b.example).',
      `<p>See ${link('https://example.org/a')}, or (${link('http://b.example')}).</p>`,
    ],
    ['<b>&"', '<p>&lt;b&gt;&amp;&quot;</p>'],
    ['javascript:alert(1) ftp://a.example', '<p>javascript:alert(1) ftp://a.example</p>'],
    ['https://', '<p>https://</p>'],
    ['https://x.example/"onmouseover="alert(1)', `<p>${link('https://x.example/')}&quot;onmouseover=&quot;alert(1)</p>`],
  ]
  for (const [text, markup] of rows) assert.equal(commentMarkup(text), markup)
})

test('old comments become text with paragraphs and addresses', () => {
  const html = '<p>Hello <em>there</em>, see <a href="https://a.example/" rel="nofollow">this</a>.</p><p>Bye<br />now</p>'
  assert.equal(textOfOldComment(html), 'Hello there, see this (https://a.example/).\n\nBye\nnow')
  assert.equal(textOfOldComment('<a href="https://a.example/">https://a.example/</a>'), 'https://a.example/')
  assert.equal(textOfOldComment('<p></p>'), '')
})

test('what can’t be seen is taken out, and what looks like spam is found', () => {
  assert.equal(tidyText(' a \r\n\r\n\r\n\r\nb\u0000\u202e \t\n'), 'a\n\nb')
  assert.equal(tidyLine('a\n  b\u200b'), 'a b')
  const honest = { name: 'Ann', body: 'See https://a.example and www.b.example', trap: '' }
  assert.equal(looksLikeSpam(honest), false)
  for (const part of [{ trap: 'x' }, { name: 'www.a.example' }, { body: 'http://a '.repeat(4) }, { body: '<a href=x>' }])
    assert.equal(looksLikeSpam({ ...honest, ...part }), true, JSON.stringify(part))
})
