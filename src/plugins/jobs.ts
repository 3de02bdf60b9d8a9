// Plugins' jobs as recurring work. One that fails is tried again at its next time.

import type { Recurring } from '../jobs/recurring.ts'
import type { JobHandle } from './handle.ts'

/** One run of a job, in milliseconds. */
const timeoutMs = 60_000

/** Names the job of a plugin at this place in what the plugin registered. */
export const jobName = (plugin: string, index: number): string => `plugin ${plugin} ${index}`

/** Starts the name of each job of a plugin, and of no other plugin's. */
export const jobNamePrefix = (plugin: string): string => `plugin ${plugin} `

/** What runs again and again for the active plugins. */
export function pluginJobs(active: { readonly jobs: readonly JobHandle[] }): readonly Recurring[] {
  return active.jobs.map(({ plugin, about, run }) => ({
    name: jobName(plugin, about.index),
    call: `plugin ${plugin}`,
    everyMs: about.everyMs,
    about: { plugin, source: `plugin:${plugin}`, job: about.index },
    run: () => run([], { timeoutMs }),
  }))
}
