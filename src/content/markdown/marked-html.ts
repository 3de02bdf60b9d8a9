// Marks the differences of two rendered texts in the later one: `ins` around new words and pictures, `del` around those that are
// gone. Elements of the later text stay as they are, so its structure never breaks. Elements that are gone are kept where they are
// whole, such as a paragraph or a row; otherwise their words stand where they were.

import { type ChangeObject, diffArrays } from 'diff'
import { firstMark } from './first-mark.ts'

/** The time in milliseconds that the comparison may take. */
const maxMs = 800

const token = /<math[ >](?:[^<]|<(?!\/math>))*<\/math>|<\/?[a-z](?:"[^"]*"|'[^']*'|[^"'>])*>|<!--[^]*?-->|\s+|[^\s<]+|</gi
const tag = /^<(\/?)([a-z][a-z0-9-]*)/i
/** Elements without an end tag, and formulas, which are one token. Those that show something are marked like words. */
const empty: ReadonlySet<string> = new Set(['br', 'hr', 'img', 'wbr', 'source', 'track', 'input', 'col', 'math'])
const shown: ReadonlySet<string> = new Set(['img', 'hr', 'math'])

type Part = Pick<ChangeObject<string[]>, 'added' | 'removed'> & { value: string[] }

/**
 * Returns the later text with marks.
 * @param before and `after` cleaned HTML
 * @returns undefined if the texts are too long to compare in time
 */
export function markChanges(before: string, after: string): string | undefined {
  const parts = diffArrays(tokensOf(before), tokensOf(after), { timeout: maxMs, comparator: isSame })
  if (!parts) return undefined
  let isFirst = true
  const open = (name: 'ins' | 'del'): string => {
    const id = isFirst ? ` id="${firstMark}"` : ''
    isFirst = false
    return `<${name}${id}>`
  }
  const within: string[] = []
  return slid(joined(parts as Part[]))
    .map(({ value, added, removed }) => {
      if (removed) return marked(kept(value, within.at(-1)), 'del', open)
      for (const one of value) follow(within, one)
      return added ? marked(value, 'ins', open) : value.join('')
    })
    .join('')
}

const tokensOf = (html: string): string[] => html.match(token) ?? []

/** An element is the same if only its attributes differ. The later one stands in the result. */
const isSame = (one: string, other: string): boolean => {
  if (one === other) return true
  const [name, otherName] = [startOf(one), startOf(other)]
  return name !== undefined && name === otherName && !shown.has(name)
}

/** The name in a start tag; undefined for anything else. */
function startOf(text: string): string | undefined {
  const [, end, name] = tag.exec(text) ?? []
  return end === '' ? name?.toLowerCase() : undefined
}

/** Follows the open elements over a token. */
function follow(within: string[], text: string): void {
  const [, end, name = ''] = tag.exec(text) ?? []
  const plain = name.toLowerCase()
  if (plain === '' || empty.has(plain)) return
  if (end === '') within.push(plain)
  else if (within.at(-1) === plain) within.pop()
}

const isSpace = (text: string): boolean => text.trim() === ''

/** Joins changes with nothing but a space between them, so that a changed sentence is one mark. */
function joined(parts: readonly Part[]): Part[] {
  const done: Part[] = []
  for (const [place, part] of parts.entries()) {
    const next = parts[place + 1]
    const isBetween = !part.added && !part.removed && done.length > 0 && next !== undefined && part.value.every(isSpace)
    if (isBetween) {
      done.push({ ...part, added: false, removed: true }, { ...part, added: true, removed: false })
      continue
    }
    done.push({ ...part, value: [...part.value] })
  }
  return collected(done)
}

/** Collects each run of changes into what is gone and what is new. */
function collected(parts: readonly Part[]): Part[] {
  const done: Part[] = []
  let run: { removed: string[]; added: string[] } | undefined
  const end = (): void => {
    if (run && run.removed.length > 0) done.push({ value: run.removed, added: false, removed: true })
    if (run && run.added.length > 0) done.push({ value: run.added, added: true, removed: false })
    run = undefined
  }
  for (const part of parts) {
    if (!part.added && !part.removed) {
      end()
      done.push(part)
      continue
    }
    run ??= { removed: [], added: [] }
    run[part.removed ? 'removed' : 'added'].push(...part.value)
  }
  end()
  return done
}

/**
 * Moves what is gone to where it is a whole element, while that is the same change: `b</p><p>` between `<p>` and `c` is the same as
 * `<p>b</p>` before `<p>c`.
 */
function slid(parts: readonly Part[]): readonly Part[] {
  for (const [place, part] of parts.entries()) {
    const [before, next] = [parts[place - 1], parts[place + 1]]
    const isFree = (one: Part | undefined): one is Part => one !== undefined && !one.added && !one.removed
    if (!part.removed || !isFree(before) || !isFree(next)) continue
    while (startOf(part.value.at(-1) ?? '') !== undefined && isSame(part.value.at(-1) ?? '', before.value.at(-1) ?? '')) {
      next.value.unshift(part.value.pop() as string)
      part.value.unshift(before.value.pop() as string)
    }
    while (part.value[0]?.startsWith('</') && part.value[0] === next.value[0]) {
      before.value.push(part.value.shift() as string)
      part.value.push(next.value.shift() as string)
    }
  }
  return parts
}

type Open = (name: 'ins' | 'del') => string

/** True for a token that people see: a word, a picture, a line. */
const isShown = (text: string): boolean => {
  const name = tag.exec(text)?.[2]?.toLowerCase()
  return name === undefined ? !text.startsWith('<!--') : shown.has(name)
}

/** Wraps the words and pictures of a run, between its elements. */
function marked(tokens: readonly string[], name: 'ins' | 'del', open: Open): string {
  let html = ''
  let words: string[] = []
  const end = (): void => {
    const text = words.join('')
    html += words.every(isSpace) ? text : `${open(name)}${text}</${name}>`
    words = []
  }
  for (const one of tokens) {
    if (isShown(one)) words.push(one)
    else {
      end()
      html += one
    }
  }
  end()
  return html
}

/** The elements that may contain blocks. */
const containers: ReadonlySet<string> = new Set(
  'ul ol li table thead tbody tfoot tr td th blockquote div section article aside dl dd dt figure details'.split(' '),
)
const blocks: ReadonlySet<string> = new Set([...containers, ...'p h1 h2 h3 h4 h5 h6 pre'.split(' ')])

/**
 * Returns what to show of a run that is gone: all of it, if its elements are whole and may stand here. Otherwise its words, with a
 * line break at the end of each block.
 * @param around the element around it
 */
function kept(tokens: readonly string[], around: string | undefined): readonly string[] {
  const open: string[] = []
  const isWhole = tokens.every((one) => {
    const depth = open.length
    follow(open, one)
    return !one.startsWith('</') || open.length < depth
  })
  const mayStand = around === undefined || containers.has(around) || tokens.every((one) => !blocks.has(startOf(one) ?? ''))
  if (isWhole && open.length === 0 && mayStand) return tokens.map(withoutId)
  return tokens.flatMap((one) => {
    const [, end, name = ''] = tag.exec(one) ?? []
    if (isShown(one)) return [one]
    return end === '/' && blocks.has(name.toLowerCase()) ? ['<br>'] : []
  })
}

/** An element that is gone gives up its id, which the later text may have. */
const withoutId = (text: string): string => (text.startsWith('<') ? text.replace(/\sid="[^"]*"/, '') : text)
