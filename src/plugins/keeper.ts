// Runs one active plugin: starts its process when needed, ends the process when idle, and reports each failure. Access to the
// plugin and the plugin's own rights are checked elsewhere. `process.ts` confines the process.

import { Failure } from '../base/failure.ts'
import { sameJson } from '../base/json.ts'
import type { Log } from '../base/log.ts'
import { newId } from '../store/core/ids.ts'
import { readRegistered } from './read-registered.ts'
import { type Handles, makeHandles } from './handle.ts'
import type { Plugin } from './plugin-store.ts'
import { PluginFatal, type PluginProcess, type ProcessOptions, type RunOptions, startPluginProcess } from './process.ts'
import { notStarted } from './process-start.ts'
import type { Registered, RunTarget } from './registered.ts'
import { hashFolder } from './stage-package.ts'

/** A failure of a plugin, as the admin and the log show it. */
export interface PluginError {
  readonly at: number
  readonly reason: string
  readonly message: string
  readonly reference: string
}

export interface KeeperOptions {
  readonly plugin: Plugin
  readonly folder: string
  readonly ask: ProcessOptions['ask']
  readonly log: Log
  /** UTC milliseconds. */
  readonly now: () => number
  /** Takes the text that the plugin printed. */
  readonly onPrint: (text: string) => void
  /** Called after each failure. `loading`: the plugin could not be started. */
  readonly onFatal: (error: PluginError, loading: boolean) => void
  /** Milliseconds after which an idle process ends. */
  readonly idleMs?: number
}

export interface Keeper {
  readonly plugin: Plugin
  /** The handles. These objects stay the same when another plugin changes, because queued events and jobs refer to them. */
  readonly handles: Handles
  /**
   * Runs a function that the plugin registered.
   * @throws Failure that the plugin threw, or `failed` with `plugin` and `reference` if the plugin failed
   */
  run(target: RunTarget, args: readonly unknown[], options?: RunOptions): Promise<unknown>
  /** Starts the process if it isn't running. @returns the plugin's output while it was loaded @throws Failure as `run` */
  load(): Promise<string>
  close(): Promise<void>
}

export function processOptions({ plugin, folder, ask, log, onPrint }: Omit<KeeperOptions, 'now' | 'onFatal'>): ProcessOptions {
  const { manifest, settings } = plugin
  return {
    manifest,
    folder,
    settings,
    ask,
    onLog: ({ level, message, fields }) => log[level](message, { plugin: plugin.id, source: `plugin:${plugin.id}`, fields }),
    onPrint,
  }
}

/**
 * Starts a plugin's process, if its files are those that were installed.
 * @throws PluginFatal; Failure `unavailable` if the machine has no room for another process, or the plugin's files can't be read
 */
export async function startChecked(plugin: Plugin, options: ProcessOptions): Promise<PluginProcess> {
  // Otherwise anyone who can write to the folder could run code with rights that the owner confirmed for other code (attack 115).
  const hash = plugin.bundled ? plugin.package : await hashFolder(options.folder).catch(noHash)
  if (hash !== plugin.package) {
    throw new PluginFatal('load', 'Its files are not those that were installed: install it again.')
  }
  return startPluginProcess(options)
}

/** Returns no hash for a missing or invalid package. @throws Failure `unavailable` for a folder that can't be read */
function noHash(error: unknown): undefined {
  if (!(error instanceof Failure) || (error.code !== 'not_found' && error.cause !== undefined)) throw notStarted(error)
}

/** Creates a keeper. It starts no process until the first run. */
export function createKeeper(options: KeeperOptions): Keeper {
  return new ProcessKeeper(options)
}

const defaultIdleMs = 60_000
/** Functions that change nothing, so that they can be run a second time. */
const repeatable: ReadonlySet<RunTarget['kind']> = new Set(['hook', 'authenticate', 'filter'])

class ProcessKeeper implements Keeper {
  readonly plugin: Plugin
  readonly handles: Handles
  readonly #options: KeeperOptions
  /** Reported failures, by the process that ended or the error that prevented its start. */
  readonly #reported = new WeakMap<object, PluginError>()
  #process: Promise<PluginProcess> | undefined
  /** The started process, until it has ended. */
  #live: PluginProcess | undefined
  #idle: NodeJS.Timeout | undefined
  #closed = false

  constructor(options: KeeperOptions) {
    this.plugin = options.plugin
    this.#options = options
    this.handles = makeHandles(this)
  }

  run(target: RunTarget, args: readonly unknown[], options: RunOptions = {}): Promise<unknown> {
    return this.#run(target, args, options, repeatable.has(target.kind))
  }

