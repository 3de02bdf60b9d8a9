// How the command line prints a plugin: as JSON or its id alone, with its rights and warnings for people.

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

/** Prints the item or its id on `out`, and warnings on `err`. */
export function tellPlugin(io: Io, { item, warnings }: PluginAnswer, json: boolean): void {
  io.out(json ? `${JSON.stringify(item)}\n` : `${item.id}\n`)
  for (const { message } of warnings) io.err(`${message}\n`)
}

/** What a plugin may do once it is active, one right per line. */
export function rightsText({ name, may }: PluginItem): string {
  if (may.length === 0) return `${name} asks for no rights.\n`
  return `Once active, ${name} may:\n${may.map(({ right, means }) => `  ${means}  (${right})\n`).join('')}`
}
