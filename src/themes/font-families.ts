// The font families that come with Postern, and the pairs of them that the settings of a theme offer. All have the SIL Open Font
// License 1.1. Their files are those of the packages `@fontsource-variable/…`: Latin and Latin extended, of all weights.

/** The fallback is a font of the device, with the measures of the family, so that texts do not move when the font has loaded. */
interface Fallback {
  readonly fonts: readonly string[]
  readonly size: string
  readonly ascent: string
  readonly descent: string
}

export interface FontFamily {
  readonly name: string
  /** The range of `font-weight`. */
  readonly weights: string
  /** Font families of the device that are used for other scripts. */
  readonly otherwise: string
  readonly fallback: Fallback
}

const sans = "system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans','Liberation Sans',sans-serif"
const serif = "Charter,'Bitstream Charter','Sitka Text','Noto Serif',Cambria,Georgia,serif"
const arial = ['Arial', 'Liberation Sans', 'Arimo']
const times = ['Times New Roman', 'Liberation Serif', 'Tinos']

/** The families by the names of their files. The measures are those of the fonts against Arial and Times New Roman. */
export const fontFamilies = {
  figtree: {
    name: 'Figtree',
    weights: '300 900',
    otherwise: sans,
    fallback: { fonts: arial, size: '100.72%', ascent: '94.32%', descent: '24.82%' },
  },
  fraunces: {
    name: 'Fraunces',
    weights: '100 900',
    otherwise: serif,
    fallback: { fonts: times, size: '115.45%', ascent: '84.71%', descent: '22.09%' },
  },
  lora: {
    name: 'Lora',
    weights: '400 700',
    otherwise: serif,
    fallback: { fonts: times, size: '115.20%', ascent: '87.33%', descent: '23.78%' },
  },
  'public-sans': {
    name: 'Public Sans',
    weights: '100 900',
    otherwise: sans,
    fallback: { fonts: arial, size: '104.87%', ascent: '90.59%', descent: '21.46%' },
  },
} as const satisfies Readonly<Record<string, FontFamily>>

export type FontName = keyof typeof fontFamilies

export interface FontPair {
  readonly headings: FontName
  readonly text: FontName
  /** The one of the two for menus, buttons and small print. */
  readonly small: FontName
}

/**
 * The pairs by the values of the setting `fonts`. Any other value, such as `system`, means the fonts of the device. The Latin files
 * of a pair have at most 100 KB: those of both families, and the italics of the text.
 */
export const fontPairs: Readonly<Record<string, FontPair>> = {
  warm: { headings: 'fraunces', text: 'figtree', small: 'figtree' },
  bookish: { headings: 'figtree', text: 'lora', small: 'figtree' },
  classic: { headings: 'lora', text: 'public-sans', small: 'public-sans' },
  lively: { headings: 'fraunces', text: 'public-sans', small: 'public-sans' },
  plain: { headings: 'figtree', text: 'figtree', small: 'figtree' },
}

/** The pair with this name; undefined for any other text. */
export const findFontPair = (name: string): FontPair | undefined => (Object.hasOwn(fontPairs, name) ? fontPairs[name] : undefined)
