// A Markdown text in which code, and all else that no rule may read, is behind marks. Each mark stands for one part.

const open = '\ue0f0'
const close = '\ue0f1'

export class MaskedText {
  readonly #parts: string[] = []

  /** @returns a text in which nothing can be taken for a mark */
  static plain = (source: string): string => source.replace(/[\ue0f0\ue0f1]/g, '').replace(/\r\n?/g, '\n')

  /** Puts a mark in place of a part. */
  keep(part: string): string {
    return `${open}${this.#parts.push(part) - 1}${close}`
  }

  /** Puts the parts back. A part may hold marks of earlier parts. */
  restore(text: string): string {
    return text.replace(/\ue0f0(\d{1,8})\ue0f1/g, (_mark, number: string) => this.restore(this.#parts[Number(number)] ?? ''))
  }

  /** Masks code blocks between fences, and code within lines. */
  withoutCode(text: string): string {
    return this.#withoutSpans(this.#withoutFences(text))
  }

  #withoutFences(text: string): string {
    const kept: string[] = []
    let block: string[] = []
    let fence = ''
    for (const line of text.split('\n')) {
      if (fence === '') {
        const [, prefix = '', mark] = /^((?:[ \t]|>|[-*+][ \t]|\d{1,9}[.)][ \t]){0,40})(`{3,}(?=[^`]*$)|~{3,})/.exec(line) ?? []
        if (mark === undefined) kept.push(line)
        else {
          fence = mark
          kept.push(prefix)
          block = [line.slice(prefix.length)]
        }
        continue
      }
      block.push(line)
      const [, end = ''] = /^[ \t>]{0,40}(`{3,}|~{3,})[ \t]*$/.exec(line) ?? []
      if (!end.startsWith(fence)) continue
      kept[kept.length - 1] += this.keep(block.join('\n'))
      fence = ''
    }
    if (fence !== '') kept[kept.length - 1] += this.keep(block.join('\n'))
    return kept.join('\n')
  }

  #withoutSpans(text: string): string {
    if (!text.includes('`')) return text
    const runs = [...text.matchAll(/`+|\n[ \t]*\n/g)].map(({ 0: run, index }) => ({ run, index }))
    const ends = new Map<string, number>()
    const endOf: (number | undefined)[] = []
    for (let place = runs.length - 1; place >= 0; place--) {
      const run = runs[place]?.run ?? ''
      // Code ends with its paragraph.
      if (run.startsWith('\n')) ends.clear()
      else {
        endOf[place] = ends.get(run)
        ends.set(run, place)
      }
    }
    const parts: string[] = []
    let from = 0
    for (let place = 0; place < runs.length; place++) {
      const end = endOf[place]
      const first = runs[place]
      const last = end === undefined ? undefined : runs[end]
      if (!first || !last || end === undefined || text.charAt(first.index - 1) === '\\') continue
      parts.push(text.slice(from, first.index), this.keep(text.slice(first.index, last.index + last.run.length)))
      from = last.index + last.run.length
      place = end
    }
    return [...parts, text.slice(from)].join('')
  }
}
