// Front matter in TOML 1.0. Dates become texts: with an offset if they have one.

import { parse, TomlDate, TomlError } from 'smol-toml'
import { frontMatterFault, maxDepth } from './front-matter-fault.ts'

/** @throws Failure `unprocessable` */
export function readToml(toml: string): Record<string, unknown> {
  try {
    return withTexts(parse(toml, { maxDepth })) as Record<string, unknown>
  } catch (error) {
    if (!(error instanceof TomlError)) throw error
    const [why = ''] = error.message.replace('Invalid TOML document: ', '').split('\n')
    throw frontMatterFault(`doesn't parse: ${why}`, error.line, error)
  }
}

/** A value with the texts of its dates. Dotted keys can nest as deep as they like. */
function withTexts(value: unknown, depth = 0): unknown {
  if (depth > maxDepth) throw frontMatterFault('is nested too deeply')
  if (value instanceof TomlDate) return value.toISOString()
  if (Array.isArray(value)) return value.map((one) => withTexts(one, depth + 1))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withTexts(member, depth + 1)]))
}
