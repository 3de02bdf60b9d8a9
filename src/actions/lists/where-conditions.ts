// Searches a `where` without compiling it.

import { isObject } from '../../base/json.ts'

/** True if any condition in a `where`, at any depth, is on one of these fields. */
export function someCondition(where: unknown, isOne: (field: string, wanted: unknown) => boolean): boolean {
  if (!isObject(where)) return false
  return Object.entries(where).some(([name, wanted]) =>
    name === 'any' && Array.isArray(wanted) ? wanted.some((choice) => someCondition(choice, isOne)) : isOne(name, wanted),
  )
}
