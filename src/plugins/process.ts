// A plugin's process as the site sees it: started under Node's permission model, asked, and killed where it breaks a rule.
// Every rule is held here; what the child does for itself (`host/`) is a convenience for the plugin.

import type { Failure } from '../failure.ts'
import type { PluginManifest } from './api.ts'
import { workerFile } from '../worker-file.ts'
import { PluginFatal } from './fatal.ts'
import { PluginChild } from './process-child.ts'
import { type ProcessLimits, processLimits } from './process-limits.ts'
import { findLink, realFolder, startHost } from './process-start.ts'
import type { Target } from './registered.ts'

export { PluginFatal }
export type { ProcessLimits }

export interface LogLine {
  readonly level: 'info' | 'warn' | 'error'
  readonly message: string
  readonly fields: Readonly<Record<string, unknown>>
}

export interface ProcessOptions {
  readonly manifest: Pick<PluginManifest, 'id' | 'name' | 'version' | 'main'>
  /** Its files; all it may read. */
  readonly folder: string
  readonly settings: Readonly<Record<string, string | number | boolean>>
  /** What the plugin asks of the site (`postern.call`, `postern.fetch`). Rejects with a Failure to say no. */
  readonly ask: (ask: Ask) => Promise<unknown>
  readonly onLog: (line: LogLine) => void
  /** Text that it printed outside any run; that of a run comes with its outcome. */
  readonly onPrint: (text: string) => void
  readonly limits?: Partial<ProcessLimits>
  /** The built `plugins/host.js`; found by itself below `dist`. */
  readonly hostFile?: URL
}

export type Ask =
  | {
      readonly kind: 'call'
      readonly class: string
      readonly action: string
      readonly input: object
      readonly options: object
      /** It came in a dry run, and must change nothing. */
      readonly dryRun: boolean
      /** The function that asked; undefined where none runs that is known. */
      readonly during: Target | undefined
      /** As `RunOptions` has them, of the run in which it was asked. */
      readonly depth: number
      readonly limits: readonly object[]
    }
  | {
      readonly kind: 'fetch'
      readonly url: string
      readonly init: object
      /** It came in a dry run, and must reach nothing. */
      readonly dryRun: boolean
      /** Milliseconds until the run must have answered in which it was asked; undefined where none is known. */
      readonly leftMs: number | undefined
    }

export interface RunOptions {
  /** In milliseconds. */
  readonly timeoutMs?: number
  readonly dryRun?: boolean
  /** How many events led here, one in answer to the other; 0 unless told. */
  readonly depth?: number
  /** The limits of whoever called: what the run asks of the site is held to them. What they are is the host's to know. */
  readonly limits?: readonly object[]
}

/** How a run ended: a value, or what was thrown as `postern.Failure`. */
export interface Ran {
  readonly value?: unknown
  readonly failure?: Failure
  readonly printed: string
}

export interface PluginProcess {
  readonly pid: number
  /** As it was told; unchecked. */
  readonly registered: unknown
  /** What was printed while it was loaded and activated. */
  readonly printedAtLoad: string
  /** Runs a registered function. Never hangs: after `timeoutMs` the process is killed. @throws PluginFatal */
  run(target: Target, args: readonly unknown[], options?: RunOptions): Promise<Ran>
  /** Resolves with why it ended; undefined where it was asked to. */
  readonly ended: Promise<PluginFatal | undefined>
  /** Runs in flight. */
  readonly running: number
  /** Asks it to go, kills it after a second; never rejects. */
  end(): Promise<void>
}

/**
 * Starts it and waits for `activate`.
 * @throws PluginFatal; Failure `unavailable` where the machine is at fault
 */
export async function startPluginProcess(options: ProcessOptions): Promise<PluginProcess> {
  const { manifest, hostFile = workerFile('plugins/host.js', import.meta.url) } = options
  const folder = realFolder(options.folder)
  const limits = { ...processLimits, ...options.limits }
  const link = findLink(folder)
  if (link !== undefined) {
    const what = `holds a link, ${JSON.stringify(link)}, and only files and folders are taken`
    throw new PluginFatal('load', `The plugin ${manifest.id} ${what}.`)
  }
  const child = new PluginChild({ ...options, folder }, limits, await startHost(hostFile, folder, limits.heapMb))
  await child.activated
  return child
}
