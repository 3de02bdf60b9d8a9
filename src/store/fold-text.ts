// Folds the letters of a text to lower case, one for one, so that two texts that differ only in case become equal.
// `folded-entries.ts` says which texts are stored folded.

/** Letters that have a lower-case form. */
const foldable = /\p{Changes_When_Lowercased}/gu

/**
 * Replaces each upper-case letter by its lower-case form, if that form has no other upper-case form. The number of characters stays the same:
 * `ß` and `İ` are left as they are.
 */
export function foldText(text: string): string {
  return text.replace(foldable, (letter) => lowerOf(letter) ?? letter)
}

/** The other case of a letter that has exactly one; undefined for anything else. */
export function otherCaseOf(letter: string): string | undefined {
  const [upper, lower] = [letter.toUpperCase(), letter.toLowerCase()]
  return letter === lower ? (lowerOf(upper) === lower ? upper : undefined) : lowerOf(letter)
}

/** The lower-case forms that were computed so far. There are about 1,400 such letters. */
const known = new Map<string, string | undefined>()

function lowerOf(letter: string): string | undefined {
  if (known.has(letter)) return known.get(letter)
  const lower = letter.toLowerCase()
  const paired = lower !== letter && [...lower].length === 1 && [...letter].length === 1 && lower.toUpperCase() === letter
  const found = paired ? lower : undefined
  if ([...letter].length === 1) known.set(letter, found)
  return found
}
