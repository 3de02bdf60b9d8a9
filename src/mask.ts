// Tokens, codes, cookies and passwords never reach a log, wherever in a line they stand (ATTACKS 73, 123): in a query, a header, a form,
// in JSON within JSON, as node prints an object, behind an escape such as `\n` or `%3D`. What is masked once stays as it is.

/** How a secret's name ends: `newPassword`, `client_secret`, `x-api-key`, `Set-Cookie`. */
const names = 'pass(?:word|phrase|wd)|secret|(?:access|refresh|api)[-_]?token|code[-_]?verifier|api[-_]?key|authorization|cookie'

/** What is looked for behind a name ends with the word or the line; each keeps what tells that there was something. */
const named: readonly RegExp[] = [
  new RegExp(`((?:${names}|token|code)(?:=|%3D))[^&\\s"'\\\\]+`, 'gi'),
  /((?:cookie|authorization):(?:\s|\\[nrt])*)(?:[^\r\n"\\]|\\["t])+/gi,
  new RegExp(`((?:${names}) ?[:=](?: |\\\\t)*)[^\\s,;"'\\\\]+`, 'gi'),
]

/** Secrets that tell themselves. */
const unnamed: readonly RegExp[] = [
  /(ps[a-z]_)[A-Za-z0-9_-]{6,}/g,
  /(Bearer(?:\s|\\[nrt])+)[^\s"'\\]+/gi,
  /(Basic(?:\s|\\[nrt])+)[A-Za-z0-9+/=]{6,}/gi,
  /(:\/\/[^\s/:@"]*:)[^\s/@"]+(?=@)/g,
]

/** A name with the quote that opens its value: in JSON, at whatever depth, the one that closes the name; in a text any of the three. */
const opening = new RegExp(`(?:${names}|token|\\bkey)(?:(\\\\*)"\\s*:\\s*\\1"|(?:'|\\\\")?\\s*[:=]\\s*(?:(\\\\)"|['\`]))`, 'gi')

/** Most lines have no name in them, and are done with one look. */
const anyName = new RegExp(`${names}|token|code|key`, 'i')

/** One of these stands in whatever is looked for; most paths have none. */
const telltale = /[_="%:\\\s]/

const secretName = new RegExp(`(?:${names}|^token|^key)$`, 'i')

/** Whether what a field of this name holds is a secret, whatever it looks like. */
export const isSecretName = (name: string): boolean => secretName.test(name)

/** A text, or a line of JSON, with what looks like a credential blanked. A line stays JSON. */
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

/** Secrets between quotes may hold anything. */
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
 * Where a quoted text ends whose quotes stand behind `depth` backslashes each: at such a quote, one of less depth, or the end. Each level
 * of JSON doubles backslashes and gives a quote one more.
 */
function endOfDouble(text: string, start: number, depth: number): number {
  for (let at = text.indexOf('"', start); at >= 0; at = text.indexOf('"', at + 1)) {
    const before = backslashesBefore(text, at, start)
    if (before < depth) return at - before
    if (before % (2 * depth + 2) === depth) return at - depth
  }
  return text.length
}

/** Where a text in single quotes or backticks ends, within a line in which each of its backslashes is doubled. */
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
