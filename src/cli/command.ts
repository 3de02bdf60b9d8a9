// What a command of the command line is. Results go to `out`, words for people to `err`; it answers a number and ends nothing.

import type { Readable } from 'node:stream'
import { parseArgs, type ParseArgsConfig } from 'node:util'

/** A terminal's input, or what stands in its place. */
export type Input = Readable & { readonly isTTY?: boolean; setRawMode?(raw: boolean): unknown }

/** What a command may touch of the process. */
export interface Io {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly stdin: Input
  /** As it is, for programs. */
  out(text: string): void
  /** As it is, for people. */
  err(text: string): void
}

export interface Command {
  /** Its words and arguments, without the program: `token revoke ID… [--json]`. */
  readonly usage: string
  readonly summary: string
  /** Lines about its options, for `--help`. */
  readonly details?: readonly string[]
  /** @returns an exit code. @throws UsageError, Failure */
  run(args: readonly string[], io: Io): Promise<number>
}

/** A command line that makes no sense: a sentence, and what to try instead. */
export class UsageError extends Error {
  readonly hint: string | undefined

  constructor(message: string, hint?: string) {
    super(message)
    this.name = 'UsageError'
    this.hint = hint
  }
}

type Options = NonNullable<ParseArgsConfig['options']>

/** The options of a command that takes no words. @throws UsageError */
export function parseFlags<const O extends Options>(args: readonly string[], options: O) {
  const { values, positionals } = parseWords(args, options)
  const [stray] = positionals
  if (stray !== undefined) throw new UsageError(`${JSON.stringify(stray)} means nothing here.`)
  return values
}

/** The one word of a command that takes one. @throws UsageError with the question that it answers, and an example */
export function oneWord([word, ...more]: readonly string[], question: string, example: string): string {
  if (word === undefined || more.length > 0) throw new UsageError(question, example)
  return word
}

/** The options and words of a command. @throws UsageError */
export function parseWords<const O extends Options>(args: readonly string[], options: O) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, strict: true })
  } catch (error) {
    if (error instanceof TypeError) throw new UsageError(error.message)
    throw error
  }
}
