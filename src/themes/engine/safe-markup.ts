// Markup made by Postern, as templates see it, and the escaping of every other value. No other file decides what a template prints.

import { Drop } from 'liquidjs'
import { htmlEntities } from '../../content/markdown/escape-html.ts'

/**
 * Markup that is printed unescaped. A template can't create one: it gets them only from the data, from filters and from `capture`.
 */
export class SafeMarkup extends Drop {
  readonly #markup: string
  readonly #plain: () => string

  /** @param plain the markup without marks (`marks.ts`), if it may have any */
  constructor(markup: string, plain = () => markup) {
    super()
    this.#markup = markup
    this.#plain = plain
  }

  /** The number of characters, for `{% if text.size > 0 %}`. */
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

/** Text for element content and for attributes in quotation marks. */
export const escapeText = (text: string): string =>
  // oxlint-disable-next-line no-control-regex
  /[&<>"'`\0]/.test(text) ? text.replace(/[&<>"'`\0]/g, (char) => htmlEntities[char] ?? char) : text

/** The text that a template prints for a value. Objects print nothing (attack 102). */
export function printed(value: unknown): string {
  if (typeof value === 'string') return escapeText(value)
  if (value instanceof SafeMarkup) return SafeMarkup.markupOf(value)
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return Array.isArray(value) ? value.map(printed).join('') : ''
}

/** A value as text for filters; empty for a value without text. */
export const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' || value instanceof SafeMarkup
    ? value.toString()
    : ''
