// The stored registrations of a plugin. `read-registered.ts` reads them from the untrusted process.

import type { PluginAction, PluginEvent } from './api.ts'

export type FilterName = 'page.html' | 'entry.html' | 'feed.item'

/** An action without its function. */
export type RegisteredAction = Omit<PluginAction, 'run'>

export interface RegisteredRoute {
  readonly method: string
  /** Below `/ext/ID`: `/hello`, `/files/:name`, `/all/*`. */
  readonly path: string
}

/** All registrations of a plugin. Lists are in the order of registration, and an index identifies a function to the process. */
export interface Registered {
  readonly actions: readonly RegisteredAction[]
  readonly filters: readonly FilterName[]
  readonly routes: readonly RegisteredRoute[]
  readonly events: readonly PluginEvent[]
  readonly jobs: readonly { readonly everyMs: number }[]
  /** The number of functions that were registered with `beforeDispatch`. */
  readonly hooks: number
  readonly authenticates: boolean
}

/** One registered function: its list, and its index there. `authenticate` has only one. */
export interface RunTarget {
  readonly kind: 'action' | 'filter' | 'route' | 'event' | 'job' | 'hook' | 'authenticate'
  readonly index: number
}
