// Shortens a text that a caller, a plugin or another machine sent before a message or a log line repeats it.

/**
 * Returns the text unchanged if it has at most `maxChars` UTF-16 code units; otherwise its beginning, well-formed, followed by
 * `…`.
 */
export const cutText = (text: string, maxChars: number): string =>
  text.length > maxChars ? `${text.slice(0, maxChars).toWellFormed()}…` : text
