// The Markdown form of an entry: fields as YAML between two lines of `---`, then the body. The caller interprets the fields.
import { isMap, isScalar, parseDocument, stringify, visit } from 'yaml'
import { Failure } from '../../base/failure.ts'
import { maxFieldsChars } from './file-form.ts'

/** The two parts of a file. */
export interface FrontMatter {
  readonly fields: Record<string, unknown>
  readonly body: string
}

const maxDepth = 32

/** Eight markers (`- `, `? ` or `: `) in a row, at the start of a line or after a key. */
const compactNesting = /^(?:[^ \t\n]*:[ \t]+)?(?:[-?:][ \t]+){8}/

/**
 * Splits a file into fields and body. A text without front matter is all body. The fields are YAML 1.2 without aliases and tags,
 * so dates stay text. One blank line after the fields is part of neither.
 * @throws Failure `unprocessable` for front matter that isn't valid YAML, or has a value that JSON doesn't have
 */
export function readFrontMatter(text: string): FrontMatter {
  const whole = text.startsWith('\ufeff') ? text.slice(1) : text
  const parts = split(whole)
  if (parts === undefined) return { fields: {}, body: whole }
  if (parts.yaml.length > maxFieldsChars) throw unusable(`is longer than ${maxFieldsChars} characters`)
  limitDepth(parts.yaml)
  const document = withoutTraces(() => parse(parts.yaml))
  const [fault] = [...document.errors, ...document.warnings]
  // A text may begin with a horizontal rule. Then the part between the two lines of `---` isn't a map of fields.
  if (fault === undefined && document.contents !== null && !isMap(document.contents)) return { fields: {}, body: whole }
  if (fault !== undefined) throw unusable(`doesn't parse: ${fault.message.split('\n')[0]}`, lineAt(parts.yaml, fault.pos[0]))
  checkKeys(document, parts.yaml)
  return { fields: fieldsOf(document), body: parts.body }
}

const parse = (yaml: string) =>
  parseDocument(yaml, {
    schema: 'core',
    strict: true,
    // The parser compares every pair of keys, and searches for the line of each error. Both take quadratic time.
    uniqueKeys: false,
    prettyErrors: false,
    stringKeys: true,
    logLevel: 'silent',
  })

/** Runs without stack traces. Every character may cause an error, and collecting that many traces would take most of the time. */
function withoutTraces<T>(run: () => T): T {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 0
  try {
    return run()
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
}

/** Makes a file of fields and body; `readFrontMatter` splits it into the same values. Fields must be JSON values. */
export function formatFrontMatter(fields: Readonly<Record<string, unknown>>, body: string): string {
  const yaml =
    Object.keys(fields).length === 0 ? '' : stringify(fields, { schema: 'core', lineWidth: 0, aliasDuplicateObjects: false })
  return `---\n${yaml}---\n\n${body}`
}

function split(text: string): { readonly yaml: string; readonly body: string } | undefined {
  const opening = /^---[ \t]*\r?\n/.exec(text)
  if (opening === null) return undefined
  const closing = /^(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/gm
  closing.lastIndex = opening[0].length
  const end = closing.exec(text)
  if (end === null) return undefined
  return {
    yaml: text.slice(opening[0].length, end.index),
    body: text.slice(end.index + end[0].length).replace(/^\r?\n/, ''),
  }
}

/** The line of a place, from 1. */
const lineAt = (yaml: string, place: number): number => yaml.slice(0, place).split('\n').length

/** @throws Failure `unprocessable` for a map that has a key twice */
function checkKeys(document: ReturnType<typeof parseDocument>, yaml: string): void {
  visit(document, {
    Map(_key, { items }) {
      const seen = new Set<unknown>()
      for (const { key } of items) {
        const name = isScalar(key) ? String(key.value) : key
        const place = isScalar(key) ? key.range?.[0] : undefined
        if (seen.has(name))
          throw unusable("doesn't parse: Map keys must be unique", place === undefined ? undefined : lineAt(yaml, place))
        seen.add(name)
      }
    },
  })
}

function fieldsOf(document: ReturnType<typeof parseDocument>): Record<string, unknown> {
  let value: unknown
  try {
    value = document.toJS({ maxAliasCount: 0 })
  } catch (error) {
    throw unusable('has an alias: write the value out', undefined, error)
  }
  const fields = Object.fromEntries(Object.entries((value ?? {}) as Record<string, unknown>))
  if (!isJson(fields)) throw unusable('has a value that JSON does not have, such as .inf')
  return fields
}

function isJson(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value)
  if (Array.isArray(value)) return value.every(isJson)
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true
  return typeof value === 'object' && Object.getPrototypeOf(value) === Object.prototype && Object.values(value).every(isJson)
}

/**
 * Refuses deep nesting before parsing. The parser is recursive, and a stack overflow within a regular expression ends the process
 * (V8). Brackets in quotes count too, which no realistic file reaches.
 */
function limitDepth(yaml: string): void {
  let depth = 0
  let deepest = 0
  for (const char of yaml) {
    if (char === '[' || char === '{') deepest = Math.max(deepest, (depth += 1))
    else if (char === ']' || char === '}') depth = Math.max(0, depth - 1)
  }
  if (deepest > maxDepth || hasCompactNesting(yaml)) throw unusable('is nested too deeply')
}

const hasCompactNesting = (yaml: string): boolean => yaml.split(/[\r\n]/).some((line) => compactNesting.test(line.trimStart()))

function unusable(what: string, line?: number, cause?: unknown): Failure {
  const where = line === undefined ? '' : ` (line ${line + 1} of the file)`
  return new Failure(
    'unprocessable',
    `The front matter ${what}${where}.`,
    {
      field: 'markdown',
      expected: 'YAML fields between two lines of `---`, then the body',
    },
    { cause },
  )
}
