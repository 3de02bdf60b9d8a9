// HTML as values. Templates escape every value that is not HTML already. This is the one place where text becomes markup.

import { checkUrl, linkSchemes } from '../content/safe-url.ts'

/** A form that was refused, as one of its parts tells it. */
export interface ToldFault {
  readonly sentence: string
  /** The control that the sentence is about. */
  readonly at?: {
    readonly id: string
    readonly label: string
    /** The text that somebody typed into it, except a secret. */
    readonly typed?: string | undefined
  }
}

const none: readonly ToldFault[] = []

/** Markup that is safe to put into a page. Only `html` makes it, and `raw` from markup that has been cleaned. */
export class Html {
  readonly #text: string
  /** The refusals in it. `html` hands them on from the parts to the whole, so that a page can say all of them at its top. */
  readonly refusals: readonly ToldFault[]

  constructor(text: string, refusals: readonly ToldFault[] = none) {
    this.#text = text
    this.refusals = refusals
  }

  toString(): string {
    return this.#text
  }
}

/** The value of a placeholder. `undefined`, `null` and `false` print nothing; lists are joined. */
export type HtmlValue = Html | string | number | undefined | null | false | readonly HtmlValue[]

/** A template. Values may stand in element content and in quoted attributes, never in tag names, scripts, styles or comments. */
export function html(parts: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  let text = parts[0] ?? ''
  let refusals = none
  values.forEach((value, index) => {
    text += textOf(value) + (parts[index + 1] ?? '')
    const more = refusalsIn(value)
    if (more.length > 0) refusals = [...refusals, ...more]
  })
  return new Html(text, refusals)
}

function refusalsIn(value: HtmlValue): readonly ToldFault[] {
  if (value instanceof Html) return value.refusals
  return value !== null && typeof value === 'object' ? value.flatMap(refusalsIn) : none
}

/** Markup that is known to be clean, such as the renderer's. Text that a person wrote gets here in no other way. */
export function raw(cleaned: string): Html {
  return new Html(cleaned)
}

/** `name="value"`; empty where there is no value. */
export function attribute(name: string, value: string | number | undefined): Html {
  return new Html(value === undefined ? '' : `${name}="${escapeHtml(String(value))}"`)
}

/** `name="address"`; empty where the address is not safe to follow (attack 94). */
export function addressAttribute(name: string, address: string | undefined): Html {
  return attribute(name, address !== undefined && checkUrl(address, linkSchemes).safe ? address : undefined)
}

/** A JSON-LD element. No text in the value can end the element (attack 96). */
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
