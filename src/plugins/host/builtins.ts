// The Node modules that a plugin can import: those that only compute. Anything that reaches outside the process is left out.

import * as assert from 'node:assert'
import * as buffer from 'node:buffer'
import * as crypto from 'node:crypto'
import * as events from 'node:events'
import * as fs from 'node:fs'
import * as fsPromises from 'node:fs/promises'
import * as path from 'node:path'
import * as querystring from 'node:querystring'
import * as stream from 'node:stream'
import * as streamConsumers from 'node:stream/consumers'
import * as streamPromises from 'node:stream/promises'
import * as streamWeb from 'node:stream/web'
import * as stringDecoder from 'node:string_decoder'
import * as timers from 'node:timers'
import * as timersPromises from 'node:timers/promises'
import * as url from 'node:url'
import * as util from 'node:util'
import * as zlib from 'node:zlib'

type Exports = Readonly<Record<string, unknown>>

/**
 * The functions of `node:fs` that read the plugin's own files by path. Functions for descriptors and streams are left out,
 * because a plugin could use them on a descriptor that it didn't open.
 */
const readsFiles = ['readFile', 'readdir', 'stat', 'lstat', 'access', 'realpath']

const all: Readonly<Record<string, object>> = {
  assert,
  'assert/strict': assert.strict,
  buffer,
  // `setEngine` loads a library, and `setFips` changes a setting of the whole process.
  crypto: without(crypto, ['setEngine', 'setFips']),
  events,
  fs: only(fs, [...readsFiles, ...readsFiles.map((name) => `${name}Sync`), 'existsSync', 'constants']),
  'fs/promises': only(fsPromises, [...readsFiles, 'constants']),
  path,
  'path/posix': path.posix,
  querystring,
  stream,
  'stream/consumers': streamConsumers,
  'stream/promises': streamPromises,
  'stream/web': streamWeb,
  string_decoder: stringDecoder,
  timers,
  'timers/promises': timersPromises,
  url,
  util,
  zlib,
}

/** The names of these modules, for error messages. */
export const builtinNames: readonly string[] = Object.keys(all)

/** The exports of a Node module. Its name may begin with `node:`. Undefined if plugins can't import it. */
export function findBuiltin(specifier: string): Exports | undefined {
  const name = specifier.startsWith('node:') ? specifier.slice(5) : specifier
  return Object.hasOwn(all, name) ? withDefault(all[name] ?? {}) : undefined
}

function withDefault(exports: object): Exports {
  return Object.hasOwn(exports, 'default') ? (exports as Exports) : { ...exports, default: exports }
}

function only(exports: object, names: readonly string[]): Exports {
  return Object.fromEntries(Object.entries(exports).filter(([name]) => names.includes(name)))
}

function without(exports: object, names: readonly string[]): Exports {
  return Object.fromEntries(Object.entries(exports).filter(([name]) => name !== 'default' && !names.includes(name)))
}
