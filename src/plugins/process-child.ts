// One plugin's process from start to end: the messages in both directions, and the rules whose violation kills it.

import type { Readable } from 'node:stream'
import { parseJsonText } from '../http/body.ts'
import { jsonText } from '../base/json.ts'
import { PluginFatal, type FatalReason } from './fatal.ts'
import type { PluginProcess, ProcessOptions, RunOutcome, RunOptions } from './process.ts'
import { Asks, crowded } from './process-asks.ts'
import { type ProcessLimits, shareOfARun } from './process-limits.ts'
import { plainLine } from './plain-line.ts'
import { lineReader, Rate } from './process-lines.ts'
import { goFirst, watchMemory } from './process-memory.ts'
import { type FromPlugin, pluginFailureCodes, readMessage } from './process-messages.ts'
import { Runs } from './process-runs.ts'
import { notStarted, type Started } from './process-start.ts'
import type { RunTarget } from './registered.ts'

type From<Kind extends FromPlugin['kind']> = Extract<FromPlugin, { kind: Kind }>

/** The length of the process's standard output and error that is stored to explain a crash. */
const maxOutputChars = 8192
/** The depth of JSON anywhere on the site, plus that of the message around it. */
const maxDepth = 64 + 4
/** The longest time for starting Node. It isn't part of the plugin's own limit. */
const bootMs = 30_000

export class PluginChild implements PluginProcess {
  readonly ended: Promise<PluginFatal | undefined>
  /**
   * Rejects if the process ends before `activate` is done: with a PluginFatal, or with a Failure if no code of the plugin has run.
   */
  readonly activated: Promise<void>
  registered: unknown
  printedAtLoad = ''

  readonly #options: ProcessOptions
  readonly #limits: ProcessLimits
  readonly #started: Started
  readonly #runs = new Runs()
  readonly #asks: Asks
  readonly #messages: Rate
  readonly #logs: Rate
  readonly #printed: Rate
  #startTimer: NodeJS.Timeout | undefined
  readonly #stopWatching: () => void
  #output = ''
  #stage: 'booting' | 'loading' | 'active' = 'booting'
  /** True after the process was asked to end, or was killed. Its messages are then ignored. */
  #over = false
  #fatal: PluginFatal | undefined
  #tellActivated: () => void = () => undefined

  constructor(options: ProcessOptions, limits: ProcessLimits, started: Started) {
    this.#options = options
    this.#limits = limits
    this.#started = started
    this.#messages = new Rate(this.#limits.maxMessagesASecond)
    this.#logs = new Rate(this.#limits.maxLogsASecond)
    this.#printed = new Rate(this.#limits.maxPrintedASecond)
    this.#asks = new Asks({
      limits,
      runs: this.#runs,
      ask: options.ask,
      onLog: options.onLog,
      waitingBytes: () => started.toPlugin.writableLength,
      say: (message) => {
        if (!this.#over) this.#say(message)
      },
      flooded: (what) => this.#kill('flood', what),
    })
    const { promise, resolve } = withResolvers<PluginFatal | undefined>()
    this.ended = promise
    this.activated = new Promise((resolve, reject) => {
      this.#tellActivated = resolve
      void promise.then((fatal) => reject(this.#whyNotActivated(fatal)))
    })
    this.#hearAll(resolve)
    this.#startWithin(bootMs)
    goFirst(this.pid)
    const isBusy = (): boolean => this.#stage !== 'active' || this.#runs.count > 0
    this.#stopWatching = watchMemory(this.pid, this.#limits.maxRssMb, isBusy, () =>
      this.#kill('memory', `took more than ${this.#limits.maxRssMb} MB of memory`),
    )
    this.#start()
  }

  get pid(): number {
    return this.#started.child.pid ?? 0
  }

  get running(): number {
    return this.#runs.count
  }

