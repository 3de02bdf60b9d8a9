// Texts of an old site as columns take them.

/** Returns a text as one line of at most `max` characters, without control characters. */
export const lineOf = (text: string, max: number): string =>
  text
    .toWellFormed()
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, max)
    .replace(/[\ud800-\udbff]$/, '')

/** Returns a text without NUL and lone surrogates, of at most `max` characters. */
export const textOf = (text: string, max: number): string => text.replaceAll('\0', '').toWellFormed().trim().slice(0, max)
