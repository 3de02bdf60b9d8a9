// Front matter in YAML, read without the parser's costs for hostile texts.

import { isMap, isScalar, parseDocument, visit } from 'yaml'
import { frontMatterFault, maxDepth } from './front-matter-fault.ts'

/** Eight markers (`- `, `? ` or `: `) in a row, at the start of a line or after a key. */
const compactNesting = /^(?:[^ \t\n]*:[ \t]+)?(?:[-?:][ \t]+){8}/

/**
 * Reads fields in YAML 1.2 without aliases and tags.
 * @returns undefined for YAML that isn't a map @throws Failure `unprocessable`
 */
export function readYaml(yaml: string): Record<string, unknown> | undefined {
  limitDepth(yaml)
  const document = withoutTraces(() => parse(yaml))
  const [fault] = [...document.errors, ...document.warnings]
  if (fault === undefined && document.contents !== null && !isMap(document.contents)) return undefined
  if (fault !== undefined) throw frontMatterFault(`doesn't parse: ${fault.message.split('\n')[0]}`, lineAt(yaml, fault.pos[0]))
  checkKeys(document, yaml)
  return fieldsOf(document)
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
          throw frontMatterFault("doesn't parse: Map keys must be unique", place === undefined ? undefined : lineAt(yaml, place))
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
    throw frontMatterFault('has an alias: write the value out', undefined, error)
  }
  return Object.fromEntries(Object.entries((value ?? {}) as Record<string, unknown>))
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
  if (deepest > maxDepth || hasCompactNesting(yaml)) throw frontMatterFault('is nested too deeply')
}

const hasCompactNesting = (yaml: string): boolean => yaml.split(/[\r\n]/).some((line) => compactNesting.test(line.trimStart()))
