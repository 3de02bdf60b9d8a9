// Finds and runs the command for the arguments of the command line. Only this file turns failures into messages on `err`.

import { nearest } from '../base/nearest.ts'
import { errorMessage } from '../base/error-message.ts'
import { Failure } from '../base/failure.ts'
import { orDiskFull } from '../base/unwritable.ts'
import { type Command, type Io, UsageError } from './command.ts'
import { commandHelp, commands, findCommandName, firstWords, groupHelp, groupOf, overview } from './commands.ts'
import { exit, exitCodes } from './exit.ts'
import { failureText } from './failure-text.ts'
import { version } from './version.ts'

/** Runs the command in these arguments. @returns its exit code */
export async function runCommand(words: readonly string[], io: Io): Promise<number> {
  const own = beforeDashes(words)
  const asksHelp = own.some(isHelp)
  const name = findCommandName(own.filter((word) => !isHelp(word)))
  try {
    if (words[0] === '--version') return await version(io)
    if (words[0] === 'help') return await help(own.slice(1), io)
    if (asksHelp) return await help(own, io)
    if (name === undefined) throw unknownCommand(words)
    return (await (commands[name] as Command).run(words.slice(name.split(' ').length), io)) ?? exit.ok
  } catch (error) {
    return report(error, io, name)
  }
}

const isHelp = (word: string): boolean => word === '--help' || word === '-h'

/** The words before `--`. The words after it belong to the command. */
function beforeDashes(words: readonly string[]): readonly string[] {
  const end = words.indexOf('--')
  return end < 0 ? words : words.slice(0, end)
}

/** Prints help. @throws UsageError if these words name no command, Failure if they name no action */
async function help(words: readonly string[], io: Io): Promise<number> {
  const asked = words.filter((word) => !isHelp(word))
  const [first] = asked
  const name = findCommandName(asked)
  if (first === undefined || first.startsWith('-')) io.out(overview())
  else if (asked[1] === undefined && groupOf(first).length > 0) io.out(groupHelp(first))
  else if (name === undefined) throw unknownCommand(asked)
  else {
    const command = commands[name] as Command
    io.out((await command.help?.(asked.slice(name.split(' ').length), io)) ?? commandHelp(command))
  }
  return exit.ok
}

function unknownCommand([first, second]: readonly string[]): UsageError {
  if (first === undefined) return new UsageError('Which command?', 'postern help')
  const known = Object.keys(commands)
  const group = groupOf(first)
  const hasSecond = second !== undefined && !second.startsWith('-')
  if (group.length > 0 && !hasSecond) return new UsageError(`Which command of ${first}?`, inFull(group))
  const asked = hasSecond ? `${first} ${second}` : first
  const near = [...(hasSecond ? nearest(asked, known) : []), ...nearest(first, firstWords)]
  // If no near command has two words, only the first word is misspelt, and the others are arguments.
  const words = hasSecond && (group.length > 0 || near.some((name) => name.includes(' '))) ? asked : first
  const hint = near[0] === undefined ? inFull(group) || 'postern help' : `postern ${near[0]}`
  return new UsageError(`There is no command ${JSON.stringify(words)}.`, hint)
}

const inFull = (names: readonly string[]): string => names.map((name) => `postern ${name}`).join(', ')

/** Prints an error on `err`, for people. Programs use the exit code. */
function report(thrown: unknown, io: Io, name: string | undefined): number {
  const error = orDiskFull(thrown)
  if (error instanceof UsageError) {
    io.err(`${error.message}\nTry: ${error.hint ?? (name === undefined ? 'postern help' : `postern ${name} --help`)}\n`)
    return exit.usage
  }
  if (error instanceof Failure) {
    io.err(failureText(error))
    return exitCodes[error.code]
  }
  io.err(`${errorMessage(error)}\n`)
  return exit.failed
}
