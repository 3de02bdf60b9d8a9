// The beginnings of sites by their kind, and the theme that suits each.

import { blog } from './blog.ts'
import { business } from './business.ts'
import { type Beginning, type Beginnings, type ExampleLanguage, exampleLanguages, type SiteKind } from './example.ts'
import { manual } from './manual.ts'

const beginnings: Readonly<Record<SiteKind, Beginnings>> = { blog, business, manual }

export const themeOfKind: Readonly<Record<SiteKind, string>> = {
  blog: 'default',
  business: 'business',
  manual: 'documentation',
}

export const beginningOf = (kind: SiteKind, language: ExampleLanguage): Beginning => beginnings[kind][language]

/** The language of the examples for a site in this language: its own, or English. */
export function exampleLanguageOf(locale: string): ExampleLanguage {
  const [base = ''] = locale.toLowerCase().split('-')
  return exampleLanguages.find((one) => one === base) ?? 'en'
}
