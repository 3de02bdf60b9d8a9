// How the command line tells of plugins: an item as JSON or its id alone, and in words what it may and what was noticed.

import type { Io } from './command.ts'

export interface PluginItem {
  readonly id: string
  readonly name: string
  readonly version: string
  readonly state: string
  readonly reason: string | null
  readonly bundled: boolean
  readonly may: readonly { readonly right: string; readonly means: string }[]
  readonly settings: readonly { readonly key: string; readonly kind: string }[]
}

export interface PluginAnswer {
  readonly item: PluginItem
  readonly warnings: readonly { readonly message: string }[]
}

/** The result on `out`: all of the item, or its id. What a person would have noticed goes to `err`. */
export function tellPlugin(io: Io, { item, warnings }: PluginAnswer, json: boolean): void {
  io.out(json ? `${JSON.stringify(item)}\n` : `${item.id}\n`)
  for (const { message } of warnings) io.err(`${message}\n`)
}

/** What a plugin may do once it is activated, a line a right. */
export function rightsText({ name, may }: PluginItem): string {
  if (may.length === 0) return `${name} asks for no rights beyond itself.\n`
  return `${name} may then:\n${may.map(({ right, means }) => `  ${means}  (${right})\n`).join('')}`
}
