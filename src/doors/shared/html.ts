// HTML as values. Templates escape every value that is not already HTML. Text becomes markup only here.

import { htmlEntities } from '../../content/markdown/escape-html.ts'
import { checkUrl, linkSchemes } from '../../content/markdown/safe-url.ts'

/** The fault of a refused form, as one of its parts shows it. */
export interface ToldFault {
  readonly sentence: string
  /** The control that the sentence is about. */
  readonly at?: {
    readonly id: string
    readonly label: string
    /** The typed text, unless it is a secret. */
    readonly typed?: string | undefined
  }
}

const none: readonly ToldFault[] = []

/** Markup that is safe to put into a page. Only `html` makes it, and `raw` from markup that has been cleaned. */
export class Html {
  readonly #text: string
  /**
   * The refusals in the markup. `html` passes them on from the parts to the whole, so that a page can list all of them at its
   * top.
   */
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

/** A template. Values may be in element content and in quoted attributes, never in tag names, scripts, styles or comments. */
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

/** Markup that is known to be clean, such as the renderer's. Never use it for text that a person wrote. */
export function raw(cleaned: string): Html {
  return new Html(cleaned)
}

/** `name="value"`; empty without a value. */
export function attribute(name: string, value: string | number | undefined): Html {
  return new Html(value === undefined ? '' : `${name}="${escaped(value)}"`)
}

/** `href="address"`; empty if the address is not safe to follow (attack 94). */
export function hrefAttribute(address: string | undefined): Html {
  return attribute('href', address !== undefined && checkUrl(address, linkSchemes).safe ? address : undefined)
}

/** A JSON-LD element. No text in the value can end the element (attack 96). */
export function jsonLd(value: Readonly<Record<string, unknown>>): Html {
  const text = JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  return new Html(`<script type="application/ld+json">${text}</script>`)
}

/** Escapes a value for element content and quoted attributes. */
const escaped = (value: string | number): string =>
  // oxlint-disable-next-line no-control-regex
  String(value).replace(/[&<>"'\0]/g, (char) => htmlEntities[char] ?? char)

function textOf(value: HtmlValue): string {
  if (value === undefined || value === null || value === false) return ''
  if (value instanceof Html) return value.toString()
  if (typeof value === 'object') return value.map(textOf).join('')
  return escaped(value)
}
