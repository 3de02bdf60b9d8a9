// The two pipes to the site: JSON, a message a line; 3 comes from it, 4 goes to it. Plain files to Node, so that no socket is ever made here.

import { createReadStream, writeSync } from 'node:fs'

/** What the site says. */
export type ToPlugin =
  | {
      readonly kind: 'start'
      readonly plugin: { readonly id: string; readonly name: string; readonly version: string }
      /** Path of the module, below the folder. */
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

/** A failure on its way. */
export interface ToldFailure {
  readonly code: string
  readonly message: string
  readonly field?: string
  readonly expected?: unknown
  readonly hint?: string
}

const fromSite = 3
const toSite = 4

/** Everything that is said, in order; blocks while the site doesn't listen, and ends the process when it is gone. */
export function send(message: object): void {
  sendText(JSON.stringify(message))
}

/** A message that is JSON text already. */
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

/** Calls for each message, and at last for the end of them. */
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
