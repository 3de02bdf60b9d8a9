// Tags of template languages in a text: finds them in one pass, with their values.

export interface TemplateTag {
  readonly name: string
  readonly isEnd: boolean
  /** The text between the name and the end of the tag. */
  readonly inner: string
  readonly whole: string
}

export interface TagForm {
  readonly open: string
  readonly close: string
}

const maxTagChars = 4000

/** Replaces each tag; undefined leaves it. A tag whose end is far or missing is text. */
export function replaceTags(text: string, { open, close }: TagForm, replace: (tag: TemplateTag) => string | undefined): string {
  if (!text.includes(open)) return text
  const parts: string[] = []
  let from = 0
  for (let start = text.indexOf(open); start >= 0; start = text.indexOf(open, Math.max(start + open.length, from))) {
    if (start < from) continue
    const end = text.slice(start, start + maxTagChars).indexOf(close, open.length)
    if (end < 0) continue
    const whole = text.slice(start, start + end + close.length)
    const within = whole
      .slice(open.length, -close.length)
      .replace(/^[-~]/, '')
      .trim()
      .replace(/[-~/]$/, '')
    const isEnd = within.startsWith('/')
    const words = isEnd ? within.slice(1).trimStart() : within
    const name = /^[\w./-]{1,80}/.exec(words)?.[0] ?? ''
    const tag = { name, isEnd, inner: words.slice(name.length), whole }
    const written = replace(tag)
    if (written === undefined) continue
    parts.push(text.slice(from, start), written)
    from = start + whole.length
  }
  return [...parts, text.slice(from)].join('')
}

/** The values of a tag: `name="value"`, and those without a name by their numbers. */
export function tagValues(inner: string): ReadonlyMap<string, string> {
  const values = new Map<string, string>()
  let number = 0
  for (const [, name, double, single, raw, bare] of inner.matchAll(
    /(?:([\w-]{1,60})\s{0,5}[=:]\s{0,5})?(?:"((?:[^"\\]|\\.)*)"|'([^']*)'|`([^`]*)`|([^\s"'`=,()]{1,1000}))/g,
  )) {
    const value = double?.replace(/\\(["\\])/g, '$1') ?? single ?? raw ?? bare ?? ''
    values.set(name?.toLowerCase() ?? String(number++), value)
  }
  return values
}

/**
 * Replaces pairs of tags, and what is between them.
 * @param isOpen matches the first tag, with its name as the first group
 * @param ends match the second tag, by the name
 */
export function replacePairs(
  text: string,
  isOpen: RegExp,
  ends: Readonly<Record<string, RegExp>>,
  replace: (open: RegExpExecArray, content: string) => string,
): string {
  const parts: string[] = []
  let from = 0
  const missing = new Set<string>()
  isOpen.lastIndex = 0
  for (let open = isOpen.exec(text); open; open = isOpen.exec(text)) {
    const name = open[1] ?? ''
    const end = ends[name.toLowerCase()]
    if (missing.has(name) || !end) continue
    end.lastIndex = open.index + open[0].length
    const found = end.exec(text)
    if (!found) {
      missing.add(name)
      continue
    }
    parts.push(text.slice(from, open.index), replace(open, text.slice(open.index + open[0].length, found.index)))
    from = found.index + found[0].length
    isOpen.lastIndex = from
  }
  return [...parts, text.slice(from)].join('')
}
