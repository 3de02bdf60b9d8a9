// The names of languages in the language of the page.

import type { Words } from '../words.ts'

/** Returns a function that names a language by its tag (BCP 47). Making it is slow, so use one for all languages of a page. */
export function languageNames(t: Words): (tag: string) => string {
  const names = new Intl.DisplayNames(t.language, { type: 'language' })
  return (tag) => names.of(tag) ?? tag
}

/** Languages to choose from (BCP 47): first those that the themes speak. */
const written: readonly string[] = (
  'en de fr es pt it nl pl ja zh ar bg ca cs cy da el eo et eu fa fi ga gl gsw he hi hr hu hy id is ka ko la lb lt lv mk mt nb ' +
  'nn oc pt-BR ro ru sk sl sq sr sv ta th tr uk ur vi zh-TW'
).split(' ')

/** @param current a language that is among the choices in any case */
export function languageChoices(t: Words, current: string): readonly { readonly value: string; readonly label: string }[] {
  const nameOf = languageNames(t)
  return [...new Set([...written, current])].map((value) => ({ value, label: nameOf(value) }))
}
