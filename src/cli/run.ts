// From words to a command and its exit code. Every failure becomes a line on `err` here, and nowhere else.

import { nearest } from '../actions/nearest.ts'
import { Failure } from '../failure.ts'
import { adminCreate } from './admin-create.ts'
import { adminResetPassword } from './admin-reset-password.ts'
import { adminSetUpLink } from './admin-set-up-link.ts'
import { backup } from './backup.ts'
import { backupList } from './backup-list.ts'
import { call } from './call.ts'
import { type Command, type Io, UsageError } from './command.ts'
import { doctor } from './doctor.ts'
import { exit, exitCodes } from './exit.ts'
import { install } from './install.ts'
import { maintenance } from './maintenance.ts'
import { migrate } from './migrate.ts'
import { nginx } from './nginx.ts'
import { pluginActivate, pluginDeactivate } from './plugin-activate.ts'
import { pluginConfigure } from './plugin-configure.ts'
import { pluginDelete } from './plugin-delete.ts'
import { pluginInstall, pluginUpdate } from './plugin-install.ts'
import { pluginList } from './plugin-list.ts'
import { pluginSign } from './plugin-sign.ts'
import { restore } from './restore.ts'
import { rollback } from './rollback.ts'
import { serve } from './serve.ts'
import { tokenCreate } from './token-create.ts'
import { tokenList } from './token-list.ts'
import { tokenRevoke } from './token-revoke.ts'
import { uninstall } from './uninstall.ts'
import { upgrade } from './upgrade.ts'
import { verify } from './verify.ts'

/** The commands by their words, in the order of `help`. */
export const commands: Readonly<Record<string, Command>> = {
  serve,
  'admin create': adminCreate,
  'admin reset-password': adminResetPassword,
  'admin set-up-link': adminSetUpLink,
  'token create': tokenCreate,
  'token list': tokenList,
  'token revoke': tokenRevoke,
  'plugin list': pluginList,
  'plugin install': pluginInstall,
  'plugin update': pluginUpdate,
  'plugin activate': pluginActivate,
  'plugin deactivate': pluginDeactivate,
  'plugin configure': pluginConfigure,
  'plugin delete': pluginDelete,
  'plugin sign': pluginSign,
  call,
  maintenance,
  backup,
  'backup list': backupList,
  verify,
  restore,
  migrate,
  doctor,
  nginx,
  install,
  upgrade,
  rollback,
  uninstall,
}

/** Runs the command of these words. @returns its exit code */
export async function runCommand(words: readonly string[], io: Io): Promise<number> {
  const asksHelp = beforeDashes(words).some((word) => word === '--help' || word === '-h')
  if (words[0] === 'help' || (asksHelp && words[0]?.startsWith('-'))) return help(words.slice(1), io)
  const name = nameOf(words)
  try {
    if (name === undefined) throw unknownCommand(words)
    const command = commands[name] as Command
    if (!asksHelp) return await command.run(words.slice(name.split(' ').length), io)
    io.out(helpOf(command))
    return exit.ok
  } catch (error) {
    return tell(error, io, name)
  }
}

/** Options end at `--`: what follows is the command's own. */
function beforeDashes(words: readonly string[]): readonly string[] {
  const end = words.indexOf('--')
  return end < 0 ? words : words.slice(0, end)
}

function nameOf([first = '', second = '']: readonly string[]): string | undefined {
  return [`${first} ${second}`, first].find((name) => Object.hasOwn(commands, name))
}

function help(words: readonly string[], io: Io): number {
  const name = nameOf(words)
  if (name !== undefined) io.out(helpOf(commands[name] as Command))
  else io.out(overview())
  return exit.ok
}

function overview(): string {
  const lines = Object.entries(commands).map(([name, { summary }]) => `  ${name.padEnd(20)} ${summary}`)
  return [
    'postern COMMAND [--help]',
    '',
    ...lines,
    '',
    'Settings come from the environment; POSTERN_HOME names the site (./site unless set).',
    '',
  ].join('\n')
}

function helpOf({ usage, summary, details = [] }: Command): string {
  return [`postern ${usage}`, '', `  ${summary}`, ...details.map((line) => `  ${line}`), ''].join('\n')
}

function unknownCommand(words: readonly string[]): UsageError {
  if (words.length === 0) return new UsageError('Which command?', 'postern help')
  const known = Object.keys(commands)
  const group = known.filter((name) => name.startsWith(`${words[0]} `))
  if (group.length > 0) return new UsageError(`postern ${words[0]} does what?`, group.map((name) => `postern ${name}`).join(', '))
  const near = nearest(words.slice(0, 2).join(' '), known).concat(nearest(words[0] ?? '', known))
  return new UsageError(`There is no command ${JSON.stringify(words[0])}.`, `postern ${near[0] ?? 'help'}`)
}

/** What went wrong, on `err`; as JSON nothing but the exit code is for programs. */
function tell(error: unknown, io: Io, name: string | undefined): number {
  if (error instanceof UsageError) {
    io.err(`${error.message}\nTry: ${error.hint ?? (name === undefined ? 'postern help' : `postern ${name} --help`)}\n`)
    return exit.usage
  }
  if (error instanceof Failure) {
    const { hint } = error.detail
    io.err(`${error.message}\n${hint === undefined || error.message.includes(hint) ? '' : `Try: ${hint}\n`}`)
    return exitCodes[error.code]
  }
  io.err(`${error instanceof Error ? error.message : String(error)}\n`)
  return exit.failed
}
