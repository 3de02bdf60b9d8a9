// Reads the input of a command: all of standard input, a password typed without echo, or an answer to a question.

import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { type Io, UsageError } from './command.ts'

const maxBytes = 8 * 1024 * 1024

/** Reads all of standard input as text. @throws UsageError for too much */
export async function readAll({ stdin }: Io): Promise<string> {
  const all = await text(stdin)
  checkSize('Standard input', Buffer.byteLength(all))
  return all
}

/** Checks the size of an input. @throws UsageError for more than any action accepts */
export function checkSize(from: string, bytes: number): void {
  if (bytes > maxBytes) throw new UsageError(`${from} holds more than ${maxBytes / 1024 ** 2} MiB.`)
}

/**
 * Reads the first line of standard input. A person at a terminal types the password twice, without echo. @throws UsageError if
 * the two differ
 */
export async function readPassword(io: Io): Promise<string> {
  if (io.stdin.isTTY !== true) return (await readAll(io)).split(/\r?\n/, 1)[0] ?? ''
  const password = await readSecret(io, 'Password: ')
  if ((await readSecret(io, 'Again: ')) !== password) throw new UsageError('The two passwords differ.')
  return password
}

/** Asks a person at the terminal for a text, without echo. */
export async function readSecret(io: Io, question: string): Promise<string> {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: io.stdin, output: silent, terminal: true })
  io.err(question)
  try {
    return await lines.question('')
  } finally {
    lines.close()
    io.err('\n')
  }
}

/** Asks a person at the terminal. Any answer but a yes counts as no. */
export async function confirm(io: Io, question: string): Promise<boolean> {
  const lines = createInterface({ input: io.stdin })
  io.err(`${question} [y/N] `)
  try {
    for await (const line of lines) return /^y(?:es)?$/i.test(line.trim())
    return false
  } finally {
    lines.close()
  }
}
