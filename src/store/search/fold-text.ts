// Folds the letters of a text to lower case, one for one, so that texts that differ only in case become equal. `folded-entries.ts`
// says which texts are stored folded.

/** Letters with a lower-case form, and the final sigma, which is the same letter as any other sigma. */
const foldable = /\p{Changes_When_Lowercased}|ς/gu
const finalSigma = { is: 'ς', as: 'σ' }

/**
 * Replaces each upper-case letter with its lower-case form, if that form has no other upper-case form. The number of characters
 * stays the same: `ß` and `İ` are not changed.
 */
export function foldText(text: string): string {
  if (isAscii(text)) return text.toLowerCase()
  return text.replace(foldable, (letter) => lowerOf(letter) ?? letter)
}

const isAscii = (text: string): boolean => !/[^\0-\x7f]/.test(text)

/** Returns all letters that fold to the same letter as this one, starting with the folded letter. */
export function casesOf(letter: string): readonly string[] {
  const folded = lowerOf(letter) ?? letter
  const upper = folded.toUpperCase()
  const cases = upper !== folded && lowerOf(upper) === folded ? [folded, upper] : [folded]
  return folded === finalSigma.as ? [...cases, finalSigma.is] : cases
}

/** The lower-case forms computed so far. There are about 1,400 such letters. */
const known = new Map<string, string | undefined>([[finalSigma.is, finalSigma.as]])

function lowerOf(letter: string): string | undefined {
  if (known.has(letter)) return known.get(letter)
  const lower = letter.toLowerCase()
  const paired = lower !== letter && [...lower].length === 1 && [...letter].length === 1 && lower.toUpperCase() === letter
  const found = paired ? lower : undefined
  if ([...letter].length === 1) known.set(letter, found)
  return found
}
