// One active plugin: its process, started when first needed and ended when idle, and how often it failed. Who calls it, and what the
// plugin may ask for, is decided elsewhere; what holds the process in is process.ts's.

import { Failure } from '../failure.ts'
import { sameJson } from '../json.ts'
import type { Log } from '../log.ts'
import { newId } from '../store/ids.ts'
import { readRegistered } from './read-registered.ts'
import type { Plugin } from './plugin-store.ts'
import { PluginFatal, type PluginProcess, type ProcessOptions, type RunOptions, startPluginProcess } from './process.ts'
import { notStarted } from './process-start.ts'
import type { Registered, RunTarget } from './registered.ts'
import { hashFolder } from './stage-package.ts'

/** A failure of a plugin, as it is remembered. */
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
  /** Text that it printed. */
  readonly onPrint: (text: string) => void
  /** After each failure. `loading`: it could not even be started. */
  readonly onFatal: (error: PluginError, loading: boolean) => void
  /** An idle process ends after this, in milliseconds. */
  readonly idleMs?: number
}

export interface Keeper {
  readonly plugin: Plugin
  /**
   * Runs what the plugin registered.
   * @throws Failure what the plugin answered, or `failed` with plugin and reference when it broke
   */
  run(target: RunTarget, args: readonly unknown[], options?: RunOptions): Promise<unknown>
  /** Starts it where it doesn't run, and tells what it printed at that. @throws Failure as `run` */
  load(): Promise<string>
  close(): Promise<void>
}

/** The options of a process for a plugin, whoever starts it. */
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
 * @throws PluginFatal; Failure `unavailable` where the machine has no room for it, or its files can't be read
 */
export async function startChecked(plugin: Plugin, options: ProcessOptions): Promise<PluginProcess> {
  // Whoever can write to the folder could otherwise have the owner's rights for other code than the owner saw (ATTACKS 115).
  const hash = plugin.bundled ? plugin.package : await hashFolder(options.folder).catch(noHash)
  if (hash !== plugin.package) {
    throw new PluginFatal('load', 'Its files are not those that were installed: install it anew.')
  }
  return startPluginProcess(options)
}

/** A folder that is gone, or holds what no package may, is no longer what was installed. Of one that can't be read nothing is known. */
function noHash(error: unknown): undefined {
  if (!(error instanceof Failure) || (error.code !== 'not_found' && error.cause !== undefined)) throw notStarted(error)
}

/** Keeps one plugin. Nothing is started yet. */
export function createKeeper(options: KeeperOptions): Keeper {
  return new ProcessKeeper(options)
}

const defaultIdleMs = 60_000
/** What is asked and changes nothing, so that it may be asked twice. */
const questions: ReadonlySet<RunTarget['kind']> = new Set(['hook', 'authenticate', 'filter'])

class ProcessKeeper implements Keeper {
  readonly plugin: Plugin
  readonly #options: KeeperOptions
  /** By what ended: a process, or the attempt to start one. */
  readonly #told = new WeakMap<object, PluginError>()
  #process: Promise<PluginProcess> | undefined
  /** The process itself, from when it is started until it has ended. */
  #live: PluginProcess | undefined
  #idle: NodeJS.Timeout | undefined
  #closed = false

  constructor(options: KeeperOptions) {
    this.plugin = options.plugin
    this.#options = options
  }

  run(target: RunTarget, args: readonly unknown[], options: RunOptions = {}): Promise<unknown> {
    return this.#run(target, args, options, questions.has(target.kind))
  }

  async #run(target: RunTarget, args: readonly unknown[], options: RunOptions, mayAskAgain: boolean): Promise<unknown> {
    const process = await this.#running()
    try {
      const { value, failure, printed } = await process.run(target, args, options)
      if (printed !== '') this.#options.onPrint(printed)
      if (failure) throw failure
      return value
    } catch (error) {
      if (error instanceof PluginFatal && error.printed !== '') this.#options.onPrint(error.printed)
      const failure = this.#failureOf(error, process)
      // Most likely what ran beside it was at fault, and its process alone is gone.
      if (!mayAskAgain || !(error instanceof PluginFatal) || !error.shared) throw failure
    } finally {
      if (process.running === 0) this.#rest(process)
    }
    await process.ended
    return this.#run(target, args, options, false)
  }

  async load(): Promise<string> {
    const process = await this.#running()
    this.#rest(process)
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

  /** Holds a process until it has ended. It lets go of that one alone: another may have been started meanwhile. */
  #begin(): Promise<PluginProcess> {
    const starting = this.#start()
    const letGo = (): void => {
      if (this.#process === starting) this.#process = undefined
    }
    void starting.then(({ ended }) => ended.then(letGo), letGo)
    void starting.catch((error: unknown) => this.#tellNotStarted(error))
    return starting
  }

  async #start(): Promise<PluginProcess> {
    const { plugin, log } = this.#options
    const process = await startChecked(plugin, processOptions(this.#options))
    this.#live = process
    void process.ended.then((fatal) => {
      if (this.#live === process) this.#live = undefined
      if (fatal) this.#tell(fatal, process)
    })
    if (!sameJson(registeredBy(process, plugin), plugin.registered)) {
      await process.end()
      throw new PluginFatal('load', 'It registers something else than when it was activated: activate it anew.')
    }
    log.debug('plugin started', { plugin: plugin.id, pid: process.pid })
    return process
  }

  /** Waits for the next call without keeping the service from ending. One that has broken needs no rest: another may be at work. */
  #rest(process: PluginProcess): void {
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

  /** @param process that broke; none where it could not be started */
  #failureOf(error: unknown, process?: PluginProcess): unknown {
    if (!(error instanceof PluginFatal)) return error
    if (this.#closed) return justChanged()
    const { reference } = this.#tell(error, process)
    return pluginFailed(this.plugin.id, reference)
  }

  /** Not by its own fault: a line in the log, and no strike. */
  #tellNotStarted(error: unknown): void {
    const { plugin, log } = this.#options
    if (!(error instanceof PluginFatal))
      log.warn('plugin not started', { plugin: plugin.id, source: `plugin:${plugin.id}`, error })
  }

  /** One line in the log, and one strike, however many calls it took with it. */
  #tell(fatal: PluginFatal, process: PluginProcess | undefined): PluginError {
    const ended = process ?? fatal
    const known = this.#told.get(ended)
    if (known) return known
    const { log, now, onFatal, plugin } = this.#options
    const { reason, message, trace } = fatal
    const error = { at: now(), reason, message, reference: newId(now()) }
    this.#told.set(ended, error)
    const about = { plugin: plugin.id, source: `plugin:${plugin.id}`, reference: error.reference, reason, message }
    log.error('plugin failed', trace === '' ? about : { ...about, trace })
    onFatal(error, process === undefined)
    return error
  }
}

/** What it registers now; undefined where that is what no plugin may, as then it is something else too (ATTACKS 114). */
function registeredBy({ registered }: PluginProcess, { manifest }: Plugin): Registered | undefined {
  try {
    return readRegistered(registered, manifest)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return undefined
  }
}

const justChanged = (): Failure => new Failure('unavailable', 'This plugin was just changed or switched off.', { retry_after: 1 })

/** What callers are told of it; the log has the rest. */
export function pluginFailed(id: string, reference: string): Failure {
  return new Failure('failed', `The plugin ${id} failed; the log has it as ${reference}.`, { plugin: id, reference })
}
