// The last check of a rendered page. An element or attribute that runs something or navigates stays only if it has a mark or the
// service made it. Any other is removed, however a template assembled it. Addresses that run a script are always removed. Markup
// that browsers could parse in two ways is rewritten, so that only one is left.

import { activeElements, isActiveAttribute, type IsOwnAddress, isScriptAddress, textElements } from './active-markup.ts'
import type { PlacedMark, Marks } from './marks.ts'
import { type Attribute, commentEnd, findTextEnd, kindAt, readTag, type Tag } from './read-markup.ts'

/** @param siteUrl the address of the site, to which forms may lead */
export function withoutUnmarked(rendered: string, marks: Marks, siteUrl: string): string {
  const split = marks.split(rendered)
  return new LastLook(split.html, split.marks, ownAddresses(siteUrl)).run()
}

const ownAddresses = (siteUrl: string): IsOwnAddress => {
  // The meaning of `http:evil.example` depends on the scheme of the page, so an address is own only if it is with both.
  const origins = ['http:', 'https:'].map((scheme) => originOf('', siteUrl.replace(/^https?:/, scheme)))
  const own = originOf('', siteUrl)
  return (address) =>
    own !== undefined &&
    // Character references can spell any address.
    !address.replaceAll('&amp;', '').includes('&') &&
    origins.every((origin) => [origin, own].includes(originOf(address, origin ?? '')))
}

/** @returns undefined for what is no address */
const originOf = (address: string, base: string): string | undefined =>
  URL.canParse(address, base) ? new URL(address, base).origin : undefined

class LastLook {
  readonly #html: string
  readonly #marks: readonly PlacedMark[]
  readonly #isOwn: IsOwnAddress
  /** The places of marks of writers without limits. */
  readonly #active: ReadonlySet<number>
  /** The places at which the markup of a writer with limits begins. */
  readonly #limited: readonly number[]
  readonly #parts: string[] = []
  /** The end of the text that `#parts` covers. */
  #done = 0
  /** The number of marks before the present place. */
  #passed = 0
  /** True inside markup that the service made. */
  #inService = false
  /** The number of open `svg` and `math` elements, in which markup is read by other rules. */
  #foreign = 0

  constructor(html: string, marks: readonly PlacedMark[], isOwn: IsOwnAddress) {
    this.#html = html
    this.#marks = marks
    this.#isOwn = isOwn
    this.#active = new Set(marks.filter(({ kind }) => kind === 'active').map(({ at }) => at))
    this.#limited = marks.filter(({ kind }) => kind === 'limited').map(({ at }) => at)
  }

  run(): string {
    const html = this.#html
    let at = 0
    for (let open = html.indexOf('<'); open >= 0; open = html.indexOf('<', at)) {
      this.#passMarks(at, open)
      const kind = kindAt(html, open)
      if (kind === 'comment') at = commentEnd(html, open)
      else if (kind === 'text') {
        at = open + 1
        this.#replace(open, at, '&lt;')
      } else at = this.#lookAt(readTag(html, open), open)
    }
    if (this.#done === 0) return html
    return this.#parts.join('') + html.slice(this.#done)
  }

  /** Passes marks. A mark of the service counts only between tags, because in an attribute its markup could mean anything. */
  #passMarks(from: number, to: number): void {
    for (let mark = this.#marks[this.#passed]; mark && mark.at <= to; mark = this.#marks[++this.#passed]) {
      if (mark.kind === 'open') this.#inService = mark.at >= from
      else if (mark.kind === 'close') this.#inService = false
    }
  }

  #replace(start: number, end: number, text: string): number {
    this.#parts.push(this.#html.slice(this.#done, start), text)
    this.#done = end
    return end
  }

  /** @returns the place at which reading continues */
  #lookAt(tag: Tag | undefined, open: number): number {
    // Browsers don't show a tag that never ends.
    if (!tag) return this.#replace(open, this.#html.length, '')
    const { name, closing } = tag
    if (name === 'svg' || name === 'math') this.#count(tag)
    if (closing) return tag.end
    const kind = activeElements.get(name)
    if (kind === 'text') return this.#lookAtText(tag)
    if (kind === 'tags' && !this.#isMarked(tag.start)) return this.#replace(tag.start, tag.end, '')
    this.#lookAtAttributes(tag, kind !== undefined)
    return textElements.has(name) ? this.#plainText(tag) : tag.end
  }

  #count({ closing, selfClosing }: Tag): void {
    if (closing) this.#foreign = Math.max(0, this.#foreign - 1)
    else if (!selfClosing) this.#foreign++
  }

  /** Handles an element whose text runs, or whose text only some browsers parse as markup. */
  #lookAtText(tag: Tag): number {
    const html = this.#html
    const textEnd = findTextEnd(html, tag.name, tag.end)
    if (textEnd !== undefined && this.#isMarked(tag.start) && this.#isWhole(tag.end, textEnd)) {
      this.#lookAtAttributes(tag, true)
      return textEnd
    }
    const end = textEnd === undefined ? undefined : readTag(html, textEnd)?.end
    return this.#replace(tag.start, end ?? html.length, '')
  }

  /** True if no writer with limits wrote in the text, and every browser ends the text here. */
  #isWhole(start: number, end: number): boolean {
    if (this.#isLimited(start, end)) return false
    const text = this.#html.slice(start, end)
    if (this.#foreign > 0 && /<[a-z!/?]/i.test(text)) return false
    const comment = text.indexOf('<!--')
    return comment < 0 || !/<script/i.test(text.slice(comment))
  }

  /** Escapes everything that could be markup in the text of a title, a style sheet or a field. */
  #plainText({ name, end }: Tag): number {
    const textEnd = findTextEnd(this.#html, name, end) ?? this.#html.length
    const text = this.#html.slice(end, textEnd)
    const plain = name === 'style' ? text.replace(/<([a-z!/?])/gi, '\\3c $1') : text.replaceAll('<', '&lt;')
    if (plain !== text) this.#replace(end, textEnd, plain)
    return textEnd
  }

  /** @param every true if each attribute needs a mark, because its element needs one */
  #lookAtAttributes(tag: Tag, every: boolean): void {
    const kept: string[] = []
    let changed = false
    for (const attribute of tag.attributes) {
      const { start, end, name } = attribute
      const isActive = every || isActiveAttribute(attribute, tag, this.#isOwn)
      // A name that begins with `=` could become the value of the preceding attribute after a removal.
      const stays = !name.startsWith('=') && (!isActive || (this.#isMarked(start) && !this.#isLimited(start, end)))
      const isScript = stays && isScriptAddress(attribute)
      if (!stays || isScript) changed = true
      if (stays) kept.push(isScript ? `${name}="#"` : this.#written(attribute))
    }
    if (!changed) return
    const begin = this.#html.slice(tag.start, tag.nameEnd)
    this.#replace(tag.start, tag.end, `${[begin, ...kept].join(' ')}${tag.selfClosing ? ' /' : ''}>`)
  }

  /**
   * The source of an attribute. `name=` without a value gets an empty value, so that the following text does not become its value.
   */
  #written({ start, end, value }: Attribute): string {
    const text = this.#html.slice(start, end)
    return value === '' && /=[\t\n\f\r ]*$/.test(text) ? `${text}""` : text
  }

  #isMarked(start: number): boolean {
    return this.#inService || this.#active.has(start)
  }

  #isLimited(start: number, end: number): boolean {
    return !this.#inService && this.#limited.some((at) => at >= start && at < end)
  }
}
