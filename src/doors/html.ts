// HTML as values: what a template holds is escaped unless it is HTML already. The one place where text becomes markup.
import { checkUrl, linkSchemes } from '../content/safe-url.ts'

/** Markup that is safe to put into a page. Made by `html`, or by `raw` from what has been cleaned. */
export class Html {
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  toString(): string {
    return this.#text
  }
}

/** What a template may hold; `undefined`, `null` and `false` are nothing, lists are joined. */
export type HtmlValue = Html | string | number | undefined | null | false | readonly HtmlValue[]

/** Markup with values in element content or in quoted attributes; never in a tag's name, a script, a style or a comment. */
export function html(parts: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  let text = parts[0] ?? ''
  values.forEach((value, index) => {
    text += textOf(value) + (parts[index + 1] ?? '')
  })
  return new Html(text)
}

/** Markup that is known to be clean: the renderer's. Nothing that a person wrote gets here any other way. */
export function raw(cleaned: string): Html {
  return new Html(cleaned)
}

/** `name="value"` for a tag; nothing when there is no value. */
export function attribute(name: string, value: string | number | undefined): Html {
  return new Html(value === undefined ? '' : `${name}="${escapeHtml(String(value))}"`)
}

/** `name="address"`; nothing when the address is one that no reader should be sent to (ATTACKS 94). */
export function addressAttribute(name: string, address: string | undefined): Html {
  return attribute(name, address !== undefined && checkUrl(address, linkSchemes).safe ? address : undefined)
}

/** A value as a data block for machines. No text in it can end the element (ATTACKS 96). */
export function jsonLd(value: Readonly<Record<string, unknown>>): Html {
  const text = JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  return new Html(`<script type="application/ld+json">${text}</script>`)
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Text for element content and quoted attributes. */
function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => entities[char] ?? char).replaceAll('\0', '\ufffd')
}

function textOf(value: HtmlValue): string {
  if (value === undefined || value === null || value === false) return ''
  if (value instanceof Html) return value.toString()
  if (typeof value === 'object') return value.map(textOf).join('')
  return escapeHtml(String(value))
}
