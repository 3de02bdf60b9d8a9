// The fonts of a page as CSS and as links that load them early. All addresses are the site's own.

import { fontFamilies, type FontFamily, type FontName, findFontPair } from './font-families.ts'
import { fontFolder } from './font-files.ts'

/** The characters of a file, as Google Fonts and Fontsource divide a family. */
const ranges = {
  latin:
    'U+0000-00FF,U+0131,U+0152-0153,U+02BB-02BC,U+02C6,U+02DA,U+02DC,U+0304,U+0308,U+0329,U+2000-206F,U+20AC,U+2122,U+2191,U+2193,U+2212,' +
    'U+2215,U+FEFF,U+FFFD',
  'latin-ext':
    'U+0100-02BA,U+02BD-02C5,U+02C7-02CC,U+02CE-02D7,U+02DD-02FF,U+0304,U+0308,U+0329,U+1D00-1DBF,U+1E00-1E9F,U+1EF2-1EFF,U+2020,' +
    'U+20A0-20AB,U+20AD-20C0,U+2113,U+2C60-2C7F,U+A720-A7FF',
} as const

type Style = 'normal' | 'italic'

const fileOf = (name: FontName, subset: keyof typeof ranges, style: Style): string => `${name}-${subset}-wght-${style}.woff2`

const familyOf = (name: FontName): FontFamily => fontFamilies[name]

/** The value of `font-family` for a family, with the fonts that stand in for it. */
export const fontStack = (name: FontName): string => {
  const { name: family, otherwise } = familyOf(name)
  return `'${family}','${family} fallback',${otherwise}`
}

/** The rules for the files of a family, and for the font that stands in until they have loaded. @param base of the addresses */
export function fontFaces(name: FontName, styles: readonly Style[], base: string): string {
  const { name: family, weights, fallback } = familyOf(name)
  const files = styles.flatMap((style) =>
    (['latin-ext', 'latin'] as const).map(
      (subset) =>
        `@font-face{font-family:'${family}';font-style:${style};font-weight:${weights};font-display:swap;` +
        `src:url('${base}${fontFolder()}/${fileOf(name, subset, style)}') format('woff2');unicode-range:${ranges[subset]}}`,
    ),
  )
  const local = fallback.fonts.map((font) => `local('${font}')`).join(',')
  const standIn =
    `@font-face{font-family:'${family} fallback';src:${local};size-adjust:${fallback.size};` +
    `ascent-override:${fallback.ascent};descent-override:${fallback.descent};line-gap-override:0%}`
  return [...files, standIn].join('\n')
}

/**
 * The markup for the head of a page in a pair of fonts; empty for the fonts of the device. The upright Latin files load early, and
 * the browser loads the others when a text has their characters.
 * @param pair the value of the setting `fonts`
 * @param base the address of the site
 */
export function fontMarkup(pair: string, base: string): string {
  const found = findFontPair(pair)
  if (!found) return ''
  const { headings, text, small } = found
  const names = [...new Set([text, headings])]
  const early = names.map(
    (name) =>
      `<link rel="preload" href="${base}${fontFolder()}/${fileOf(name, 'latin', 'normal')}" as="font" type="font/woff2" crossorigin>`,
  )
  const faces = names.map((name) => fontFaces(name, name === text ? ['normal', 'italic'] : ['normal'], base))
  const chosen = `:root{--text-font:${fontStack(text)};--heading-font:${fontStack(headings)};--sans:${fontStack(small)}}`
  return `${early.join('\n')}\n<style>${faces.join('\n')}\n${chosen}</style>`
}
