// Suggestions for a misspelt name.

import { editDistance } from './edit-distance.ts'

/**
 * Returns up to three names, nearest first, that contain the given name or are within an edit distance of about a third of its
 * length.
 */
export function nearest(asked: string, names: readonly string[]): readonly string[] {
  if (asked.length > 100) return []
  const wanted = asked.toLowerCase()
  const maxDistance = Math.max(1, Math.floor(wanted.length / 3))
  return names
    .map((name) => ({ name, distance: distanceTo(wanted, name.toLowerCase(), maxDistance) }))
    .filter(({ distance }) => distance <= maxDistance)
    .sort((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1))
    .slice(0, 3)
    .map(({ name }) => name)
}

/** Makes the detail `nearest` of a failure; empty if there are no near names. */
export const nearDetail = (near: readonly string[]): { readonly nearest?: readonly string[] } =>
  near.length > 0 ? { nearest: near } : {}

/** Makes the detail `nearest` for a misspelt name. @param names all valid names */
export const nearestIn = (asked: string, names: readonly string[]) => nearDetail(nearest(asked, names))

/** The sentence that ends a message about a misspelt name. */
export const didYouMean = (near: readonly string[]): string =>
  near.length > 0 ? ` Did you mean ${near.map((one) => JSON.stringify(one)).join(' or ')}?` : ''

function distanceTo(asked: string, name: string, maxDistance: number): number {
  if (name === asked) return 0
  if (asked.length > 2 && (name.endsWith(`.${asked}`) || name.endsWith(`_${asked}`))) return 1
  return Math.abs(asked.length - name.length) > maxDistance ? maxDistance + 1 : editDistance(asked, name)
}
