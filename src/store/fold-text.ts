// Text with its letters folded to lower case, one for one: two texts that differ only in case become one. Which texts are kept folded is
// `folded-entries.ts`'s.

/** Letters that are not lower case. */
const foldable = /\p{Changes_When_Lowercased}/gu

/**
 * A text in which each letter that has exactly one lower-case form, and is that form's only upper-case one, is replaced by it. The text
 * keeps its number of characters: `ß` stays, and `İ`.
 */
export function foldText(text: string): string {
  return text.replace(foldable, (letter) => lowerOf(letter) ?? letter)
}

/** The other case of a letter that has exactly one; undefined for anything else. */
export function otherCaseOf(letter: string): string | undefined {
  const [upper, lower] = [letter.toUpperCase(), letter.toLowerCase()]
  return letter === lower ? (lowerOf(upper) === lower ? upper : undefined) : lowerOf(letter)
}

/** Found once for each of the 1,400 letters that there are. */
const known = new Map<string, string | undefined>()

function lowerOf(letter: string): string | undefined {
  if (known.has(letter)) return known.get(letter)
  const lower = letter.toLowerCase()
  const paired = lower !== letter && [...lower].length === 1 && [...letter].length === 1 && lower.toUpperCase() === letter
  const found = paired ? lower : undefined
  if ([...letter].length === 1) known.set(letter, found)
  return found
}
