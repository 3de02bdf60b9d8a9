// A page of the theme contract. Members that a kind of page does not use are null or empty.

import type { Alternate } from '../alternates.ts'
import type { ThemePage, ThemePageKind } from '../../../themes/contract.ts'

type Given = Pick<ThemePage, 'title' | 'url' | 'description' | 'head' | 'language'> & Partial<ThemePage>

export function pageOf(kind: ThemePageKind, given: Given): ThemePage {
  return {
    kind,
    search_title: null,
    crumbs: [],
    translations: [],
    entry: null,
    entries: [],
    paging: null,
    term: null,
    author: null,
    period: null,
    query: null,
    results: [],
    did_you_mean: null,
    status: null,
    message: null,
    suggestions: [],
    ...given,
  }
}

/** The same page in other languages, as menus of languages show them. */
export const translationsOf = (alternates: readonly Alternate[]): ThemePage['translations'] =>
  alternates.map(({ language, name, url, current }) => ({ language, name, url, current }))
