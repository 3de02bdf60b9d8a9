// Everything that active plugins registered: one handle for each function. The plugin's keeper runs it.

import type { Keeper } from './keeper.ts'
import type { RunOptions } from './process.ts'
import type { FilterName, RegisteredAction, RegisteredRoute, RunTarget } from './registered.ts'

/** A registered function, and how to run it. */
export interface Handle<About = undefined> {
  readonly plugin: string
  readonly about: About
  /** @throws Failure */
  run(args: readonly unknown[], options?: RunOptions): Promise<unknown>
}

/** A job of a plugin: `about` has its index among the plugin's jobs, and its interval. */
export type JobHandle = Handle<{ readonly index: number; readonly everyMs: number }>

/** The handles of all active plugins. This object is replaced whenever a plugin changes. */
export interface Active {
  readonly actions: readonly Handle<RegisteredAction>[]
  readonly hooks: readonly Handle[]
  readonly routes: readonly Handle<RegisteredRoute>[]
  readonly events: readonly Handle<string>[]
  readonly jobs: readonly JobHandle[]
  readonly filters: readonly Handle<FilterName>[]
  /** The first registered function that identifies callers by `X-API-Key`. */
  readonly bridge: Handle | undefined
  /** The number of active plugins. */
  readonly count: number
}

export const nothingActive: Active = {
  actions: [],
  hooks: [],
  routes: [],
  events: [],
  jobs: [],
  filters: [],
  bridge: undefined,
  count: 0,
}

/** The handles of these plugins, in the order of the plugins. */
export function activeOf(keepers: readonly Keeper[]): Active {
  const all = keepers.map(({ handles }) => handles)
  return {
    actions: all.flatMap(({ actions }) => actions),
    hooks: all.flatMap(({ hooks }) => hooks),
    routes: all.flatMap(({ routes }) => routes),
    events: all.flatMap(({ events }) => events),
    jobs: all.flatMap(({ jobs }) => jobs),
    filters: all.flatMap(({ filters }) => filters),
    bridge: all.find(({ bridge }) => bridge !== undefined)?.bridge,
    count: keepers.length,
  }
}

export type Handles = Omit<Active, 'count'>

/** Makes the handles of a plugin. They run through its keeper. */
export function makeHandles(keeper: Pick<Keeper, 'plugin' | 'run'>): Handles {
  const { id, registered } = keeper.plugin
  const each = <T, A>(list: readonly T[], kind: RunTarget['kind'], aboutOf: (one: T, index: number) => A) =>
    list.map((one, index): Handle<A> => ({
      plugin: id,
      about: aboutOf(one, index),
      run: (args, options) => keeper.run({ kind, index }, args, options),
    }))
  const itself = <T>(one: T): T => one
  const nothing = () => undefined
  return {
    actions: each(registered.actions, 'action', itself),
    hooks: each(Array.from({ length: registered.hooks }), 'hook', nothing),
    routes: each(registered.routes, 'route', itself),
    events: each(registered.events, 'event', itself<string>),
    jobs: each(registered.jobs, 'job', ({ everyMs }, index) => ({ index, everyMs })),
    filters: each(registered.filters, 'filter', itself),
    bridge: each(registered.authenticates ? [undefined] : [], 'authenticate', nothing)[0],
  }
}
