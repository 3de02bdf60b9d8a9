// The arguments of `postern call`, from its words: `key=value`, one JSON object, or standard input.

import type { Action } from '../actions/action.ts'
import { UsageError } from './command.ts'

/** An object from JSON text. @throws UsageError */
export function parseObject(text: string, from: string): Record<string, unknown> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new UsageError(`${from} is no JSON: ${error instanceof Error ? error.message : String(error)}.`, `'{"id": "/about"}'`)
  }
  if (value !== null && typeof value === 'object' && !Array.isArray(value)) return value as Record<string, unknown>
  throw new UsageError(`${from} must be a JSON object.`, `'{"id": "/about"}'`)
}

/**
 * Arguments from words. A value is JSON where it parses as such, else text; for an argument that takes nothing but text it is text always.
 * @throws UsageError for a word without `=`, and for a key that comes twice
 */
export function parsePairs(words: readonly string[], action: Action | undefined): Record<string, unknown> {
  const input: Record<string, unknown> = {}
  for (const word of words) {
    const [key = '', ...rest] = word.split('=')
    if (key === '' || rest.length === 0)
      throw new UsageError(`${JSON.stringify(word)} is no argument.`, 'key=value, such as id=/about')
    if (Object.hasOwn(input, key)) throw new UsageError(`${key} comes twice.`, `${key}='["a", "b"]' for a list`)
    const text = rest.join('=')
    Object.defineProperty(input, key, { value: takesText(action, key) ? text : parseValue(text), enumerable: true })
  }
  return input
}

function parseValue(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}

function takesText(action: Action | undefined, key: string): boolean {
  const properties = action?.input.properties as Readonly<Record<string, { readonly type?: unknown } | undefined>> | undefined
  return properties !== undefined && Object.hasOwn(properties, key) && properties[key]?.type === 'string'
}
