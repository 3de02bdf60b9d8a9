// What a plugin could leave its process by, taken away before it is loaded: the second wall behind the permission model, which on most
// Nodes has no word for the network or for signals. Whoever reads this for a way out: the site trusts nothing that comes from here.

import { deserialize, serialize } from 'node:v8'

/** Of the real `process`, which Node's own code hands to listeners now and then: what that code and ours need, and nothing that acts. */
const keptOfProcess: ReadonlySet<string> = new Set(
  `version versions arch platform release features noProcessWarnings title pid argv0 argv execArgv env
  _events _eventsCount _maxListeners domain _exiting exitCode _fatalException _tickCallback _preload_modules
  setUncaughtExceptionCaptureCallback hasUncaughtExceptionCaptureCallback emitWarning nextTick ref unref finalization
  uptime hrtime cpuUsage memoryUsage cwd exit reallyExit sourceMapsEnabled setSourceMapsEnabled`.split(/\s+/),
)

/** They connect, or come from the library that does; ports carry objects of Node's own that can be made to be others. */
const removedGlobals =
  `fetch Request Response Headers FormData WebSocket WebSocketStream EventSource MessageEvent CloseEvent ErrorEvent
  BroadcastChannel MessageChannel MessagePort Storage localStorage sessionStorage navigator Navigator`.split(/\s+/)

/** Puts up the wall. What is to stand in place of `console` and `process` is given. */
export function wallOff(instead: { readonly console: object; readonly process: object; readonly stream: object }): void {
  for (const name of removedGlobals) Reflect.deleteProperty(globalThis, name)
  const wasm = Reflect.get(globalThis, 'WebAssembly') as object
  for (const name of ['compileStreaming', 'instantiateStreaming']) Reflect.deleteProperty(wasm, name)
  removeTransfer()
  lockDispatcher()
  stripProcess(instead.stream)
  replaceGlobal('console', instead.console)
  replaceGlobal('process', instead.process)
  // Node's own goes through ports.
  replaceGlobal('structuredClone', <Value>(value: Value): Value => deserialize(serialize(value)) as Value)
}

function replaceGlobal(name: string, value: unknown): void {
  Object.defineProperty(globalThis, name, { value, writable: true, configurable: true, enumerable: false })
}

/** What is copied or given away goes through ports, and may name the class to be made with. */
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

/** Where the HTTP client that Node brings would leave its connections for all to find; taken, it doesn't load. */
function lockDispatcher(): void {
  for (const version of [1, 2]) {
    const at = Symbol.for(`undici.globalDispatcher.${version}`)
    Object.defineProperty(globalThis, at, { value: undefined, writable: false, configurable: false })
  }
}

function stripProcess(stream: object): void {
  const real = process
  for (const name of Object.getOwnPropertyNames(real)) if (!keptOfProcess.has(name)) Reflect.deleteProperty(real, name)
  for (const name of ['argv', 'execArgv', '_preload_modules']) Object.defineProperty(real, name, { value: [] })
  // Node's own code asks these whether they are terminals; the real ones are sockets.
  for (const name of ['stdout', 'stderr']) Object.defineProperty(real, name, { value: stream })
}
