// What a plugin says to people, as it may stand in a page, in a list and on a terminal: one short line.

/** A text without control characters, of at most so many characters. */
export function plainLine(text: string, maxLength: number): string {
  const line = text
    .slice(0, maxLength + 1)
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .toWellFormed()
  return line.length > maxLength ? `${line.slice(0, maxLength).toWellFormed()}…` : line
}
