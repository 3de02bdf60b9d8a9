// Translates a GLOB pattern of SQLite to a regular expression of PostgreSQL.

/**
 * Returns the regular expression for a pattern of literal characters, `*`, `?` and sets such as `[aA]`.
 * @see https://www.postgresql.org/docs/current/functions-matching.html#POSIX-SYNTAX-DETAILS
 */
export function regexOfGlob(glob: string): string {
  const parts = glob.match(/\[[^\]]+\]|[\s\S]/gu) ?? []
  return `^${parts.map(translate).join('')}$`
}

function translate(part: string): string {
  if (part === '*') return '.*'
  if (part === '?') return '.'
  if (part.length > 1 && part.startsWith('[')) return `(?:${Array.from(part.slice(1, -1), literal).join('|')})`
  return literal(part)
}

/**
 * Escapes a character. Only ASCII characters other than letters and digits have a special meaning; a backslash would give letters
 * and digits one.
 */
const literal = (character: string): string => (/^[ -/:-@[-`{-~]$/.test(character) ? `\\${character}` : character)
