// What a plugin registered while it was activated, as the site keeps it: read from a process that nobody vouches for.

import type { PluginAction, PluginEvent } from './api.ts'

export type FilterName = 'page.html' | 'entry.html' | 'feed.item'

/** An action without its function. */
export type RegisteredAction = Omit<PluginAction, 'run'>

export interface RegisteredRoute {
  readonly method: string
  /** Below `/ext/ID`: `/hello`, `/files/:name`, `/all/*`. */
  readonly path: string
}

/** All of it; each list in the order of registration, which is how a process is told what to run. */
export interface Registered {
  readonly actions: readonly RegisteredAction[]
  readonly filters: readonly FilterName[]
  readonly routes: readonly RegisteredRoute[]
  readonly events: readonly PluginEvent[]
  readonly jobs: readonly { readonly everyMs: number }[]
  /** How many functions stand before dispatch. */
  readonly hooks: number
  readonly authenticates: boolean
}

/** One registered function: its list, and its place there. `authenticate` has but one. */
export interface RunTarget {
  readonly kind: 'action' | 'filter' | 'route' | 'event' | 'job' | 'hook' | 'authenticate'
  readonly index: number
}
