// The themes and the messages that come with Postern. Their folders are next to the built program, belong to the running release,
// and are never changed. They are read once, because an upgrade restarts the program. `base/` has the files that the shipped themes
// share, and the folder of each theme has the differences. `retired/` has parts that a theme had in an earlier release.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { workerFile } from '../base/worker-file.ts'
import { overBase } from './over-base.ts'
import type { ThemeFiles } from './theme.ts'
import { isBinary, isThemePath } from './theme-path.ts'
import type { Messages } from './engine/theme-words.ts'

/** The shipped theme that visitors see until another one is activated. */
export const defaultTheme = 'default'

let themes: ReadonlyMap<string, ThemeFiles> | undefined
let retired: ReadonlyMap<string, ThemeFiles> | undefined
let messages: Readonly<Record<string, Messages>> | undefined

/** The files of the shipped themes, by slug, each with those of `base/`. */
export function shippedThemes(): ReadonlyMap<string, ThemeFiles> {
  return (themes ??= readThemes(folderOf('themes/shipped'), readFiles(folderOf('themes/base'))))
}

/** The retired parts of the shipped themes that have some (`retired.ts`), by slug. */
export function retiredFiles(): ReadonlyMap<string, ThemeFiles> {
  return (retired ??= readThemes(folderOf('themes/retired'), new Map()))
}

/** The words that every theme can use, by language. */
export function shippedMessages(): Readonly<Record<string, Messages>> {
  return (messages ??= readMessages(folderOf('themes/messages')))
}

const folderOf = (name: string): string => fileURLToPath(workerFile(name, import.meta.url))

function readThemes(folder: string, base: ThemeFiles): ReadonlyMap<string, ThemeFiles> {
  const slugs = readdirSync(folder, { withFileTypes: true }).filter((found) => found.isDirectory())
  return new Map(slugs.map(({ name }) => [name, overBase(readFiles(join(folder, name)), base)]))
}

function readFiles(folder: string): ThemeFiles {
  const found = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile())
  const paths = found.map((one) => join(one.parentPath, one.name).slice(folder.length + 1)).sort()
  return new Map(
    paths.filter(isThemePath).map((path) => [path, readFileSync(join(folder, path), isBinary(path) ? 'base64' : 'utf8')]),
  )
}

function readMessages(folder: string): Readonly<Record<string, Messages>> {
  const names = readdirSync(folder).filter((name) => name.endsWith('.json'))
  return Object.fromEntries(
    names.map((name) => [name.slice(0, -'.json'.length), JSON.parse(readFileSync(join(folder, name), 'utf8')) as Messages]),
  )
}
