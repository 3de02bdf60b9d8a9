// Finds the texts in a TypeScript source: string literals, templates, and what stands in comments is left out. It knows as much of the language as the
// sources of the admin need: nested templates, comments, and regular expressions.

/** A string literal or a template. In a template, `hole` stands for each `${…}`. */
export interface SourceText {
  readonly text: string
  /** The tag of a template such as `html`; `''` for a string and for a template without one. */
  readonly tag: string
  /** The code before it, on the same line at most. */
  readonly before: string
  readonly line: number
}

export const hole = '\u0000'

/** After these a slash begins a regular expression. */
const beforeExpression = /(?:^|[(,=:[!&|?{};<>+*-]|\breturn|\btypeof)\s*$/

/** All texts of a source, those within templates too. */
export function textsOf(source: string): readonly SourceText[] {
  const found: SourceText[] = []
  readCode(source, 0, found)
  return found
}

/** Reads code up to the brace that closes a `${`, or to the end. @returns the place after it */
function readCode(source: string, from: number, found: SourceText[]): number {
  let depth = 0
  let at = from
  while (at < source.length) {
    const sign = source[at]
    if (source.startsWith('//', at)) at = endOr(source, source.indexOf('\n', at))
    else if (source.startsWith('/*', at)) at = endOr(source, source.indexOf('*/', at) + 2)
    else if (sign === "'" || sign === '"') at = readString(source, at, found)
    else if (sign === '`') at = readTemplate(source, at, found)
    else if (sign === '/' && beforeExpression.test(source.slice(Math.max(from, at - 40), at))) at = readExpression(source, at)
    else if (sign === '}' && depth === 0 && from > 0) return at + 1
    else {
      if (sign === '{') depth++
      if (sign === '}') depth--
      at++
    }
  }
  return at
}

const endOr = (source: string, place: number): number => (place < 2 ? source.length : place)

function readString(source: string, from: number, found: SourceText[]): number {
  let at = from + 1
  while (at < source.length && source[at] !== source[from]) at += source[at] === '\\' ? 2 : 1
  found.push({ text: source.slice(from + 1, at), tag: '', ...whereOf(source, from) })
  return at + 1
}

function readTemplate(source: string, from: number, found: SourceText[]): number {
  const where = whereOf(source, from)
  const tag = /(\w+)$/.exec(where.before)?.[1] ?? ''
  let text = ''
  let at = from + 1
  while (at < source.length && source[at] !== '`') {
    if (source.startsWith('${', at)) {
      text += hole
      at = readCode(source, at + 2, found)
    } else {
      const length = source[at] === '\\' ? 2 : 1
      text += source.slice(at, at + length)
      at += length
    }
  }
  found.push({ text, tag, ...where })
  return at + 1
}

function readExpression(source: string, from: number): number {
  let isClass = false
  let at = from + 1
  while (at < source.length && (isClass || source[at] !== '/')) {
    if (source[at] === '[') isClass = true
    if (source[at] === ']') isClass = false
    at += source[at] === '\\' ? 2 : 1
  }
  return at + 1
}

function whereOf(source: string, place: number): { readonly before: string; readonly line: number } {
  const start = source.lastIndexOf('\n', place - 1) + 1
  return { before: source.slice(start, place), line: source.slice(0, place).split('\n').length }
}
