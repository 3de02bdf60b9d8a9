// The structure of a site as YAML files: types, terms, menus, redirects, settings, profiles, themes and root files. No file has a
// secret, an account or its e-mail address.

import { stringify } from 'yaml'
import { ownPart } from '../content/types/entry-type-reader.ts'
import { listTaxonomies } from '../content/terms/taxonomies.ts'
import type { TermOf } from '../content/terms/term-index.ts'
import { toSeo } from '../content/types/field-values.ts'
import { publicProfiles } from '../identity/profile.ts'
import { definitionOf, settingKeys, type SettingKey, type SettingValues } from '../settings/definitions.ts'
import { bytesOf } from '../themes/theme.ts'
import { sameJson } from '../base/json.ts'
import type { Release } from '../base/release.ts'
import { itemsOf, type StoredMenuItem } from '../store/change/menu-references.ts'
import type { Db } from '../store/core/database.ts'
import type { ExportFile } from './export-file.ts'
import { type IdNames, readIdNames } from './names-of-ids.ts'
import { redirectsCsv, redirectLines } from './redirect-files.ts'

export interface StructureParts {
  readonly db: Db
  readonly termOf: TermOf
  readonly settings: SettingValues
  readonly release: Release
}

const yaml = (value: unknown): string => stringify(value, { schema: 'core', lineWidth: 0, aliasDuplicateObjects: false })

/** Yields the files in the order in which they can be read back: what others refer to comes first. */
export async function* structureFiles(parts: StructureParts): AsyncGenerator<ExportFile> {
  const made: readonly [string, (parts: StructureParts) => Promise<unknown>][] = [
    ['types.yaml', typesOf],
    ['taxonomies.yaml', taxonomiesOf],
    ['terms.yaml', termsOf],
    ['authors.yaml', authorsOf],
    ['menus.yaml', menusOf],
    ['settings.yaml', settingsOf],
    ['themes.yaml', themesOf],
  ]
  for (const [path, make] of made) {
    const value = await make(parts)
    if (!isEmpty(value)) yield { path, content: { text: yaml(value) } }
  }
  yield* redirectFiles(parts)
  yield* themeFiles(parts)
  yield* rootFiles(parts)
}

const isEmpty = (value: unknown): boolean => Object.keys(value as object).length === 0

async function typesOf({ db }: StructureParts): Promise<unknown> {
  const rows = await db.selectFrom('entry_type').selectAll().orderBy('slug').execute()
  return rows.map((row) => {
    const { dropped: _gone, ...own } = ownPart(row)
    return own
  })
}

const taxonomiesOf = ({ db }: StructureParts): Promise<unknown> => listTaxonomies(db)

async function termsOf({ db, termOf }: StructureParts): Promise<unknown> {
  const rows = await db.selectFrom('term').selectAll().orderBy('ref').execute()
  const images = new Set(rows.flatMap(({ seo }) => toSeo(seo).image ?? []))
  const names = await readIdNames(db, termOf, images)
  // A term comes after the one above it.
  const depth = new Map<string, number>()
  const byId = new Map(rows.map((row) => [row.id, row]))
  const depthOf = (id: string | null): number => {
    if (id === null) return 0
    const known = depth.get(id)
    if (known !== undefined) return known
    depth.set(id, 0)
    const found = 1 + depthOf(byId.get(id)?.parent_id ?? null)
    depth.set(id, found)
    return found
  }
  const ordered = rows.map((row) => ({ row, depth: depthOf(row.id) })).sort((a, b) => a.depth - b.depth)
  return ordered.map(({ row: { taxonomy, slug, name, parent_id: parent, text, seo } }) => {
    const { image, noindex, ...texts } = toSeo(seo)
    const given = Object.entries({ ...texts, noindex: noindex || null, image: image === null ? null : names.media(image) })
    const members = Object.fromEntries(given.filter(([, value]) => value !== null && value !== undefined))
    return {
      taxonomy,
      slug,
      name,
      ...(parent !== null && { parent: termOf(parent)?.ref }),
      ...(text !== '' && { text }),
      ...(Object.keys(members).length > 0 && { seo: members }),
    }
  })
}

