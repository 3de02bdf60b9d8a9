// The palettes of the settings of a theme: each can be read in both schemes, and the themes offer exactly these.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { colourDeclarations, palettes, type PaletteColours } from '../../src/themes/palettes.ts'
import { contrast, linearOf, type Scheme } from '../../src/themes/readable-colour.ts'
import { coloursOf } from './colours.ts'
import { filesOf, readManifest, themeIds } from './render-theme.ts'

const names = Object.keys(palettes)
const schemes: readonly Scheme[] = ['light', 'dark']

/** The least contrast of each colour on the backgrounds of its palette. */
const least: readonly (readonly [keyof PaletteColours, number])[] = [
  ['ink', 7],
  ['quiet', 4.5],
  ['link', 4.5],
]

/** The tones of code and callouts, which a palette leaves to the theme. */
const tones = ['blue', 'green', 'violet', 'amber', 'red']

for (const name of names)
  for (const scheme of schemes)
    test(`in the ${scheme} colours of ${name} text has a contrast of 7, quiet text and links 4.5`, () => {
      const colours = palettes[name]?.[scheme]
      assert.ok(colours)
      for (const background of ['paper', 'raised'] as const) {
        const paper = linearOf(colours[background])
        assert.ok(paper)
        for (const [part, wanted] of least) {
          const ratio = contrast(linearOf(colours[part]) ?? paper, paper)
          assert.ok(ratio >= wanted, `${part} on ${background}: ${ratio.toFixed(2)}`)
        }
        for (const theme of themeIds) {
          const own = coloursOf(filesOf(theme).get('assets/style.css') ?? '', scheme, '#000000')
          for (const tone of tones) {
            const ratio = contrast(own.get(tone) ?? paper, paper)
            assert.ok(ratio >= 4.5, `${tone} of ${theme} on ${background}: ${ratio.toFixed(2)}`)
          }
          const mark = own.get('mark')
          assert.ok(mark && contrast(linearOf(colours.ink) ?? mark, mark) >= 7, `ink on mark of ${theme}`)
        }
      }
    })

test('there are six palettes, and each theme offers them after the own colour', () => {
  assert.equal(names.length, 6)
  for (const theme of themeIds) {
    const setting = readManifest(theme).settings.find(({ id }) => id === 'palette')
    assert.deepEqual(
      setting?.options?.map(({ value }) => value),
      ['own', ...names],
      theme,
    )
  }
})

test('without a palette the accent counts, and a text that is no colour puts nothing into the style', () => {
  assert.match(colourDeclarations('own', '#b5651d'), /^--accent:#b5651d;--link-light:#[0-9a-f]{6};--link-dark:#[0-9a-f]{6};$/)
  assert.match(colourDeclarations('moss', '#b5651d'), /--paper:light-dark\(#fafcf8,#121712\);/)
  assert.doesNotMatch(colourDeclarations('moss', '#b5651d'), /b5651d/)
  assert.equal(colourDeclarations('own', 'red;}</style><script>'), '')
  assert.equal(colourDeclarations('constructor', ''), '')
})
