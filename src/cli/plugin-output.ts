// The output of the command line about a plugin: as JSON or its id alone, with its rights and warnings for people.

import type { AnswerOf } from '../actions/call/call-action.ts'
import type { PluginItem } from '../actions/plugins/item.ts'
import type { pluginOutput } from '../actions/plugins/writing.ts'
import type { Io } from './command.ts'

/** Prints the item or its id on `out`, and warnings on `err`. */
export function tellPlugin(io: Io, { item, warnings }: AnswerOf<typeof pluginOutput>, json: boolean): void {
  io.out(json ? `${JSON.stringify(item)}\n` : `${item.id}\n`)
  for (const { message } of warnings) io.err(`${message}\n`)
}

/** Lists the rights of a plugin once it is active, one per line. */
export function rightsText({ name, may }: PluginItem): string {
  if (may.length === 0) return `${name} asks for no rights.\n`
  return `Once active, ${name} may:\n${may.map(({ right, means }) => `  ${means}  (${right})\n`).join('')}`
}
