// Arguments of `postern call` and `plugin configure`: `key=value`, `key=@file`, or one JSON object.

import { readFile } from 'node:fs/promises'
import type { Action } from '../actions/call/action.ts'
import { errorMessage } from '../base/error-message.ts'
import { isObject, type JsonObject } from '../base/json.ts'
import { type Io, UsageError } from './command.ts'
import { checkSize, readAll } from './read-input.ts'

/** Parses an object from JSON text. @throws UsageError */
export function readObject(text: string, from: string): JsonObject {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new UsageError(`${from} is no JSON: ${errorMessage(error)}.`, `'{"id": "/about"}'`)
  }
  if (isObject(value)) return value
  throw new UsageError(`${from} must be a JSON object.`, `'{"id": "/about"}'`)
}

/**
 * Reads texts by key from words such as `id=/about`. `body=@file` reads a file, `body=@-` standard input; `body=@@text` is the
 * text `@text`.
 * @throws UsageError for a word without `=`, a repeated key, or a file that can't be read
 */
export async function readPairs(words: readonly string[], io: Io): Promise<ReadonlyMap<string, string>> {
  const pairs = new Map<string, string>()
  for (const word of words) {
    const at = word.indexOf('=')
    const key = word.slice(0, Math.max(at, 0))
    if (key === '') throw new UsageError(`${JSON.stringify(word)} is not an argument.`, 'key=value, such as id=/about')
    if (pairs.has(key)) throw new UsageError(`${key} is given twice.`, `${key}='["a", "b"]' for a list`)
    pairs.set(key, word.slice(at + 1))
  }
  const fromStdin = [...pairs].filter(([, text]) => text === '@-').map(([key]) => key)
  if (fromStdin.length > 1)
    throw new UsageError(`Standard input can't be both ${fromStdin.join(' and ')}.`, `${fromStdin[1]}=@file`)
  for (const [key, text] of pairs) if (text.startsWith('@')) pairs.set(key, await readReference(io, key, text.slice(1)))
  return pairs
}

async function readReference(io: Io, key: string, name: string): Promise<string> {
  if (name.startsWith('@')) return name
  if (name === '-') return readAll(io)
  const bytes = await readFile(name).catch((error: NodeJS.ErrnoException) => {
    const hint = `${key}=@@${name} for the text ${JSON.stringify(`@${name}`)}`
    if (error.code === 'ENOENT') throw new UsageError(`There is no file ${JSON.stringify(name)} for ${key}.`, hint)
    throw new UsageError(`The file ${JSON.stringify(name)} for ${key} can't be read: ${error.message}.`, hint)
  })
  checkSize(`The file ${name}`, bytes.length)
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes)
  } catch {
    throw new UsageError(`The file ${name} is not text in UTF-8.`)
  }
}

/**
 * Parses the arguments of an action. A value is JSON if it parses as JSON, else text. An argument of type string is always text.
 */
export function parsePairs(pairs: ReadonlyMap<string, string>, action: Action | undefined): Record<string, unknown> {
  const input: Record<string, unknown> = {}
  for (const [key, text] of pairs)
    Object.defineProperty(input, key, { value: takesText(action, key) ? text : parseValue(text), enumerable: true })
  return input
}

/** Formats a value as a word for `readPairs` and `parsePairs`. */
export function toPair(action: Action, key: string, value: unknown): string {
  const isPlain = typeof value === 'string' && (takesText(action, key) || parseValue(value) === value)
  const text = isPlain ? value : JSON.stringify(value)
  return `${key}=${text.startsWith('@') ? '@' : ''}${text}`
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
