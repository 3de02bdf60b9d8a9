// The structure of a site as YAML files: types, terms, menus, forms, skills, redirects, settings, profiles, themes and root files.
// No file has a secret, an account or its e-mail address.

import { stringify } from 'yaml'
import { ownPart } from '../content/types/entry-type-reader.ts'
import { listTaxonomies } from '../content/terms/taxonomies.ts'
import type { TermOf } from '../content/terms/term-index.ts'
import { toSeo } from '../content/types/field-values.ts'
import { fieldsOf, listForms } from '../forms/form-store.ts'
import { publicProfiles } from '../identity/profile.ts'
import { definitionOf, settingKeys, type SettingKey, type SettingValues } from '../settings/definitions.ts'
import { bytesOf } from '../themes/theme.ts'
import { sameJson, withoutNulls } from '../base/json.ts'
import type { Release } from '../base/release.ts'
import { itemsOf, type StoredMenuItem } from '../store/change/menu-references.ts'
import type { Db } from '../store/core/database.ts'
import type { ExportFile } from './export-file.ts'
import { type IdNames, namedSeo, readIdNames } from './names-of-ids.ts'
import { parentsFirst } from './parents-first.ts'
import { redirectsCsv, redirectLines } from './redirect-files.ts'

export interface StructureParts {
  readonly db: Db
  readonly termOf: TermOf
  readonly settings: SettingValues
  readonly release: Release
}

const yaml = (value: unknown): string => stringify(value, { schema: 'core', lineWidth: 0, aliasDuplicateObjects: false })

type MadeFile = readonly [path: string, make: (parts: StructureParts) => Promise<unknown>]

/** The files of what entries refer to: their types and terms. */
const ofTypes: readonly MadeFile[] = [
  ['types.yaml', typesOf],
  ['taxonomies.yaml', taxonomiesOf],
  ['terms.yaml', termsOf],
]

const ofSite: readonly MadeFile[] = [
  ['authors.yaml', authorsOf],
  ['menus.yaml', menusOf],
  ['forms.yaml', formsOf],
  ['skills.yaml', skillsOf],
  ['settings.yaml', settingsOf],
  ['themes.yaml', themesOf],
]

async function* madeFiles(files: readonly MadeFile[], parts: StructureParts): AsyncGenerator<ExportFile> {
  for (const [path, make] of files) {
    const value = await make(parts)
    if (!isEmpty(value)) yield { path, content: { text: yaml(value) } }
  }
}

/** Yields the files of types, taxonomies and terms. */
export const typeFiles = (parts: StructureParts): AsyncGenerator<ExportFile> => madeFiles(ofTypes, parts)

/** Yields the files in the order in which they can be read back: what others refer to comes first. */
export async function* structureFiles(parts: StructureParts): AsyncGenerator<ExportFile> {
  yield* madeFiles([...ofTypes, ...ofSite], parts)
  yield* redirectFiles(parts)
  yield* themeFiles(parts)
  yield* rootFiles(parts, 'root/')
}

const isEmpty = (value: unknown): boolean => Object.keys(value as object).length === 0

async function typesOf({ db }: StructureParts): Promise<unknown> {
  const rows = await db.selectFrom('entry_type').selectAll().orderBy('slug').execute()
  return rows.map((row) => {
    const { dropped: _gone, list, ...own } = ownPart(row)
    return isEmpty(list) ? own : { ...own, list }
  })
}

function taxonomiesOf({ db }: StructureParts): Promise<unknown> {
  return listTaxonomies(db)
}

async function termsOf({ db, termOf }: StructureParts): Promise<unknown> {
  const rows = await db.selectFrom('term').selectAll().orderBy('ref').execute()
  const images = new Set(rows.flatMap(({ seo }) => toSeo(seo).image ?? []))
  const names = await readIdNames(db, termOf, images)
  return Array.from(parentsFirst(rows), ({ taxonomy, slug, name, parent_id: parent, text, seo }) =>
    withoutNulls({
      taxonomy,
      slug,
      name,
      parent: parent === null ? null : (termOf(parent)?.ref ?? null),
      text: text || null,
      seo: namedSeo(seo, names),
    }),
  )
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

/** The receivers of submissions stay out: they are accounts and addresses, and each address is asked by mail first. */
async function formsOf({ db }: StructureParts): Promise<unknown> {
  const rows = await listForms(db)
  return rows.map(({ slug, name, thanks, thanks_page, reply, consent, keep_days, open, ...row }) => ({
    slug,
    name,
    fields: fieldsOf(row).map(({ help, choices, required, ...field }) => ({
      ...field,
      ...(required && { required }),
      ...(help !== null && { help }),
      ...(choices.length > 0 && { choices }),
    })),
    thanks,
    thanks_page,
    reply,
    consent,
    keep_days,
    open: open === 1,
  }))
}

async function skillsOf({ db }: StructureParts): Promise<unknown> {
  const rows = await db.selectFrom('skill').select(['slug', 'when', 'text']).orderBy('slug').execute()
  return rows.map(({ slug, when, text }) => ({ slug, when, text }))
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

/** The kind of object to which a setting refers by its id or path; undefined for a value of its own. */
function referenceOf(key: SettingKey): 'entry' | 'media' | undefined {
  const { kind } = definitionOf(key)
  return kind === 'entry' ? 'entry' : kind === 'picture' ? 'media' : undefined
}

async function settingsOf({ db, termOf, settings, release }: StructureParts): Promise<unknown> {
  const changed = settingKeys(release).filter((key) => !sameJson(settings[key], definitionOf(key).fallback))
  const ids = changed.filter((key) => referenceOf(key)).map((key) => String(settings[key]))
  const names = await readIdNames(db, termOf, new Set(ids))
  return Object.fromEntries(
    changed.map((key) => {
      const kind = referenceOf(key)
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
  yield { path: '_redirects', content: { text: [...redirectLines(rows)].join('') } }
}

async function* themeFiles({ db }: StructureParts): AsyncGenerator<ExportFile> {
  const slugs = await db.selectFrom('theme_file').select('theme').distinct().orderBy('theme').execute()
  for (const { theme } of slugs) {
    const rows = await db.selectFrom('theme_file').selectAll().where('theme', '=', theme).orderBy('path').execute()
    for (const { path, text } of rows) yield { path: `themes/${theme}/${path}`, content: { bytes: bytesOf(path, text) } }
  }
}

/** Yields the files that the site serves at its root, such as `ads.txt`. @param folder where they go: empty, or `root/` */
export async function* rootFiles({ db }: Pick<StructureParts, 'db'>, folder: string): AsyncGenerator<ExportFile> {
  const rows = await db.selectFrom('site_file').selectAll().orderBy('path').execute()
  for (const { path, text } of rows) yield { path: folder + path.slice(1), content: { text } }
}
