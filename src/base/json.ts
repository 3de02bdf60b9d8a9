// JSON as text: always valid Unicode, and stored as text so that no value is serialised twice.

/** Lone surrogates become U+FFFD. `JSON.stringify` writes each as `\udXXX`; a backslash of the text itself is always doubled. */
const loneSurrogate = /((?:^|[^\\])(?:\\\\)*)\\u[dD][89a-fA-F][0-9a-fA-F]{2}/g

/**
 * Serialises a value as JSON text that is valid Unicode throughout.
 * @throws TypeError for values that JSON does not have (a cycle, a BigInt); `undefined` becomes `null`
 */
export function jsonText(value: unknown): string {
  const text = JSON.stringify(value) ?? 'null'
  return text.includes('\\ud') ? replaceLone(text) : text
}

function replaceLone(text: string): string {
  let before
  do {
    before = text
    text = text.replace(loneSurrogate, '$1\ufffd')
  } while (text !== before)
  return text
}

/** A value that is already JSON text. It caches its form as a JSON string literal, which the `text` content of MCP needs. */
export class JsonText {
  readonly text: string
  #quoted: string | undefined

  /** @param quoted the text as a JSON string literal, if it is known */
  constructor(text: string, quoted?: string) {
    this.text = text
    this.#quoted = quoted
  }

  /** This text as a JSON string literal, made at its first use. */
  get quoted(): string {
    return (this.#quoted ??= JSON.stringify(this.text))
  }

  /** The value, parsed again at each call. */
  parse(): unknown {
    return JSON.parse(this.text)
  }

  toJSON(): unknown {
    return this.parse()
  }
}

/** True if two JSON values are equal, regardless of the order of their members. */
export function sameJson(a: unknown, b: unknown): boolean {
  return a === b || canonical(a) === canonical(b)
}

/** The canonical JSON of a value, for hashes and comparisons: members sorted, `undefined` members left out. */
export function canonical(value: unknown): string {
  return (
    JSON.stringify(value, (_key, part: unknown) =>
      isObject(part) ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1))) : part,
    ) ?? 'null'
  )
}

export type JsonObject = Readonly<Record<string, unknown>>

/** True if a JSON value is an object: not null, not a list. */
export const isObject = (value: unknown): value is JsonObject =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

/** Parses a JSON object; undefined for any other text. */
export function parseObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** The members that have a value. */
export const withoutNulls = (values: JsonObject): Record<string, unknown> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null))

/** The members that have a value; null if none has. */
export function membersOrNull(values: JsonObject): Record<string, unknown> | null {
  const given = withoutNulls(values)
  return Object.keys(given).length === 0 ? null : given
}
