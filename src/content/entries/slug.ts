// The slug of an entry: made from its title, or sent by a caller and checked. `path.ts` checks that a slug is free.

import { Failure, invalid } from '../../base/failure.ts'
import { isReservedSlug } from './reserved-slugs.ts'
import { trimEndOf } from '../../base/trim-text.ts'

/** UTF-16 units. */
export const maxSlugChars = 100

/** Latin letters that Unicode doesn't decompose. */
const letters: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ħ: 'h',
  ı: 'i',
  ŋ: 'ng',
  '&': ' and ',
  '@': ' at ',
}

/**
 * Makes a slug from a title: NFKC, lower case, Latin letters without diacritics, hyphens in place of everything but letters and
 * digits. Other scripts stay as they are. Returns `''` if nothing is left.
 */
export function slugify(title: string): string {
  const slug = title
    .slice(0, 1000)
    .normalize('NFKC')
    .toLowerCase()
    .replace(/['’]/g, '')
    .normalize('NFD')
    .replace(/(\p{Script=Latin})\p{M}+/gu, '$1')
    .replace(/[ßæœøłđðþħıŋ&@]/g, (letter) => letters[letter] ?? letter)
    .normalize('NFKC')
    .replace(/\p{Default_Ignorable_Code_Point}+/gu, '')
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, '-')
    .replace(/^[-\p{M}]+/u, '')
  return cut(slug, 80)
}

/** Cuts a slug to a number of UTF-16 units, not within a character and not after a hyphen. */
function cut(slug: string, maxChars: number): string {
  return trimEndOf(slug.slice(0, maxChars).replace(/[\ud800-\udbff]$/, ''), '-')
}

const form = /^(?!\p{M})[\p{Ll}\p{Lo}\p{Lm}\p{N}\p{M}_-]+$/u

/** True if a text is a slug: lower-case letters, digits, `-` and `_`, in NFKC, with a letter or digit at both ends. */
export function isSlug(text: string): boolean {
  return (
    text.length <= maxSlugChars &&
    form.test(text) &&
    !/^[-_]|[-_]$|\p{Default_Ignorable_Code_Point}/u.test(text) &&
    text === text.normalize('NFKC').toLowerCase()
  )
}

/**
 * Checks a slug that a caller sent, at the top of the site or below a page.
 * @param guarded true if this release reserves the names that the service needs
 * @throws Failure `refused` (rule `reserved slug`) for a name that the service needs, `invalid` for anything that isn't a slug
 */
export function checkSlug(
  slug: string,
  { top, guarded, field = 'slug' }: { top: boolean; guarded: boolean; field?: string },
): void {
  // Below a page a reserved name is harmless, as in `/docs/api`, unless it isn't a plain slug.
  if (guarded && (top || !isSlug(slug)) && isReservedSlug(slug)) throw reservedSlug(slug, field)
  if (isSlug(slug)) return
  const meant = slugify(slug)
  throw invalid(
    field,
    `${JSON.stringify(slug.slice(0, 120).toWellFormed())} is not a slug.`,
    `lower-case letters, digits, hyphens and underscores, at most ${maxSlugChars} characters${meant === '' ? '' : `, such as ${meant}`}`,
  )
}

function reservedSlug(slug: string, field: string): Failure {
  return new Failure('refused', `${JSON.stringify(slug.slice(0, 120).toWellFormed())} is a name that the service itself needs.`, {
    field,
    rule: 'reserved slug',
    hint: 'Choose another slug. This one is always reserved.',
  })
}

/** `slug-2`, `slug-3`, … within the length that a slug may have. */
export function numbered(slug: string, number: number): string {
  const tail = `-${number}`
  return `${cut(slug, maxSlugChars - tail.length)}${tail}`
}
