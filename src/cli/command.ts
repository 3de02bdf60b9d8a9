// The interface of a command of the command line. Results go to `out`, messages for people to `err`. A command returns its exit
// code and never ends the process.

import type { Readable } from 'node:stream'
import { parseArgs, type ParseArgsConfig } from 'node:util'
import { nearest } from '../base/nearest.ts'

/** Standard input: a terminal, a file or a pipe. */
export type Input = Readable & { readonly isTTY?: boolean; setRawMode?(raw: boolean): unknown }

/** The parts of the process that a command may use. */
export interface Io {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly stdin: Input
  /** True if `out` is a terminal. Lists have a header only there. */
  readonly outIsTerminal?: boolean
  /** Writes text unchanged, for programs. */
  out(text: string): void
  /** Writes text unchanged, for people. */
  err(text: string): void
}

export interface Command {
  /** The name and arguments, without the program: `token revoke ID… [--json]`. */
  readonly usage: string
  readonly summary: string
  /** Lines about the options, for `--help`. */
  readonly details?: readonly string[]
  /** Help that depends on the arguments; undefined for the usual help. */
  help?(args: readonly string[], io: Io): Promise<string | undefined>
  /** @returns an exit code; nothing for success. @throws UsageError, Failure */
  run(args: readonly string[], io: Io): Promise<number | void>
}

/** A mistake on the command line: a sentence, and a hint for the next attempt. */
export class UsageError extends Error {
  readonly hint: string | undefined

  constructor(message: string, hint?: string) {
    super(message)
    this.name = 'UsageError'
    this.hint = hint
  }
}

type Options = NonNullable<ParseArgsConfig['options']>

/** An option without a value. */
export const flag = { type: 'boolean', default: false } as const

/** Reads the options of a command that has no other arguments. @throws UsageError */
export function readFlags<const O extends Options>(args: readonly string[], options: O) {
  const { values, positionals } = readWords(args, options)
  const [stray] = positionals
  if (stray !== undefined) throw new UsageError(`This command does not take the argument ${JSON.stringify(stray)}.`)
  return values
}

/** The argument of a command that has exactly one. @throws UsageError with the question that it answers, and an example */
export function oneWord([word, ...more]: readonly string[], question: string, example: string): string {
  if (word === undefined || more.length > 0) throw new UsageError(question, example)
  return word
}

/** Reads the options and other arguments of a command. @throws UsageError */
export function readWords<const O extends Options>(args: readonly string[], options: O) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, strict: true })
  } catch (error) {
    if (error instanceof TypeError) throw new UsageError(optionFault(error, Object.keys(options)))
    throw error
  }
}

/** Rewords the fault that Node's parser found: an unknown option, a missing value, or an extra value. */
function optionFault(error: TypeError & { readonly code?: string }, names: readonly string[]): string {
  const [, option = '', name = ''] = /'(?:-\w, )?(-{1,2}([\w-]+))/.exec(error.message) ?? []
  if (error.code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') {
    const [near] = nearest(name, names)
    return `There is no option ${option}.${near === undefined ? '' : ` Did you mean --${near}?`}`
  }
  if (option === '' || error.code !== 'ERR_PARSE_ARGS_INVALID_OPTION_VALUE') return error.message
  if (error.message.includes('does not take')) return `${option} takes no value.`
  return `${option} needs a value. Write ${option}=VALUE where the value begins with a dash.`
}
