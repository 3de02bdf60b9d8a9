// The state of one conversion: it answers references, notes each that was asked for, and collects losses.

import type { ConvertedText, ImportText, TextAnswers, TextConstruct, TextFile, TextReferences } from '../text.ts'

/** Something that did not become Markdown of ours. */
export type TextLoss = { readonly group: string; readonly name: string; readonly reason: string }

/** Texts in one another beyond this depth stay as their names. */
const maxInlined = 10

/** The most characters of all texts that stand in one, so that texts that contain one another often can't fill the memory. */
const maxInlinedChars = 2_000_000

const maxLosses = 1000
const maxConstructs = 1000

export class TextState {
  readonly answers: TextAnswers
  readonly losses: TextLoss[] = []
  readonly #addresses = new Set<string>()
  readonly #files = new Set<string>()
  readonly #entries = new Set<string>()
  readonly #constructs = new Map<string, TextConstruct>()
  readonly #inlined: string[] = []
  #inlinedChars = 0

  readonly #siteMark: string | undefined

  /** @param siteMark stands for the address of the old site in its texts. Addresses below it that have no answer become paths */
  constructor(answers: TextAnswers, siteMark?: string) {
    this.answers = answers
    this.#siteMark = siteMark
  }

  /** The path here of an address of the text, with its fragment. */
  address(written: string): string | undefined {
    this.#addresses.add(written)
    const mark = this.#siteMark
    const path = mark !== undefined && written.startsWith(mark) ? written.slice(mark.length) || '/' : undefined
    const found = this.answers.addresses.get(written) ?? path
    const place = written.indexOf('#')
    return found !== undefined && place > 0 && !found.includes('#') ? found + written.slice(place) : found
  }

  file(id: string): TextFile | undefined {
    this.#files.add(id)
    return this.answers.files.get(id)
  }

  /** Converts the text of another entry in its place; undefined for one that is unknown or contains itself. */
  inline<T>(id: string, convert: (text: ImportText) => T): T | undefined {
    this.#entries.add(id)
    const text = this.answers.entries.get(id)
    if (text === undefined) return undefined
    this.#inlinedChars += text.source.length
    if (this.#inlined.includes(id) || this.#inlined.length >= maxInlined || this.#inlinedChars > maxInlinedChars) return undefined
    this.#inlined.push(id)
    try {
      return convert(text)
    } finally {
      this.#inlined.pop()
    }
  }

  lose(group: string, name: string, reason: string): void {
    if (this.losses.length < maxLosses) this.losses.push({ group, name: name.slice(0, 100).toWellFormed(), reason })
  }

  /** Counts a block, a shortcode, a card or a tag, known here or not. */
  count(group: string, name: string): void {
    const shown = name.slice(0, 100).toWellFormed()
    const key = `${group} ${shown}`
    const known = this.#constructs.get(key)
    if (known || this.#constructs.size < maxConstructs)
      this.#constructs.set(key, { group, name: shown, count: (known?.count ?? 0) + 1 })
  }

  /** The members of a converted text that tell of it. */
  told(): Pick<ConvertedText, 'losses' | 'constructs'> {
    return { losses: this.losses, constructs: [...this.#constructs.values()] }
  }

  references(): TextReferences {
    return { addresses: [...this.#addresses], files: [...this.#files], entries: [...this.#entries] }
  }
}
