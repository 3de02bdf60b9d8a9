// Coloured code is the code: no character is lost or added, and no block takes more than linear time.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../properties.ts'
import { colouredCode } from '../../../src/content/markdown/code-colours.ts'
import { codeLanguages } from '../../../src/content/markdown/code-languages.ts'
import { isDeep } from '../../deep-run.ts'
import { assertLinear } from '../../hostile-text.ts'
import { processorMs } from '../../processor-time.ts'

const plain = (html: string): string =>
  html
    .replace(/<span class="code-[a-z]+">|<\/span>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')

const signs = [
  '"',
  "'",
  '`',
  '/*',
  '*/',
  '//',
  '#',
  '--',
  '<!--',
  '<',
  '</a>',
  '=',
  '{{',
  '{%',
  '$',
  '${',
  '@',
  '\\',
  '1',
  '0x',
  '\n',
  '\n-',
  '\n+',
  ' ',
  '[[',
  ']]',
  'if',
  'a(',
  'é',
  '\u{1f600}',
  '&',
  ':',
  '"""',
  '$@"',
  '<#',
  '::',
]

test('coloured code has the same characters, in every language', () => {
  const code = fc.array(fc.constantFrom(...signs), { maxLength: 30 }).map((parts) => parts.join(''))
  const name = fc.constantFrom(...codeLanguages.map(({ names: [first = ''] }) => first))
  fc.assert(fc.property(code, name, (source, language) => assert.equal(plain(colouredCode(source, language)), source)))
})

const rows: readonly (readonly [language: string, code: string, html: RegExp])[] = [
  ['ts', 'const a = "b"', /^<span class="code-keyword">const<\/span> a = <span class="code-string">&quot;b&quot;<\/span>$/],
  ['JSON', '{"a": true}', /<span class="code-name">&quot;a&quot;<\/span>: <span class="code-number">true<\/span>/],
  ['html', '<a b="c">', /<span class="code-keyword">&lt;a<\/span> <span class="code-name">b<\/span>=<span class="code-string">/],
  ['sh', 'a # b', /a <span class="code-comment"># b<\/span>/],
  ['diff', '-a\n+b\n', /^<span class="code-removed">-a<\/span>\n<span class="code-added">\+b<\/span>\n$/],
  ['yaml', 'a: b # c', /^<span class="code-name">a<\/span>: b <span class="code-comment"># c<\/span>$/],
  ['sql', 'SELECT 1', /^<span class="code-keyword">SELECT<\/span> <span class="code-number">1<\/span>$/],
  ['python', '"""a\nb', /^<span class="code-string">&quot;&quot;&quot;a\nb<\/span>$/],
  ['constructor', 'if', /^if$/],
]
for (const [language, code, html] of rows)
  test(`code in ${language} is coloured: ${JSON.stringify(code)}`, () => assert.match(colouredCode(code, language), html))

/** For each sign that many of it; a quadratic pattern shows in the sum. */
const length = isDeep ? 60_000 : 8_000

for (const { names } of codeLanguages)
  test(`attack 131: hostile blocks of ${names[0]} take linear time`, () =>
    assertLinear(names[0] ?? '', length, async (each) => {
      const blocks = [...signs, 'a-', 'a:', '"a', 'a b', '- a'].map((sign) => sign.repeat(each / sign.length))
      return processorMs(() => blocks.forEach((code) => colouredCode(code, names[0] ?? '')))
    }))
