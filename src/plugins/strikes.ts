// Counts the recent failures of each plugin in this process: to show them to the owner, and to decide when a plugin is quarantined.

import type { PluginError } from './keeper.ts'

const allowed = 3
const withinMs = 10 * 60_000
const maxShown = 10

export interface Strikes {
  /** @returns whether this was the third failure in ten minutes */
  add(id: string, error: PluginError): boolean
  /** The last failures, newest first. */
  of(id: string): readonly PluginError[]
  /** Resets the count of a plugin. Its last failures are still shown. */
  forgive(id: string): void
}

/** The counts are in memory: a restart of the site resets them. */
export function createStrikes(): Strikes {
  const byPlugin = new Map<string, readonly PluginError[]>()
  const counted = new Map<string, readonly number[]>()
  return {
    add(id, error) {
      byPlugin.set(id, [error, ...(byPlugin.get(id) ?? [])].slice(0, maxShown))
      const recent = [...(counted.get(id) ?? []).filter((at) => at > error.at - withinMs), error.at]
      counted.set(id, recent)
      return recent.length >= allowed
    },
    of: (id) => byPlugin.get(id) ?? [],
    forgive: (id) => void counted.delete(id),
  }
}