  run(target: RunTarget, args: readonly unknown[], options: RunOptions = {}): Promise<RunOutcome> {
    if (this.#over) return Promise.reject(this.#fatal ?? this.#make('exit', 'was ended'))
    if (this.#isCrowded()) return Promise.resolve({ failure: crowded(), printed: '' })
    const { timeoutMs = this.#limits.timeoutMs, dryRun = false, depth = 0, limits = [] } = options
    const tooLate = (): void => this.#kill('timeout', `did not answer within ${timeoutMs} ms`)
    for (const rate of [this.#messages, this.#logs, this.#printed]) rate.allow(rate.limit * shareOfARun)
    const { run, ran } = this.#runs.open({ target, dryRun, depth, limits }, timeoutMs, tooLate)
    this.#say({ kind: 'run', run, list: target.kind, index: target.index, args })
    return ran
  }

  async end(): Promise<void> {
    if (!this.#over) {
      this.#over = true
      this.#say({ kind: 'end' })
      this.#started.toPlugin.end()
    }
    const timer = setTimeout(() => this.#started.child.kill('SIGKILL'), 1000)
    await this.ended
    clearTimeout(timer)
  }

  #isCrowded(): boolean {
    return this.#runs.count >= this.#limits.maxRuns || this.#started.toPlugin.writableLength > this.#limits.maxWaitingBytes
  }

  #start(): void {
    const { manifest, folder, settings } = this.#options
    const { id, name, version, main } = manifest
    const { maxMessageBytes, maxAsks } = this.#limits
    const failureCodes = pluginFailureCodes
    this.#say({ kind: 'start', plugin: { id, name, version }, main, folder, settings, failureCodes, maxMessageBytes, maxAsks })
  }

  #whyNotActivated(fatal: PluginFatal | undefined): Error {
    const why = fatal ?? this.#make('exit', 'was ended before it was activated')
    return this.#stage === 'booting' ? notStarted(why) : why
  }

  #startWithin(ms: number): void {
    clearTimeout(this.#startTimer)
    this.#startTimer = setTimeout(() => this.#kill('timeout', `took longer than ${ms} ms to start`), ms)
  }

  #hearAll(resolve: (fatal: PluginFatal | undefined) => void): void {
    const { child, fromPlugin, toPlugin, words } = this.#started
    const tooLong = (): void => this.#kill('flood', `sent a message of more than ${this.#limits.maxMessageBytes} bytes`)
    fromPlugin.on(
      'data',
      lineReader(this.#limits.maxMessageBytes, (line) => this.#hear(line), tooLong),
    )
    for (const stream of words) this.#keepOutput(stream)
    // A broken pipe means that the process is ending, which the listeners below handle.
    for (const stream of [fromPlugin, toPlugin, ...words]) stream.on('error', () => undefined)
    child.on('error', (error) => this.#end('exit', `could not be started: ${error.message}`, resolve))
    child.on('close', (code, signal) => {
      if (/out of memory|allocation failed/i.test(this.#output)) this.#end('memory', 'ran out of memory', resolve)
      else if (signal === 'SIGKILL') this.#end('memory', 'was killed by the system, most likely for its memory', resolve)
      else this.#end('exit', `ended by itself (${signal ?? `exit code ${code}`})`, resolve)
    })
  }

  /** The process has ended. If the site neither ended nor killed it, this is a failure of the plugin. */
  #end(reason: FatalReason, what: string, resolve: (fatal: PluginFatal | undefined) => void): void {
    if (!this.#over) this.#fatal = this.#make(reason, what, withoutPaths(this.#output))
    this.#over = true
    clearTimeout(this.#startTimer)
    this.#stopWatching()
    const fatal = this.#fatal ?? this.#make('exit', 'was ended')
    this.#runs.fail((printed, shared) => new PluginFatal(fatal.reason, fatal.message, printed, fatal.trace, shared))
    resolve(this.#fatal)
  }

  #keepOutput(stream: Readable): void {
    let bytes = 0
    stream.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (this.#output.length < maxOutputChars) this.#output += chunk.toString('latin1', 0, maxOutputChars)
      if (bytes > this.#limits.maxMessageBytes) this.#kill('flood', 'wrote too much to its standard output')
    })
  }

  #hear(line: string): void {
    if (this.#over) return
    const parsed = parseJsonText(line, maxDepth)
    const message = 'value' in parsed ? readMessage(parsed.value) : undefined
    if (message === undefined) return this.#kill('protocol', 'sent a message that makes no sense')
    if (message.kind !== 'result' && message.kind !== 'failure') this.#count(line.length)
    this.#handle(message, line.length)
  }

  /** Counts a message that isn't the answer to a run. A large message counts as several. */
  #count(bytes: number): void {
    if (this.#messages.add(1 + Math.floor(bytes / 4096))) this.#kill('flood', 'sent too many messages')
  }

  #settle(run: number, answer: Omit<RunOutcome, 'printed'>, bytes: number): void {
    if (!this.#runs.settle(run, answer)) this.#count(bytes)
  }

  #handle(message: FromPlugin, bytes: number): void {
    switch (message.kind) {
      case 'ready':
        return this.#load()
      case 'activated':
        return this.#activate(message)
      case 'result':
        return this.#settle(message.run, { value: message.value }, bytes)
      case 'failure':
        return this.#settle(message.run, { failure: message.failure }, bytes)
      case 'fatal':
        return this.#kill(message.reason, this.#sentenceOf(message), message.trace)
      case 'log':
        return this.#log(message, bytes)
      case 'print':
        return this.#print(message)
      case 'ask':
        void this.#asks.hear(message)
    }
  }

  #load(): void {
    if (this.#stage !== 'booting') return this.#kill('protocol', 'said out of turn that it was ready')
    this.#stage = 'loading'
    this.#startWithin(this.#limits.startMs)
  }

  #activate({ registered }: From<'activated'>): void {
    if (this.#stage !== 'loading') return this.#kill('protocol', 'said out of turn that it was activated')
    this.#stage = 'active'
    this.registered = registered
    clearTimeout(this.#startTimer)
    this.#tellActivated()
  }

  #log({ level, message, fields }: From<'log'>, bytes: number): void {
    if (this.#logs.add() || bytes > this.#limits.maxLogBytes) return this.#kill('flood', 'wrote too much to the log')
    this.#options.onLog({ level, message, fields })
  }

  #print({ run, text }: From<'print'>): void {
    if (this.#printed.add(text.length)) return this.#kill('flood', 'printed too much')
    if (this.#stage !== 'active') this.printedAtLoad += text
    else if (run !== undefined && this.#runs.has(run)) this.#runs.print(run, text)
    else this.#options.onPrint(text)
  }

  #say(message: object): void {
    this.#started.toPlugin.write(`${jsonText(message)}\n`)
  }

  #kill(reason: FatalReason, what: string, trace = ''): void {
    if (this.#over) return
    this.#over = true
    this.#fatal = this.#make(reason, what, trace)
    this.#started.child.kill('SIGKILL')
    for (const stream of [this.#started.fromPlugin, ...this.#started.words]) stream.destroy()
  }

  #sentenceOf({ reason, message }: From<'fatal'>): string {
    const line = plainLine(message.replaceAll(this.#options.folder, '.').split('\n')[0] ?? '', 500).replace(/\.$/, '')
    return reason === 'load' ? `could not be activated: ${line}` : `failed: ${line}`
  }

  #make(reason: FatalReason, what: string, trace = ''): PluginFatal {
    return new PluginFatal(reason, `The plugin ${this.#options.manifest.id} ${what}.`, this.printedAtLoad, trace)
  }
}

/** The first lines of Node's own output, without those that contain paths. */
function withoutPaths(output: string): string {
  const lines = output.split('\n').filter((line) => line.trim() !== '' && !line.includes('/'))
  return lines.slice(0, 8).join('\n')
}

function withResolvers<Value>(): { promise: Promise<Value>; resolve: (value: Value) => void } {
  let resolve: (value: Value) => void = () => undefined
  const promise = new Promise<Value>((settle) => {
    resolve = settle
  })
  return { promise, resolve }
}
