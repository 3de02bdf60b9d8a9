// Merges two versions of a JSON object that have a common base. A pure function.

import { isObject } from '../../base/json.ts'

/**
 * Returns the object with the changes of both sides, as JSON; undefined if both sides changed one member, or if a text is not an
 * object.
 * @param base the object from which both sides were made
 */
export function mergeMembers(base: unknown, live: unknown, staged: unknown): string | undefined {
  const [was, here, there] = [parse(base), parse(live), parse(staged)]
  if (!was || !here || !there) return undefined
  const merged: Record<string, unknown> = {}
  for (const name of new Set([...Object.keys(there), ...Object.keys(here)])) {
    const [old, mine, theirs] = [text(was[name]), text(here[name]), text(there[name])]
    if (mine !== old && theirs !== old && mine !== theirs) return undefined
    const value = theirs === old ? here[name] : there[name]
    if (value !== undefined) merged[name] = value
  }
  return JSON.stringify(merged)
}

/** An absent member is the empty text, so a member that one side removes and the other changes is a conflict. */
const text = (value: unknown): string => JSON.stringify(value) ?? ''

function parse(value: unknown): Readonly<Record<string, unknown>> | undefined {
  if (typeof value !== 'string') return undefined
  try {
    const parsed: unknown = JSON.parse(value)
    return isObject(parsed) ? parsed : undefined
  } catch {
    return undefined
  }
}