async function authorsOf({ db }: StructureParts): Promise<unknown> {
  const profiles = await publicProfiles(db).orderBy('slug').execute()
  return profiles.map(({ slug, name, bio, picture }) => ({ slug, name, ...(bio && { bio }), ...(picture && { picture }) }))
}

async function menusOf({ db, termOf }: StructureParts): Promise<unknown> {
  const rows = await db.selectFrom('menu').selectAll().orderBy('slug').execute()
  const trees = rows.map((row) => itemsOf(row))
  const names = await readIdNames(db, termOf, new Set(trees.flatMap((items) => entryIdsIn(items))))
  return rows.map(({ slug, name, location }, place) => ({
    slug,
    name,
    ...(location !== null && { location }),
    items: namedItems(trees[place] ?? [], names),
  }))
}

const entryIdsIn = (items: readonly StoredMenuItem[]): readonly string[] =>
  items.flatMap(({ entry, items: below = [] }) => [...(entry === undefined ? [] : [entry]), ...entryIdsIn(below)])

/** Returns a tree as SVC_Menus.update takes it. An item whose target is gone is left out with the items below it. */
function namedItems(items: readonly StoredMenuItem[], names: IdNames): readonly unknown[] {
  return items.flatMap(({ id, label, entry, term, url, new_tab: newTab, items: below = [] }) => {
    const target = { entry: entry && names.entry(entry), term: term && names.term(term), url }
    const [found] = Object.entries(target).filter(([, value]) => value !== undefined)
    if (found === undefined) return []
    const more = below.length > 0 ? { items: namedItems(below, names) } : {}
    return [{ id, ...(label !== null && { label }), [found[0]]: found[1], ...(newTab && { new_tab: true }), ...more }]
  })
}

/** The settings whose value is the id or path of an object. */
const references: Readonly<Partial<Record<SettingKey, 'entry' | 'media'>>> = {
  home: 'entry',
  posts_page: 'entry',
  logo: 'media',
  logo_dark: 'media',
  site_icon: 'media',
  social_image: 'media',
}

async function settingsOf({ db, termOf, settings, release }: StructureParts): Promise<unknown> {
  const changed = settingKeys(release).filter((key) => !sameJson(settings[key], definitionOf(key).fallback))
  const ids = changed.filter((key) => references[key]).map((key) => String(settings[key]))
  const names = await readIdNames(db, termOf, new Set(ids))
  return Object.fromEntries(
    changed.map((key) => {
      const kind = references[key]
      const value = settings[key]
      return [key, kind ? (names[kind](String(value)) ?? value) : value]
    }),
  )
}

async function themesOf({ db }: StructureParts): Promise<unknown> {
  const rows = await db.selectFrom('theme').selectAll().orderBy('slug').execute()
  return rows.map(({ slug, active, settings }) => {
    const values = JSON.parse(settings) as Record<string, unknown>
    return { slug, ...(active === 1 && { active: true }), ...(isEmpty(values) ? {} : { settings: values }) }
  })
}

async function* redirectFiles({ db }: StructureParts): AsyncGenerator<ExportFile> {
  const rows = await db.selectFrom('redirect').selectAll().orderBy('source').execute()
  if (rows.length === 0) return
  yield { path: 'redirects.csv', content: { text: redirectsCsv(rows) } }
  yield { path: '_redirects', content: { text: redirectLines(rows) } }
}

async function* themeFiles({ db }: StructureParts): AsyncGenerator<ExportFile> {
  const slugs = await db.selectFrom('theme_file').select('theme').distinct().orderBy('theme').execute()
  for (const { theme } of slugs) {
    const rows = await db.selectFrom('theme_file').selectAll().where('theme', '=', theme).orderBy('path').execute()
    for (const { path, text } of rows) yield { path: `themes/${theme}/${path}`, content: { bytes: bytesOf(path, text) } }
  }
}

async function* rootFiles({ db }: StructureParts): AsyncGenerator<ExportFile> {
  const rows = await db.selectFrom('site_file').selectAll().orderBy('path').execute()
  for (const { path, text } of rows) yield { path: `root${path}`, content: { text } }
}
