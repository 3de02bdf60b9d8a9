// How often each plugin failed of late, in this process: what is shown to its owner, and whether it has had its chances.

import type { PluginError } from './keeper.ts'

const allowed = 3
const withinMs = 10 * 60_000
const kept = 10

export interface Strikes {
  /** @returns whether that was one too many: three in ten minutes */
  add(id: string, error: PluginError): boolean
  /** The last failures, newest first. */
  of(id: string): readonly PluginError[]
  /** A fresh start. */
  forgive(id: string): void
}

/** Knows of no failure yet; a restart of the site forgets them all. */
export function createStrikes(): Strikes {
  const byPlugin = new Map<string, readonly PluginError[]>()
  const counted = new Map<string, readonly number[]>()
  return {
    add(id, error) {
      byPlugin.set(id, [error, ...(byPlugin.get(id) ?? [])].slice(0, kept))
      const recent = [...(counted.get(id) ?? []).filter((at) => at > error.at - withinMs), error.at]
      counted.set(id, recent)
      return recent.length >= allowed
    },
    of: (id) => byPlugin.get(id) ?? [],
    forgive: (id) => void counted.delete(id),
  }
}
