// References in the arguments of a batch's calls: `$2.item.id` is the id of the item in the third call's result.

import { Failure } from '../../base/failure.ts'

/** `$$0` is a text that begins with `$0`, not a reference. */
const reference = /^\$(\d{1,3})(\.[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z0-9_]+)*)$/

const anyEscaped = /^\$+(?=\$)/

/** Escapes a value, so that none of its texts is taken for a reference. */
export function escapeReferences(value: unknown): unknown {
  if (typeof value === 'string') return reference.test(value.replace(anyEscaped, '')) ? `$${value}` : value
  if (Array.isArray(value)) return value.map(escapeReferences)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, escapeReferences(part)]))
}

/** Returns the places of the calls to whose results a value refers. */
export function placesIn(value: unknown): readonly number[] {
  if (typeof value === 'string') return value.startsWith('$') ? [...(reference.exec(value)?.slice(1, 2) ?? [])].map(Number) : []
  return value !== null && typeof value === 'object' ? Object.values(value).flatMap(placesIn) : []
}

/** Returns a value whose references name other places. @param placeOf returns the new place of a call */
export function movePlaces(value: unknown, placeOf: (place: number) => number): unknown {
  if (typeof value === 'string')
    return value.startsWith('$') ? value.replace(reference, (_, place, path) => `$${placeOf(Number(place))}${path}`) : value
  if (Array.isArray(value)) return value.map((part) => movePlaces(part, placeOf))
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, movePlaces(part, placeOf)]))
}

/** True if a value takes texts other than ids from earlier results, such as a title or a slug. */
export function readsTexts(value: unknown): boolean {
  if (typeof value === 'string') return placesIn(value).length > 0 && !value.endsWith('.id')
  return value !== null && typeof value === 'object' && Object.values(value).some(readsTexts)
}

/**
 * Returns a value with its references replaced. References to missing results are not replaced.
 * @throws Failure `invalid` for a reference to a member that a result doesn't have
 */
export function resolveReferences(value: unknown, results: readonly unknown[]): unknown {
  if (typeof value === 'string') return value.startsWith('$') ? resolveReference(value, results) : value
  if (Array.isArray(value)) return value.map((part) => resolveReferences(part, results))
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, resolveReferences(part, results)]))
}

function resolveReference(text: string, results: readonly unknown[]): unknown {
  const [, place = '', path = ''] = reference.exec(text) ?? []
  if (place === '') return text.startsWith('$$') && reference.test(text.replace(anyEscaped, '')) ? text.slice(1) : text
  const result = results[Number(place)]
  if (result === undefined) return text
  const found = path
    .slice(1)
    .split('.')
    .reduce<unknown>(
      (value, key) =>
        value !== null && typeof value === 'object' && Object.hasOwn(value, key)
          ? (value as Record<string, unknown>)[key]
          : undefined,
      result,
    )
  if (found !== undefined) return found
  throw nothingThere(text)
}

/**
 * Returns a value for a later batch: references to these results are replaced, and the other ones count from there. A reference to
 * nothing is kept, so that its call fails.
 */
export function carryReferences(value: unknown, results: readonly unknown[]): unknown {
  if (Array.isArray(value)) return value.map((part) => carryReferences(part, results))
  if (value !== null && typeof value === 'object')
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, carryReferences(part, results)]))
  const [place] = placesIn(value)
  if (place === undefined) return value
  if (place >= results.length) return movePlaces(value, (one) => one - results.length)
  try {
    return escapeReferences(resolveReferences(value, results))
  } catch (error) {
    if (error instanceof Failure) return value
    throw error
  }
}

export const nothingThere = (text: string): Failure =>
  new Failure('invalid', `${JSON.stringify(text)} refers to nothing in an earlier result.`, {
    expected: 'a reference to an earlier call, such as `$0.item.id`',
  })
