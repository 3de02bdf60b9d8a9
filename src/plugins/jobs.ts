// The jobs of plugins as recurring work. A job that fails runs again at its next time.

import type { Recurring } from '../jobs/recurring.ts'
import type { JobHandle } from './handle.ts'

/** The longest run of a job. */
const timeoutMs = 60_000

/** The name of a plugin's job. @param index of the job among those that the plugin registered */
const jobName = (plugin: string, index: number): string => `plugin ${plugin} ${index}`

/** The prefix of the names of a plugin's jobs. No other plugin's jobs have it. */
export const jobNamePrefix = (plugin: string): string => `plugin ${plugin} `

export function pluginJobs(active: { readonly jobs: readonly JobHandle[] }): readonly Recurring[] {
  return active.jobs.map(({ plugin, about, run }) => ({
    name: jobName(plugin, about.index),
    call: `plugin ${plugin}`,
    everyMs: about.everyMs,
    about: { plugin, source: `plugin:${plugin}`, job: about.index },
    run: () => run([], { timeoutMs }),
  }))
}
