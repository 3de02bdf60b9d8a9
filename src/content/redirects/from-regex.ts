// Translates the regular expressions of other systems, such as Ghost's `redirects.json` and the WordPress plugin Redirection, into
// rules. Two forms have a rule: a path with an optional slash at its end, and everything after a prefix. No expression of an owner
// is ever run.

import { Failure } from '../../base/failure.ts'
import { foldedPath } from './old-paths.ts'
import { toSource, toTarget } from './redirect-rules.ts'

/** The rules that do what an expression does, or the reason why there are none. */
export type Translated =
  | { readonly rules: readonly { readonly source: string; readonly target: string | null }[] }
  | { readonly why: string }

/** An end of an expression that stands for the rest of a path. */
interface RestForm {
  readonly end: string
  /** True if the slash before the rest is a part of the end. */
  readonly slash: boolean
  /** True if that slash is also in the group `$1`. */
  readonly grouped: boolean
}

const restForms: readonly RestForm[] = [
  ...['(/.*)?', '(?:/.*)?', '(/.*)'].map((end) => ({ end, slash: true, grouped: true })),
  ...['/?(.*)', '/?.*'].map((end) => ({ end, slash: true, grouped: false })),
  ...['(.*)', '(.+)', '(.*?)', '.*', '.+'].map((end) => ({ end, slash: false, grouped: false })),
]

const optionalSlash: readonly string[] = ['(?:/)?', '(/)?', '/?']

/**
 * Translates an expression and its target. Without `^` the expression counts from the start, as its authors mean it.
 * @param source such as `^/blog/(.*)$` or `/^\/blog\/(.*)/i`
 * @param target such as `/news/$1`; null if the page is gone
 */
export function fromRegex(source: string, target: string | null): Translated {
  if (source.length > maxChars) return { why: 'it is too long' }
  const { text, anyCase } = bodyOf(source)
  const plain = withoutEnd(text, optionalSlash)
  const rest = restForms.find(({ end }) => plain.endsWith(end))
  const literal = literalOf(rest ? plain.slice(0, -rest.end.length) : plain)
  if (literal === undefined) return { why: 'only a path, an optional slash at its end, or everything after a prefix has a rule' }
  const path = anyCase ? foldedPath(literal) : literal
  if (!rest) return target?.match(/\$\d/) ? { why: 'its target names a group that it does not have' } : checked([[path, target]])
  if (path.includes('?')) return { why: 'a rule with a query has no pattern' }
  if (!rest.slash && !path.endsWith('/')) return { why: 'what it leaves open must begin after a slash' }
  const folder = path.endsWith('/') ? path : `${path}/`
  const to = restTarget(target, rest.grouped)
  if (to === undefined) return { why: '`$1` must stand at the end of its target, after a slash' }
  const itself = to?.endsWith('/*') ? to.slice(0, -'/*'.length) || '/' : to
  return checked([[`${folder}*`, to], ...(folder === '/' ? [] : [[folder, itself] as const])])
}

const maxChars = 2000

/** Returns the expression between its marks, with plain slashes. Ghost writes `/…/i` for one that ignores case. */
function bodyOf(source: string): { readonly text: string; readonly anyCase: boolean } {
  const end = source.lastIndexOf('/')
  const flags = source.slice(end + 1)
  const isMarked = /^\/[\^\\]/.test(source) && end > 1 && /^[a-z]*$/.test(flags) && source[end - 1] !== '\\'
  const inner = (isMarked ? source.slice(1, end) : source).replaceAll('\\/', '/')
  const text = inner.startsWith('^') ? inner.slice(1) : inner
  return {
    text: text.endsWith('$') && !text.endsWith('\\$') ? text.slice(0, -1) : text,
    anyCase: isMarked && flags.includes('i'),
  }
}

function withoutEnd(text: string, ends: readonly string[]): string {
  const end = ends.find((one) => text.endsWith(one))
  return end === undefined ? text : text.slice(0, -end.length)
}

/** Returns the path that an expression without open parts means; undefined if it has some. A dot stands for itself. */
function literalOf(text: string): string | undefined {
  let path = ''
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at] ?? ''
    if (char === '\\') {
      const next = text[++at] ?? ''
      // `\d` and the like stand for many characters.
      if (!/[^\w\s]/.test(next)) return undefined
      path += next
    } else if (/[*+?()[\]{}|^$]/.test(char)) return undefined
    else path += char
  }
  return path.startsWith('/') ? path : undefined
}

/** Returns the target of a rule with `/*`; undefined if the target uses what the expression leaves open in another way. */
function restTarget(target: string | null, grouped: boolean): string | null | undefined {
  if (target === null || !/\$\d/.test(target)) return target
  const [, base] = /^([^$]*)\$1\/?$/.exec(target) ?? []
  if (base === undefined || (!grouped && !base.endsWith('/'))) return undefined
  return base.endsWith('/') ? `${base}*` : `${base}/*`
}

/** Checks rules as those of a caller are checked. */
function checked(rules: readonly (readonly [from: string, to: string | null])[]): Translated {
  try {
    return {
      rules: rules.map(([from, to]) => {
        const source = toSource(from)
        return { source, target: toTarget(to, source) }
      }),
    }
  } catch (error) {
    if (error instanceof Failure) return { why: error.message }
    throw error
  }
}
