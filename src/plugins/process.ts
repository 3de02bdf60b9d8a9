// A plugin's process as the site sees it. It runs under Node's permission model, and is killed if it breaks a rule. The site's side
// enforces every rule; the code in the process itself (`host/`) enforces none.

import type { Failure } from '../base/failure.ts'
import type { PluginManifest } from './api.ts'
import { workerFile } from '../base/worker-file.ts'
import { PluginFatal } from './fatal.ts'
import { PluginChild } from './process-child.ts'
import { type ProcessLimits, processLimits } from './process-limits.ts'
import { findLink, realFolder, startHost } from './process-start.ts'
import type { RunTarget } from './registered.ts'

export { PluginFatal }
export type { ProcessLimits }

export interface PluginLogLine {
  readonly level: 'info' | 'warn' | 'error'
  readonly message: string
  readonly fields: Readonly<Record<string, unknown>>
}

export interface ProcessOptions {
  readonly manifest: Pick<PluginManifest, 'id' | 'name' | 'version' | 'main'>
  /** The folder with the plugin's files. The process can't read any others. */
  readonly folder: string
  readonly settings: Readonly<Record<string, string | number | boolean>>
  /** Answers a question of the plugin (`postern.call`, `postern.fetch`). Rejects with a Failure to refuse it. */
  readonly ask: (ask: Ask) => Promise<unknown>
  readonly onLog: (line: PluginLogLine) => void
  /** Takes text that the plugin printed outside any run. Text printed in a run is part of its outcome. */
  readonly onPrint: (text: string) => void
  readonly limits?: Partial<ProcessLimits>
  /** The built `plugins/host.js`. By default it is found below `dist`. */
  readonly hostFile?: URL
}

export type Ask =
  | {
      readonly kind: 'call'
      readonly class: string
      readonly action: string
      readonly input: object
      readonly options: object
      /** True if the call must change nothing. */
      readonly dryRun: boolean
      /** The function that asked; undefined if that is unknown. */
      readonly during: RunTarget | undefined
      /** As in the `RunOptions` of the run that asked. */
      readonly depth: number
      readonly limits: readonly object[]
    }
  | {
      readonly kind: 'fetch'
      readonly url: string
      readonly init: object
      /** True if no request may be sent. */
      readonly dryRun: boolean
      /** The remaining milliseconds of the run that asked; undefined if that run is unknown. */
      readonly leftMs: number | undefined
    }

export interface RunOptions {
  readonly timeoutMs?: number
  readonly dryRun?: boolean
  /** The length of the chain of events that led to this run, 0 by default. */
  readonly depth?: number
  /** The limits of the caller. They also apply to the questions of the run. Only the `PluginsHost` interprets them. */
  readonly limits?: readonly object[]
}

/** The end of a run: a value, or the `postern.Failure` that the plugin threw. */
export interface RunOutcome {
  readonly value?: unknown
  readonly failure?: Failure
  readonly printed: string
}

export interface PluginProcess {
  readonly pid: number
  /** The registrations of the plugin as reported by the process, unchecked. */
  readonly registered: unknown
  /** The output of the plugin while it was loaded and activated. */
  readonly printedAtLoad: string
  /** Runs a registered function. Never hangs: after `timeoutMs` the process is killed. @throws PluginFatal */
  run(target: RunTarget, args: readonly unknown[], options?: RunOptions): Promise<RunOutcome>
  /** Resolves with the reason when the process has ended; undefined if `end` was called. */
  readonly ended: Promise<PluginFatal | undefined>
  readonly running: number
  /** Asks the process to end, and kills it after a second. Never rejects. */
  end(): Promise<void>
}

/**
 * Starts a plugin's process and waits until the plugin is activated.
 * @throws PluginFatal; Failure `unavailable` if the machine is at fault
 */
export async function startPluginProcess(options: ProcessOptions): Promise<PluginProcess> {
  const { manifest, hostFile = workerFile('plugins/host.js', import.meta.url) } = options
  const folder = realFolder(options.folder)
  const limits = { ...processLimits, ...options.limits }
  const link = findLink(folder)
  if (link !== undefined) {
    const what = `holds a link, ${JSON.stringify(link)}, and may contain only files and folders`
    throw new PluginFatal('load', `The plugin ${manifest.id} ${what}.`)
  }
  const child = new PluginChild({ ...options, folder }, limits, await startHost(hostFile, folder, limits.heapMb))
  await child.activated
  return child
}
