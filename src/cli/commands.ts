// The commands by name, and the help that lists them.

import { adminCreate } from './admin-create.ts'
import { adminList } from './admin-list.ts'
import { adminResetPassword } from './admin-reset-password.ts'
import { adminSetUpLink } from './admin-set-up-link.ts'
import { backup } from './backup.ts'
import { backupList } from './backup-list.ts'
import { backupSend } from './backup-send.ts'
import { call } from './call.ts'
import type { Command } from './command.ts'
import { databaseCheck } from './database-check.ts'
import { doctor } from './doctor.ts'
import { exportSite } from './export.ts'
import { importSite } from './import.ts'
import { install } from './install.ts'
import { maintenance } from './maintenance.ts'
import { migrate } from './migrate.ts'
import { move } from './move.ts'
import { nginx } from './nginx.ts'
import { pluginActivate, pluginDeactivate } from './plugin-activate.ts'
import { pluginConfigure } from './plugin-configure.ts'
import { pluginDelete } from './plugin-delete.ts'
import { pluginInstall, pluginUpdate } from './plugin-install.ts'
import { pluginList } from './plugin-list.ts'
import { pluginSign } from './plugin-sign.ts'
import { processes } from './processes.ts'
import { restore } from './restore.ts'
import { rollback } from './rollback.ts'
import { serve } from './serve.ts'
import { tokenCreate } from './token-create.ts'
import { tokenList } from './token-list.ts'
import { tokenRevoke } from './token-revoke.ts'
import { uninstall } from './uninstall.ts'
import { upgrade } from './upgrade.ts'
import { verify } from './verify.ts'

/** The commands by name, in the order of `help`. */
export const commands: Readonly<Record<string, Command>> = {
  serve,
  'admin create': adminCreate,
  'admin list': adminList,
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
  'backup send': backupSend,
  export: exportSite,
  import: importSite,
  verify,
  restore,
  move,
  migrate,
  'database check': databaseCheck,
  doctor,
  nginx,
  install,
  processes,
  upgrade,
  rollback,
  uninstall,
}

const names = Object.keys(commands)

/**
 * Finds the name of the command that these words begin with; undefined if there is none. `backup lst` is a misspelt `backup
 * list`, not the command `backup`.
 */
export function findCommandName([first = '', second = '']: readonly string[]): string | undefined {
  const both = `${first} ${second}`
  if (Object.hasOwn(commands, both)) return both
  const isMisspelt = second !== '' && !second.startsWith('-') && groupOf(first).length > 0
  return Object.hasOwn(commands, first) && !isMisspelt ? first : undefined
}

/** The two-word names whose first word is this one. */
export const groupOf = (first: string): readonly string[] => names.filter((name) => name.startsWith(`${first} `))

/** The first words of all names, such as `token` and `call`. */
export const firstWords: readonly string[] = [...new Set(names.map((name) => name.split(' ')[0] ?? ''))]

/** The output of `postern help`. */
export function overview(): string {
  return [
    'Usage: postern COMMAND [--help]',
    '       postern --version',
    '',
    ...summaries(names),
    '',
    'Settings come from the environment. POSTERN_HOME names the folder of the site; the default is ./site.',
    '',
  ].join('\n')
}

/** The output of `postern token --help`: the commands that begin with this word. `backup` is also a command itself. */
export function groupHelp(first: string): string {
  const own = Object.hasOwn(commands, first) ? `${commandHelp(commands[first] as Command)}\n` : ''
  return `${own}${[`Usage: postern ${first} …`, '', ...summaries(groupOf(first)), ''].join('\n')}`
}

const summaries = (some: readonly string[]): readonly string[] =>
  some.map((name) => `  ${name.padEnd(20)} ${commands[name]?.summary ?? ''}`)

/** The output of `postern COMMAND --help`. */
export function commandHelp({ usage, summary, details = [] }: Command): string {
  return [`postern ${usage}`, '', `  ${summary}`, ...details.map((line) => `  ${line}`), ''].join('\n')
}