  async #run(target: RunTarget, args: readonly unknown[], options: RunOptions, mayRetry: boolean): Promise<unknown> {
    const process = await this.#running()
    try {
      const { value, failure, printed } = await process.run(target, args, options)
      if (printed !== '') this.#options.onPrint(printed)
      if (failure) throw failure
      return value
    } catch (error) {
      if (error instanceof PluginFatal && error.printed !== '') this.#options.onPrint(error.printed)
      const failure = this.#failureOf(error, process)
      // Another run in the same process was most likely the cause, so this one is tried again in a new process.
      if (!mayRetry || !(error instanceof PluginFatal) || !error.shared) throw failure
    } finally {
      if (process.running === 0) this.#endWhenIdle(process)
    }
    await process.ended
    return this.#run(target, args, options, false)
  }

  async load(): Promise<string> {
    const process = await this.#running()
    this.#endWhenIdle(process)
    return process.printedAtLoad
  }

  async close(): Promise<void> {
    this.#closed = true
    await this.#end()
  }

  async #running(): Promise<PluginProcess> {
    clearTimeout(this.#idle)
    if (this.#closed) throw justChanged()
    try {
      return await (this.#process ??= this.#begin())
    } catch (error) {
      throw this.#failureOf(error)
    }
  }

  /** Starts a process and keeps it until it has ended. A process that was started in the meantime stays. */
  #begin(): Promise<PluginProcess> {
    const starting = this.#start()
    const forget = (): void => {
      if (this.#process === starting) this.#process = undefined
    }
    void starting.then(({ ended }) => ended.then(forget), forget)
    void starting.catch((error: unknown) => this.#logNotStarted(error))
    return starting
  }

  async #start(): Promise<PluginProcess> {
    const { plugin, log } = this.#options
    const process = await startChecked(plugin, processOptions(this.#options))
    this.#live = process
    void process.ended.then((fatal) => {
      if (this.#live === process) this.#live = undefined
      if (fatal) this.#report(fatal, process)
    })
    if (!sameJson(registeredBy(process, plugin), plugin.registered)) {
      await process.end()
      throw new PluginFatal('load', 'It registers something else than when it was activated: activate it anew.')
    }
    log.debug('plugin started', { plugin: plugin.id, pid: process.pid })
    return process
  }

  /** Ends the process after an idle time. The timer doesn't keep the service running. A process that has ended needs no timer. */
  #endWhenIdle(process: PluginProcess): void {
    if (process !== this.#live) return
    clearTimeout(this.#idle)
    const endIdle = (): void => void (process === this.#live && process.running === 0 && this.#end())
    this.#idle = setTimeout(endIdle, this.#options.idleMs ?? defaultIdleMs)
    this.#idle.unref()
  }

  async #end(): Promise<void> {
    clearTimeout(this.#idle)
    const starting = this.#process
    this.#process = undefined
    const process = await starting?.catch(() => undefined)
    await process?.end()
  }

  /** @param process that failed; undefined if it could not be started */
  #failureOf(error: unknown, process?: PluginProcess): unknown {
    if (!(error instanceof PluginFatal)) return error
    if (this.#closed) return justChanged()
    const { reference } = this.#report(error, process)
    return pluginFailed(this.plugin.id, reference)
  }

  /** Logs that the process could not be started for a reason outside the plugin. This does not count as a failure. */
  #logNotStarted(error: unknown): void {
    const { plugin, log } = this.#options
    if (!(error instanceof PluginFatal))
      log.warn('plugin not started', { plugin: plugin.id, source: `plugin:${plugin.id}`, error })
  }

  /** Logs and counts a failure once, even if several calls failed with it. */
  #report(fatal: PluginFatal, process: PluginProcess | undefined): PluginError {
    const ended = process ?? fatal
    const known = this.#reported.get(ended)
    if (known) return known
    const { log, now, onFatal, plugin } = this.#options
    const { reason, message, trace } = fatal
    const error = { at: now(), reason, message, reference: newId(now()) }
    this.#reported.set(ended, error)
    const about = { plugin: plugin.id, source: `plugin:${plugin.id}`, reference: error.reference, reason, message }
    log.error('plugin failed', trace === '' ? about : { ...about, trace })
    onFatal(error, process === undefined)
    return error
  }
}

/** Returns the present registrations; undefined if they are invalid, so that they differ from the stored ones (attack 114). */
function registeredBy({ registered }: PluginProcess, { manifest }: Plugin): Registered | undefined {
  try {
    return readRegistered(registered, manifest)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return undefined
  }
}

const justChanged = (): Failure => new Failure('unavailable', 'This plugin was just changed or switched off.', { retry_after: 1 })

/** The failure that callers get. The details are in the log. */
export function pluginFailed(id: string, reference: string): Failure {
  return new Failure('failed', `The plugin ${id} failed; the log has it as ${reference}.`, { plugin: id, reference })
}
