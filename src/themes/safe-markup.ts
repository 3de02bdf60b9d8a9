// ThemeMarkup that Postern has made, as templates see it, and the escaping of every other value. Nothing else decides what a template puts out.

import { Drop } from 'liquidjs'

/** ThemeMarkup that is put out as it is. A template can't make one: it only gets those of the data, of filters and of `capture`. */
export class SafeMarkup extends Drop {
  readonly #markup: string
  readonly #plain: () => string

  /** @param plain the markup without marks (`marks.ts`), if it may have any */
  constructor(markup: string, plain = () => markup) {
    super()
    this.#markup = markup
    this.#plain = plain
  }

  /** Number of characters, for `{% if text.size > 0 %}`. */
  get size(): number {
    return this.#plain().length
  }

  /** In comparisons, and in filters that work on text, markup is text. The result of such a filter is escaped again. */
  override valueOf(): string {
    return this.#plain()
  }

  override toString(): string {
    return this.#plain()
  }

  /** The markup with its marks, as it is printed. */
  static markupOf(safe: SafeMarkup): string {
    return safe.#markup
  }
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '`': '&#96;',
  '\0': '\ufffd',
}

/** Text for element content and for attributes in quotation marks. */
export const escapeText = (text: string): string =>
  // oxlint-disable-next-line no-control-regex
  /[&<>"'`\0]/.test(text) ? text.replace(/[&<>"'`\0]/g, (char) => entities[char] ?? char) : text

/** What a template puts out for a value. Objects print nothing (attack 102). */
export function printed(value: unknown): string {
  if (typeof value === 'string') return escapeText(value)
  if (value instanceof SafeMarkup) return SafeMarkup.markupOf(value)
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return Array.isArray(value) ? value.map(printed).join('') : ''
}

/** A value as the text that filters work on; empty for what is none. */
export const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' || value instanceof SafeMarkup
    ? value.toString()
    : ''
