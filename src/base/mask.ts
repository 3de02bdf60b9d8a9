// Masks tokens, codes, cookies and passwords, so that they never reach a log (attacks 73, 123): in a query, a header, a form, in
// JSON within JSON, in an object as Node prints it, after an escape such as `\n` or `%3D`. Masking twice changes nothing.

/** The endings of names of secrets: `newPassword`, `client_secret`, `x-api-key`, `Set-Cookie`. */
const names = 'pass(?:word|phrase|wd)|secret|(?:access|refresh|api)[-_]?token|code[-_]?verifier|api[-_]?key|authorization|cookie'

/** Secrets after a name, up to the end of the word or the line. The replacement shows that a secret was removed. */
const named: readonly RegExp[] = [
  new RegExp(`((?:${names}|token|code)(?:=|%3D))[^&\\s"'\\\\]+`, 'gi'),
  /((?:cookie|authorization):(?:\s|\\[nrt])*)(?:[^\r\n"\\]|\\["t])+/gi,
  new RegExp(`((?:${names}) ?[:=](?: |\\\\t)*)[^\\s,;"'\\\\]+`, 'gi'),
]

/** Secrets that are recognised by their own form. */
const unnamed: readonly RegExp[] = [
  /(ps[a-z]_)[A-Za-z0-9_-]{6,}/g,
  /(Bearer(?:\s|\\[nrt])+)[^\s"'\\]+/gi,
  /(Basic(?:\s|\\[nrt])+)[A-Za-z0-9+/=]{6,}/gi,
  /(:\/\/[^\s/:@"]*:)[^\s/@"]+(?=@)/g,
  // A JSON Web Token. Its first part begins with `{"`.
  /(eyJ)[\w-]{6,}(?:\.[\w-]+)*/g,
]

/**
 * A name with the quote that opens its value. In JSON, at any depth, that is the same quote as the one that closes the name; in
 * other text any of the three.
 */
const opening = new RegExp(`(?:${names}|token|\\bkey)(?:(\\\\*)"\\s*:\\s*\\1"|(?:'|\\\\")?\\s*[:=]\\s*(?:(\\\\)"|['\`]))`, 'gi')

/** Matches lines that may contain a name of a secret. Most lines have none and need no further search. */
const anyName = new RegExp(`${names}|token|code|key`, 'i')

/** Every secret has one of these. Most paths have none. */
const telltale = /[_="%:\\\s]|eyJ/

const secretName = new RegExp(`(?:${names}|^token|^key)$`, 'i')

/** True if a field of this name holds a secret, regardless of its value. */
export const isSecretName = (name: string): boolean => secretName.test(name)

/** Masks everything in a text, or a line of JSON, that looks like a credential. A line of JSON stays valid JSON. */
export function maskSecrets(text: string): string {
  if (!telltale.test(text)) return text
  let masked = text
  if (anyName.test(text)) {
    masked = maskQuoted(text)
    for (const pattern of named) masked = masked.replace(pattern, '$1…')
  }
  for (const pattern of unnamed) masked = masked.replace(pattern, '$1…')
  return masked
}

/** Masks secrets in quotes, which may contain any character. */
function maskQuoted(text: string): string {
  let masked = ''
  let from = 0
  for (const { index, 0: found, 1: inJson, 2: inText } of text.matchAll(opening)) {
    const start = index + found.length
    if (start < from) continue
    const end = found.endsWith('"') ? endOfDouble(text, start, (inJson ?? inText ?? '').length) : endOfSingle(text, start)
    if (end === start) continue
    masked += `${text.slice(from, start)}…`
    from = end
  }
  return masked + text.slice(from)
}

/**
 * Returns the end of a quoted text whose quotes have `depth` backslashes before them: at such a quote, at a quote with fewer, or at
 * the end of the text. Each level of JSON doubles backslashes and adds one to a quote.
 */
function endOfDouble(text: string, start: number, depth: number): number {
  for (let at = text.indexOf('"', start); at >= 0; at = text.indexOf('"', at + 1)) {
    const before = backslashesBefore(text, at, start)
    if (before < depth) return at - before
    if (before % (2 * depth + 2) === depth) return at - depth
  }
  return text.length
}

/** Returns the end of a text in single quotes or backticks, in a line that doubles each of its backslashes. */
function endOfSingle(text: string, start: number): number {
  const quote = text[start - 1]
  for (let at = start; at < text.length; at++) {
    const one = text[at]
    if (one !== quote && one !== '"') continue
    if (backslashesBefore(text, at, start) % (one === quote ? 4 : 2) === 0) return at
  }
  return text.length
}

function backslashesBefore(text: string, at: number, start: number): number {
  let first = at
  while (first > start && text[first - 1] === '\\') first--
  return at - first
}
