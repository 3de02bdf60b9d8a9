// Quotation marks and spaces by language, after CLDR and the usage of each language's publishers.

import { primaryOf } from '../languages/language.ts'

/** The typography of one language. */
export interface Typography {
  /** Opening and closing marks of a quotation. */
  readonly double: readonly [open: string, close: string]
  /** The marks of a nested quotation. */
  readonly single: readonly [open: string, close: string]
  /** True if `; ! ? :` and the inner side of quotation marks have a non-breaking space, as in French. */
  readonly spaced?: boolean
}

/** A non-breaking space, and a narrow one. */
export const noBreak = '\u00a0'
export const narrowNoBreak = '\u202f'

const english: Typography = { double: ['“', '”'], single: ['‘', '’'] }
const german: Typography = { double: ['„', '“'], single: ['‚', '‘'] }
const nordic: Typography = { double: ['”', '”'], single: ['’', '’'] }
const guillemets: Typography = { double: ['«', '»'], single: ['“', '”'] }
const slavic: Typography = { double: ['«', '»'], single: ['„', '“'] }
const low: Typography = { double: ['„', '”'], single: ['«', '»'] }
const corners: Typography = { double: ['「', '」'], single: ['『', '』'] }
const french: Typography = {
  double: [`«${narrowNoBreak}`, `${narrowNoBreak}»`],
  single: ['“', '”'],
  spaced: true,
}

/** The typographies, by whole tag, else by language. */
const typographies: Readonly<Record<string, Typography>> = {
  en: english,
  de: german,
  'de-ch': { double: ['«', '»'], single: ['‹', '›'] },
  'de-li': { double: ['«', '»'], single: ['‹', '›'] },
  cs: german,
  sk: german,
  sl: german,
  bg: german,
  et: german,
  is: german,
  lt: german,
  fr: french,
  es: guillemets,
  it: guillemets,
  ca: guillemets,
  gl: guillemets,
  el: guillemets,
  nb: guillemets,
  nn: guillemets,
  no: guillemets,
  'pt-pt': guillemets,
  ru: slavic,
  uk: slavic,
  be: slavic,
  pl: low,
  ro: low,
  hu: { double: ['„', '”'], single: ['»', '«'] },
  hr: { double: ['„', '”'], single: ['‘', '’'] },
  sv: nordic,
  fi: nordic,
  da: nordic,
  ja: corners,
  'zh-tw': corners,
  'zh-hk': corners,
  'zh-hant': corners,
}

/** The typography of a BCP 47 tag; English if the language isn't listed. */
export function typographyOf(language: string): Typography {
  const tag = language.toLowerCase()
  for (const name of [tag, primaryOf(tag)]) if (Object.hasOwn(typographies, name)) return typographies[name] ?? english
  return english
}
