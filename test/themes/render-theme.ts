// The files of the themes that come with Postern, and their pages as the engine renders them.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ThemeData, ThemeManifest } from '../../src/themes/contract.ts'
import { createEngine, type ThemeEngine } from '../../src/themes/engine/engine.ts'
import { shippedThemes } from '../../src/themes/shipped.ts'
import { makeTheme, templateOf } from '../../src/themes/theme.ts'
import { root } from '../run-postern.ts'

const messageFolder = join(root, 'src', 'themes', 'messages')

/** What one key says: a text, or one text per plural category. */
export type Message = string | Readonly<Record<string, string>>

export const themeIds: readonly string[] = [...shippedThemes().keys()].sort()

export function readManifest(theme: string): ThemeManifest {
  return JSON.parse(filesOf(theme).get('theme.json') ?? '') as ThemeManifest
}

/** The values that `theme.json` declares. */
export function defaultsOf(theme: string): Record<string, unknown> {
  return Object.fromEntries(readManifest(theme).settings.map((setting) => [setting.id, setting.default]))
}

/** Every file of a theme by its path, those of the base included. */
export const filesOf = (theme: string): ReadonlyMap<string, string> => shippedThemes().get(theme) ?? new Map()

export function messagesOf(language: string): Readonly<Record<string, Message>> {
  return JSON.parse(readFileSync(join(messageFolder, `${language}.json`), 'utf8')) as Record<string, Message>
}

const themes = new Map(
  [...shippedThemes()].map(([slug, files]) => [
    slug,
    makeTheme({ slug, shipped: true, active: false, limited: new Set<string>(), own: files, chosen: {} }),
  ]),
)
const engines = new Map<string, ThemeEngine>()

/** A page of a theme as HTML. Assets have short addresses, so that a test can serve them. */
export function renderPage(slug: string, data: ThemeData): string {
  const theme = themes.get(slug)
  const template = theme && templateOf(theme, data.page.kind)
  if (!theme || template === undefined) throw new Error(`no theme ${slug}`)
  const assets = Object.fromEntries(Object.keys(theme.source.assets).map((name) => [name, `/assets/${name}`]))
  const engine = engines.get(slug) ?? createEngine({ ...theme.source, assets })
  engines.set(slug, engine)
  const answer = engine.render({ template, data })
  if ('html' in answer) return answer.html
  throw new Error(JSON.stringify(answer))
}
