// Making one call of two that change the same object, for proposals.

import { isObject } from '../../base/json.ts'
import type { Shown } from './action.ts'

/**
 * Combines the inputs of an action that sets fields: the later fields replace those of the same name, others are added. So do the
 * members of fields such as `set` and `seo`, of which those that are left out stay.
 */
export function combineFields(earlier: Shown, later: Shown): Shown | undefined {
  if (earlier['stage'] !== later['stage']) return undefined
  const combined = Object.entries(later).map(([name, value]) => {
    const before = earlier[name]
    return [name, isObject(before) && isObject(value) ? { ...before, ...value } : value]
  })
  return { ...earlier, ...Object.fromEntries(combined), ...('id' in earlier && { id: earlier['id'] }) }
}

/** Combines the inputs of an action that applies a list of edits in order. @param most the most edits of a call */
export function combineEdits(earlier: Shown, later: Shown, most: number): Shown | undefined {
  const edits = [earlier['edits'], later['edits']].flat()
  return earlier['stage'] === later['stage'] && edits.length <= most ? { ...earlier, edits } : undefined
}
