// What is open to requests: each registered function of each active plugin, with the way to run it. Running is the keeper's.

import type { Keeper } from './keeper.ts'
import type { RunOptions } from './process.ts'
import type { FilterName, Registered, RegisteredAction, RegisteredRoute, Target } from './registered.ts'

/** A registered function, and how to run it. */
export interface Handle<About = undefined> {
  readonly plugin: string
  readonly about: About
  /** @throws Failure */
  run(args: readonly unknown[], options?: RunOptions): Promise<unknown>
}

/** A job of a plugin: `about` is its place among the plugin's jobs, and how often it runs. */
export type JobHandle = Handle<{ readonly index: number; readonly everyMs: number }>

/** What is open to requests, made anew whenever a plugin changes. */
export interface Active {
  readonly actions: readonly Handle<RegisteredAction>[]
  readonly hooks: readonly Handle[]
  readonly routes: readonly Handle<RegisteredRoute>[]
  readonly events: readonly Handle<string>[]
  readonly jobs: readonly JobHandle[]
  readonly filters: readonly Handle<FilterName>[]
  /** The first that says whose `X-API-Key` it is. */
  readonly bridge: Handle | undefined
  /** How many plugins are active. */
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

/** What these plugins registered, in their order. */
export function activeOf(keepers: readonly Keeper[]): Active {
  const each = <T, A>(
    list: (registered: Registered) => readonly T[],
    kind: Target['kind'],
    aboutOf: (one: T, index: number) => A,
  ) =>
    keepers.flatMap((keeper) =>
      list(keeper.plugin.registered).map((one, index): Handle<A> => ({
        plugin: keeper.plugin.id,
        about: aboutOf(one, index),
        run: (args, options) => keeper.run({ kind, index }, args, options),
      })),
    )
  const itself = <T>(one: T): T => one
  return {
    actions: each((registered) => registered.actions, 'action', itself),
    hooks: each(
      (registered) => Array.from({ length: registered.hooks }),
      'hook',
      () => undefined,
    ),
    routes: each((registered) => registered.routes, 'route', itself),
    events: each((registered) => registered.events, 'event', itself<string>),
    jobs: each(
      (registered) => registered.jobs,
      'job',
      ({ everyMs }, index) => ({ index, everyMs }),
    ),
    filters: each((registered) => registered.filters, 'filter', itself),
    bridge: each(
      (registered) => (registered.authenticates ? [undefined] : []),
      'authenticate',
      () => undefined,
    )[0],
    count: keepers.length,
  }
}
