// The two pipes to the site, with one JSON message per line. Descriptor 3 comes from the site, 4 goes to it. They are opened as
// files, so that Node creates no socket in this process.

import { createReadStream, writeSync } from 'node:fs'

/** A message from the site. */
export type ToPlugin =
  | {
      readonly kind: 'start'
      readonly plugin: { readonly id: string; readonly name: string; readonly version: string }
      /** The path of the module, relative to the folder. */
      readonly main: string
      readonly folder: string
      readonly settings: Readonly<Record<string, string | number | boolean>>
      readonly failureCodes: readonly string[]
      readonly maxMessageBytes: number
      readonly maxAsks: number
    }
  | {
      readonly kind: 'run'
      readonly run: number
      readonly list: string
      readonly index: number
      readonly args: readonly unknown[]
    }
  | { readonly kind: 'answer'; readonly ask: number; readonly value?: unknown; readonly failure?: ToldFailure }
  | { readonly kind: 'end' }

export interface ToldFailure {
  readonly code: string
  readonly message: string
  readonly field?: string
  readonly expected?: unknown
  readonly hint?: string
}

const fromSite = 3
const toSite = 4

/** Sends a message. Blocks while the pipe is full, and throws if the site is gone, which ends the process. */
export function send(message: object): void {
  sendText(JSON.stringify(message))
}

/** Sends a message that is already JSON text. */
export function sendText(text: string): void {
  const bytes = Buffer.from(`${text}\n`)
  let at = 0
  while (at < bytes.length) {
    try {
      at += writeSync(toSite, bytes, at)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5)
    }
  }
}

/** Calls `onMessage` for each message, and `onEnd` when the pipe ends. */
export function listen(onMessage: (message: ToPlugin) => void, onEnd: () => void): void {
  const stream = createReadStream('', { fd: fromSite })
  let parts: Buffer[] = []
  stream.on('data', (chunk) => {
    let rest = chunk as Buffer
    for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
      parts.push(rest.subarray(0, end))
      const line = Buffer.concat(parts).toString()
      parts = []
      rest = rest.subarray(end + 1)
      onMessage(JSON.parse(line) as ToPlugin)
    }
    parts.push(rest)
  })
  stream.on('end', onEnd)
  stream.on('error', onEnd)
}
