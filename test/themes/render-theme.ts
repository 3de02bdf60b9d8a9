// Renders a theme that comes with Postern from its files, by the contract and with the options of the engine: strict variables and filters, all text
// escaped but markup that Postern made. The filters are as small as they can be.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Liquid } from 'liquidjs'
import { fallbacks, type Markup, type ThemeData, type ThemeImage, type ThemeManifest } from '../../src/themes/contract.ts'
import { root } from '../run-postern.ts'

export const shipped = join(root, 'src', 'themes', 'shipped')
const messageFolder = join(root, 'src', 'themes', 'messages')

/** What one key says: a text, or one text per plural category. */
export type Message = string | Readonly<Record<string, string>>

export const themeIds: readonly string[] = readdirSync(shipped).sort()

export function readManifest(theme: string): ThemeManifest {
  return JSON.parse(readFileSync(join(shipped, theme, 'theme.json'), 'utf8')) as ThemeManifest
}

/** The values that `theme.json` declares. */
export function defaultsOf(theme: string): Record<string, unknown> {
  return Object.fromEntries(readManifest(theme).settings.map((setting) => [setting.id, setting.default]))
}

/** Every file of a theme by its path. */
export function filesOf(theme: string): ReadonlyMap<string, string> {
  const folder = join(shipped, theme)
  const names = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((name) => name.isFile())
  const paths = names.map((name) => join(name.parentPath, name.name).slice(folder.length + 1)).sort()
  return new Map(paths.map((path) => [path, readFileSync(join(folder, path), 'utf8')]))
}

export function messagesOf(language: string): Readonly<Record<string, Message>> {
  return JSON.parse(readFileSync(join(messageFolder, `${language}.json`), 'utf8')) as Record<string, Message>
}

class Safe {
  readonly html: string
  constructor(html: string) {
    this.html = html
  }
  toString(): string {
    return this.html
  }
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escape = (text: string): string => text.replace(/[&<>"']/g, (found) => entities[found] ?? '')

/** A page of a theme as HTML. @param kind a page without a template of its own takes the next of `fallbacks` */
export function renderPage(theme: string, data: ThemeData): string {
  const liquid = engineOf(theme, data.page.language, data.site.time_zone)
  const files = filesOf(theme)
  const template = fallbacks[data.page.kind].find((name) => files.has(`${name}.liquid`)) ?? ''
  return liquid.renderFileSync(template, withMarkup(data)) as string
}

function engineOf(theme: string, language: string, timeZone: string): Liquid {
  const templates = Object.fromEntries([...filesOf(theme)].filter(([path]) => path.endsWith('.liquid')))
  const liquid = new Liquid({
    templates,
    extname: '.liquid',
    strictVariables: true,
    strictFilters: true,
    lenientIf: true,
    ownPropertyOnly: true,
    outputEscape: (value) =>
      value instanceof Safe ? value.html : escape(value === null || value === undefined ? '' : String(value)),
  })
  delete liquid.filters['raw']
  const spoken = existsSync(join(messageFolder, `${language}.json`)) ? language : 'en'
  const messages = messagesOf(spoken)
  liquid.registerFilter('t', (key: string, ...named: [string, unknown][]) =>
    translate(messages, spoken, key, Object.fromEntries(named)),
  )
  liquid.registerFilter('date', (iso: string, style = 'long') => dateOf(iso, style, language, timeZone))
  liquid.registerFilter('date_iso', (iso: string) => iso)
  liquid.registerFilter('url', (path: string) => path)
  liquid.registerFilter('asset', (name: string) => `/themes/${theme}/${name}`)
  liquid.registerFilter('image_url', (image: ThemeImage, width: number) => variantOf(image, width))
  liquid.registerFilter('srcset', srcset)
  liquid.registerFilter('picture', (image: ThemeImage, ...named: [string, unknown][]) =>
    picture(image, Object.fromEntries(named)),
  )
  liquid.registerFilter('reading_time', (words: number) => Math.max(1, Math.round(words / 230)))
  liquid.registerFilter('truncate', (text: string, length: number) =>
    text.length <= length ? text : `${text.slice(0, length - 1)}…`,
  )
  liquid.registerFilter('strip_html', (text: string) => text.replace(/<[^<>]*>/g, ''))
  return liquid
}

export function translate(
  messages: Readonly<Record<string, Message>>,
  language: string,
  key: string,
  named: Readonly<Record<string, unknown>>,
): string {
  const message = messages[key]
  if (message === undefined) throw new Error(`no message ${key}`)
  const text = typeof message === 'string' ? message : message[new Intl.PluralRules(language).select(Number(named['count']))]
  if (text === undefined) throw new Error(`no form of ${key} for ${String(named['count'])}`)
  return text.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = named[name]
    if (value === undefined) throw new Error(`${key} needs ${name}`)
    return typeof value === 'number' ? value.toLocaleString(language) : String(value)
  })
}

function dateOf(iso: string, style: string, language: string, timeZone: string): string {
  return new Intl.DateTimeFormat(language, { dateStyle: style as 'long', timeZone }).format(new Date(iso))
}

const variantOf = (image: ThemeImage, width: number): string =>
  image.variants.find((variant) => variant.width >= width)?.url ?? image.variants.at(-1)?.url ?? image.url

const srcset = (image: ThemeImage): string => image.variants.map(({ url, width }) => `${url} ${width}w`).join(', ')

function picture(image: ThemeImage, named: Readonly<Record<string, unknown>>): Safe {
  const load = named['loading'] === 'eager' ? 'fetchpriority="high"' : 'loading="lazy"'
  const sizes =
    image.variants.length === 0 ? '' : ` srcset="${escape(srcset(image))}" sizes="${escape(String(named['sizes'] ?? '100vw'))}"`
  const focus = image.focus === null ? '' : ` style="object-position:${image.focus.x * 100}% ${image.focus.y * 100}%"`
  const size = `width="${image.width}" height="${image.height}"`
  return new Safe(
    `<img src="${escape(variantOf(image, 640))}"${sizes} ${size} alt="${escape(String(named['alt'] ?? image.alt))}" ${load}${focus}>`,
  )
}

/** The data with `Safe` values in place of markup. */
function withMarkup(value: unknown): object {
  return convert(value) as object
}

function convert(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(convert)
  if (typeof value !== 'object' || value === null) return value
  if (isMarkup(value)) return new Safe(value.markup)
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, convert(member)]))
}

const isMarkup = (value: object): value is Markup => Object.keys(value).length === 1 && 'markup' in value
