// Removes the functions and globals that could reach outside the plugin's process, before the plugin is loaded. This is the second
// barrier, after the permission model, which in most versions of Node doesn't cover the network or signals. The site doesn't rely
// on it: it trusts no message of this process.

import { deserialize, serialize } from 'node:v8'

/** The members that stay on the real `process`. Node and this host need them, and none can act outside the process. */
const keptOfProcess: ReadonlySet<string> = new Set(
  `version versions arch platform release features noProcessWarnings title pid argv0 argv execArgv env
  _events _eventsCount _maxListeners domain _exiting exitCode _fatalException _tickCallback _preload_modules
  setUncaughtExceptionCaptureCallback hasUncaughtExceptionCaptureCallback emitWarning nextTick ref unref finalization
  uptime hrtime cpuUsage memoryUsage cwd exit reallyExit sourceMapsEnabled setSourceMapsEnabled`.split(/\s+/),
)

/** Globals that connect, or belong to the library that does. Message ports can carry internal objects of Node. */
const removedGlobals =
  `fetch Request Response Headers FormData WebSocket WebSocketStream EventSource MessageEvent CloseEvent ErrorEvent
  BroadcastChannel MessageChannel MessagePort Storage localStorage sessionStorage navigator Navigator`.split(/\s+/)

/** Removes these functions and globals. @param instead the replacements for `console`, `process` and its streams */
export function wallOff(instead: { readonly console: object; readonly process: object; readonly stream: object }): void {
  for (const name of removedGlobals) Reflect.deleteProperty(globalThis, name)
  const wasm = Reflect.get(globalThis, 'WebAssembly') as object
  for (const name of ['compileStreaming', 'instantiateStreaming']) Reflect.deleteProperty(wasm, name)
  removeTransfer()
  lockDispatcher()
  stripProcess(instead.stream)
  replaceGlobal('console', instead.console)
  replaceGlobal('process', instead.process)
  // Node's own `structuredClone` uses message ports.
  replaceGlobal('structuredClone', <Value>(value: Value): Value => deserialize(serialize(value)) as Value)
}

function replaceGlobal(name: string, value: unknown): void {
  Object.defineProperty(globalThis, name, { value, writable: true, configurable: true, enumerable: false })
}

/** Removes the methods that clone or transfer objects through message ports. They can name the class of the copy. */
function removeTransfer(): void {
  for (const name of Object.getOwnPropertyNames(globalThis)) {
    const prototype: unknown = /^[A-Z]/.test(name)
      ? (Reflect.get(globalThis, name) as { prototype?: unknown } | undefined)?.prototype
      : undefined
    if (typeof prototype !== 'object' || prototype === null) continue
    for (const symbol of Object.getOwnPropertySymbols(prototype)) {
      if (symbol.description?.startsWith('messaging_')) Reflect.deleteProperty(prototype, symbol)
    }
  }
}

/** Blocks the global symbols in which Node's HTTP client stores its dispatcher, so that the client can't load. */
function lockDispatcher(): void {
  for (const version of [1, 2]) {
    const symbol = Symbol.for(`undici.globalDispatcher.${version}`)
    Object.defineProperty(globalThis, symbol, { value: undefined, writable: false, configurable: false })
  }
}

function stripProcess(stream: object): void {
  const real = process
  for (const name of Object.getOwnPropertyNames(real)) if (!keptOfProcess.has(name)) Reflect.deleteProperty(real, name)
  for (const name of ['argv', 'execArgv', '_preload_modules']) Object.defineProperty(real, name, { value: [] })
  // Node's own code checks if these are terminals. The real streams are sockets, so they are replaced.
  for (const name of ['stdout', 'stderr']) Object.defineProperty(real, name, { value: stream })
}
