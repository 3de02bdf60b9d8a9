// Punctuation by language: what a typewriter has becomes what a printer has, and nothing else changes.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../properties.ts'
import { typographyOf } from '../../../src/content/markdown/quotation-marks.ts'
import { smarten } from '../../../src/content/markdown/smart-punctuation.ts'

const smart = (text: string, language = 'en') => smarten([{ text }], typographyOf(language))[0]

const nn = '\u202f'
const rows: readonly (readonly [language: string, text: string, smart: string])[] = [
  ['en', `"a" 'b' "c 'd' e"`, '“a” ‘b’ “c ‘d’ e”'],
  ['en-GB', '"a"', '“a”'],
  ['de', `"a 'b' c"`, '„a ‚b‘ c“'],
  ['de-CH', '"a"', '«a»'],
  ['fr', `"a" : « b » ; c ! d ?`, `«${nn}a${nn}»\u00a0: «${nn}b${nn}»${nn}; c${nn}! d${nn}?`],
  ['es', '"a"', '«a»'],
  ['pl', '"a"', '„a”'],
  ['sv', '"a"', '”a”'],
  ['ja', '"a"', '「a」'],
  ['pt-PT', '"a"', '«a»'],
  ['pt-BR', '"a"', '“a”'],
  ['xx', '"a"', '“a”'],
  ['constructor', '"a"', '“a”'],
  ['en', `it's the dogs' '90s, 'tis`, 'it’s the dogs’ ’90s, ’tis'],
  ['en', `("a") "b", "c". —"d"`, '(“a”) “b”, “c”. —“d”'],
  ['en', `'"a"' "'b'"`, '‘“a”’ “‘b’”'],
  ['en', `a 5" pipe, 6' tall, "open`, `a 5" pipe, 6' tall, "open`],
  ['en', 'a -- b --- c---d 1--2 --flag x -- ', 'a – b — c—d 1–2 --flag x – '],
  ['en', 'a... b.... c.. ..', 'a… b.... c.. ..'],
]
for (const [language, text, expected] of rows)
  test(`punctuation in ${language}: ${text}`, () => assert.equal(smart(text, language), expected))

test('a quotation may cross emphasis, code and a picture', () => {
  const pieces = [{ text: 'a "' }, { text: '', fixed: true }, { text: 'b' }, { text: 'x', fixed: true }, { text: '" c' }]
  assert.deepEqual(smarten(pieces, typographyOf('en')), ['a “', '', 'b', 'x', '” c'])
})

test('only punctuation changes, whatever the text, and never that of fixed pieces', () => {
  const bare = (text: string) => text.replace(/["'“”‘’„‚«»\u202f\u00a0 .…–—-]/g, '')
  const piece = fc.record({
    text: fc.string({ unit: fc.constantFrom('"', "'", ' ', 'a', '1', '.', '-', '?', '«', '\n') }),
    fixed: fc.boolean(),
  })
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 6 }), fc.constantFrom('en', 'de', 'fr'), (pieces, language) => {
      smarten(pieces, typographyOf(language)).forEach((text, index) => {
        const { text: source = '', fixed } = pieces[index] ?? {}
        if (fixed) assert.equal(text, source)
        else assert.equal(bare(text), bare(source))
      })
    }),
  )
})
