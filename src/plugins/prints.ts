// The output of plugins. Each text becomes a log line, or is collected: releases below `1` put it before the body.

import { AsyncLocalStorage } from 'node:async_hooks'
import type { Log } from '../base/log.ts'

export interface Prints {
  onPrint(plugin: string): (text: string) => void
  /** Runs a function, and collects what plugins print during it instead of logging it. */
  gather<T>(into: string[], run: () => Promise<T>): Promise<T>
}

const maxLogged = 2000

export function createPrints(log: Log): Prints {
  const gathering = new AsyncLocalStorage<string[]>()
  return {
    onPrint: (plugin) => (text) => {
      const gathered = gathering.getStore()
      if (gathered) gathered.push(text)
      else log.info('plugin printed', { plugin, source: `plugin:${plugin}`, text: text.slice(0, maxLogged).toWellFormed() })
    },
    gather: (into, run) => gathering.run(into, run),
  }
}
