// The marks of one rendering. Templates of writers without limits, and the service, put marks next to active markup, so that
// `last-look.ts` can distinguish it from markup that a template has put together. A mark is a random text that no template can
// read: values are printed with their marks, and filters and comparisons get them without.

import { randomBytes } from 'node:crypto'
import { SafeMarkup } from './safe-markup.ts'

/** The character after the secret, by the meaning of the mark. */
const signs = { active: 'm', open: '(', close: ')', limited: '!' } as const

/** A mark and its place in the page without marks. */
export interface PlacedMark {
  readonly at: number
  readonly kind: keyof typeof signs
}

const kindOf = new Map(Object.entries(signs).map(([kind, sign]) => [sign as string, kind as PlacedMark['kind']]))

export class Marks {
  readonly #secret = randomBytes(16).toString('hex')

  /** The mark before an element or attribute that a writer without limits wrote. */
  get active(): SafeMarkup {
    return new SafeMarkup(this.#secret + signs.active)
  }

  /** Markup of the service. All of it stays. */
  service(markup: string): SafeMarkup {
    return new SafeMarkup(`${this.#secret}${signs.open}${markup}${this.#secret}${signs.close}`, () => markup)
  }

  /** Markup that a template has rendered. @param limited true if a writer with limits wrote the template */
  captured(markup: string, limited: boolean): SafeMarkup {
    return new SafeMarkup(limited ? this.#secret + signs.limited + markup : markup, () => this.split(markup).html)
  }

  /** A rendered page without its marks, and the marks in their order. */
  split(rendered: string): { readonly html: string; readonly marks: readonly PlacedMark[] } {
    if (!rendered.includes(this.#secret)) return { html: rendered, marks: [] }
    const [first = '', ...rest] = rendered.split(this.#secret)
    const marks: PlacedMark[] = []
    let html = first
    for (const part of rest) {
      const kind = kindOf.get(part.slice(0, 1))
      if (kind) marks.push({ at: html.length, kind })
      html += part.slice(1)
    }
    return { html, marks }
  }
}
