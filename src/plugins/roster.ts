// The active plugins, each with its keeper. The rows are read again whenever a plugin changes, in this process or another.

import type { Db } from '../store/core/database.ts'
import { type Active, activeOf, nothingActive } from './handle.ts'
import type { Keeper } from './keeper.ts'
import { listPlugins, type Plugin } from './plugin-store.ts'

export interface Roster {
  readonly active: Active
  readonly quarantined: readonly Plugin[]
  readonly keepers: readonly Keeper[]
  /** Reads the rows, and ends the process of each plugin that has changed or is no longer active. */
  reload(): Promise<void>
}

/** @param makeKeeper makes the keeper of an active plugin, without starting a process */
export function createRoster(db: Db, makeKeeper: (plugin: Plugin) => Keeper): Roster {
  const keepers = new Map<string, Keeper>()
  let active = nothingActive
  let quarantined: readonly Plugin[] = []
  let turn = 0
  let latest = Promise.resolve()

  const readAgain = async (): Promise<void> => {
    const mine = ++turn
    const all = await listPlugins(db)
    // A later call has started to read the rows. Its result includes the changes for this call, so this call waits for it.
    if (mine !== turn) return latest
    quarantined = all.filter(({ state }) => state === 'quarantined')
    const wanted = all.filter(({ state }) => state === 'active')
    for (const keeper of [...keepers.values()].filter(({ plugin }) => !wanted.some((one) => isSame(one, plugin)))) {
      keepers.delete(keeper.plugin.id)
      void keeper.close()
    }
    for (const plugin of wanted) if (!keepers.has(plugin.id)) keepers.set(plugin.id, makeKeeper(plugin))
    active = activeOf(wanted.map(({ id }) => keepers.get(id)).filter((keeper) => keeper !== undefined))
  }

  return {
    get active() {
      return active
    },
    get quarantined() {
      return quarantined
    },
    get keepers() {
      return [...keepers.values()]
    },
    reload: () => (latest = readAgain()),
  }
}

const isSame = (a: Plugin, b: Plugin): boolean => a.id === b.id && a.revision === b.revision && a.package === b.package
