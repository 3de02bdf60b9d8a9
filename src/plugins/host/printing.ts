// The `console` and `process` of a plugin. Output becomes messages, and the real objects can't be reached through these.

import { format, inspect } from 'node:util'
import { send } from './channel.ts'
import { currentRun } from './runs.ts'

function print(text: string): void {
  send({ kind: 'print', run: currentRun(), text })
}

/** Replaces standard output and standard error. */
export const stream = {
  isTTY: false,
  writable: true,
  columns: 80,
  write(chunk: string | Uint8Array, ...rest: readonly unknown[]): boolean {
    print(typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString())
    const done = rest.at(-1)
    if (typeof done === 'function') queueMicrotask(() => (done as () => void)())
    return true
  },
  end(): void {},
  on: (): object => stream,
  once: (): object => stream,
  removeListener: (): object => stream,
  emit: () => false,
  hasColors: () => false,
  getColorDepth: () => 1,
}

const counts = new Map<string, number>()
const started = new Map<string, number>()
const line = (...values: readonly unknown[]): void => print(`${format(...values)}\n`)

function sinceStart(label: string): string {
  return `${label}: ${(performance.now() - (started.get(label) ?? performance.now())).toFixed(3)} ms`
}

export const plainConsole = {
  log: line,
  info: line,
  debug: line,
  warn: line,
  error: line,
  table: line,
  group: line,
  groupCollapsed: line,
  groupEnd(): void {},
  trace: (...values: readonly unknown[]): void => line(new Error(format(...values)).stack),
  dir: (value: unknown, options?: object): void => line(inspect(value, options)),
  dirxml: line,
  assert(condition?: unknown, ...values: readonly unknown[]): void {
    if (!condition) line('Assertion failed', ...values)
  },
  count(label = 'default'): void {
    counts.set(label, (counts.get(label) ?? 0) + 1)
    line(`${label}: ${counts.get(label)}`)
  },
  countReset: (label = 'default'): void => void counts.delete(label),
  time: (label = 'default'): void => void started.set(label, performance.now()),
  timeLog: (label = 'default', ...values: readonly unknown[]): void => line(sinceStart(label), ...values),
  timeEnd(label = 'default'): void {
    line(sinceStart(label))
    started.delete(label)
  },
}

const { version, versions, platform, arch, release } = process
const real = process
const [nextTick, hrtime, uptime, memoryUsage, reallyExit] = [
  real.nextTick.bind(real),
  real.hrtime.bind(real),
  real.uptime.bind(real),
  real.memoryUsage.bind(real),
  real.exit.bind(real),
]

/** Only the members that libraries look up. `exit` ends the process, which counts as a failure of the plugin. */
export const plainProcess = {
  version,
  versions: { ...versions },
  platform,
  arch,
  release: { ...release },
  env: {},
  argv: ['node'],
  execArgv: [],
  browser: false,
  title: 'plugin',
  pid: real.pid,
  exitCode: undefined,
  stdout: stream,
  stderr: stream,
  nextTick,
  hrtime: Object.assign((since?: [number, number]) => hrtime(since), { bigint: real.hrtime.bigint }),
  uptime,
  memoryUsage: () => memoryUsage(),
  cwd: () => '/',
  exit: (code?: number): never => reallyExit(code),
  emitWarning: (warning: unknown): void => line(String(warning)),
  on: (): object => plainProcess,
  once: (): object => plainProcess,
  off: (): object => plainProcess,
  addListener: (): object => plainProcess,
  removeListener: (): object => plainProcess,
  emit: () => false,
  listeners: () => [],
  listenerCount: () => 0,
}
