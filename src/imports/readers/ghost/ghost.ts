// Exports of Ghost: a JSON file, alone or beside the folder `content`, redirects, routes and the table of members.

import { withoutSlash } from '../without-slash.ts'
import { Failure } from '../../../base/failure.ts'
import type { ImportFormat, ReadOptions } from '../../import-format.ts'
import type { SourceFiles } from '../../source-files.ts'
import type { ImportMenuItem, ImportPart } from '../../stream.ts'
import { headOf, wholeText } from '../head-of.ts'
import { plainTitle } from '../plain-title.ts'
import { readFiles } from './files.ts'
import { hasMembers, readMembers } from './members.ts'
import { readPermalinks } from './permalinks.ts'
import { isInternal, readPosts } from './posts.ts'
import { readRedirects } from './redirects.ts'
import { cell, findGhostFile, type GhostRow, type GhostTables, readGhostTables } from './tables.ts'

const maxSideBytes = 64 * 1024 ** 2

export const ghostFormat: ImportFormat = {
  name: 'ghost',
  recognises: async (files) => (await findGhostFile(files)) !== undefined,
  read: readGhost,
}

async function* readGhost(files: SourceFiles, { url }: ReadOptions): AsyncGenerator<ImportPart> {
  const path = await findGhostFile(files)
  if (path === undefined) throw new Failure('unprocessable', 'No file is an export of Ghost.')
  const tables = await readGhostTables(files, path)
  const { settings, rows, others, code } = tables
  const owner = rows.users.map((row) => cell(row, 'id')).sort()[0] ?? 'site'
  yield {
    kind: 'site',
    key: `ghost:${owner}`,
    url: withoutSlash(url),
    title: settings.get('title'),
    tagline: settings.get('description'),
    language: settings.get('locale') ?? settings.get('lang'),
    timeZone: settings.get('timezone') ?? settings.get('activeTimezone'),
  }
  yield {
    kind: 'loss',
    group: 'secrets',
    name: path,
    reason: 'the file holds secrets of the old site, which were not read: delete it',
  }
  for (const name of code) yield { kind: 'loss', group: 'code', name, reason: 'code for all pages is not taken over' }
  for (const [name, count] of others)
    if (count > 0) yield { kind: 'loss', group: 'table', name, reason: `its ${count} rows have no place here` }
  yield* smallLosses(tables)
  yield* rows.users.map(authorOf)
  yield* rows.tags.filter((tag) => !isInternal(tag)).map(termOf)
  yield* readFiles(files, tables)
  yield* readPosts(tables, readPermalinks(await sideText(files, /(?:^|\/)routes\.ya?ml$/)))
  yield* menusIn(tables)
  for (const side of files.sizes.keys()) {
    if (/(?:^|\/)redirects\.(?:json|ya?ml)$/.test(side)) yield* readRedirects(side, await wholeText(files, side, maxSideBytes))
    if (side.endsWith('.csv') && hasMembers(await headOf(files, side)))
      yield* readMembers(await wholeText(files, side, maxSideBytes))
  }
}

async function sideText(files: SourceFiles, name: RegExp): Promise<string | undefined> {
  const path = [...files.sizes.keys()].find((one) => name.test(one))
  return path === undefined ? undefined : wholeText(files, path, maxSideBytes)
}

/** Columns of profiles and tags, and settings of the design, that have no place here. */
const noPlace = {
  users: ['website', 'location', 'profile_image', 'image', 'cover_image'],
  tags: ['feature_image'],
} as const

function* smallLosses({ rows, settings }: GhostTables): Generator<ImportPart> {
  for (const table of ['users', 'tags'] as const)
    for (const row of rows[table])
      for (const name of noPlace[table])
        if (cell(row, name) !== '')
          yield { kind: 'loss', group: table, name, reason: 'it has no place here', where: cell(row, 'slug') }
  for (const name of ['logo', 'icon', 'cover_image', 'accent_color'])
    if (settings.has(name)) yield { kind: 'loss', group: 'setting', name, reason: 'a part of the design: choose it anew' }
}

const authorOf = (user: GhostRow): ImportPart => ({
  kind: 'author',
  id: cell(user, 'slug'),
  name: plainTitle(cell(user, 'name')) || cell(user, 'slug'),
  bio: cell(user, 'bio') || undefined,
  website: cell(user, 'website') || undefined,
  picture: cell(user, 'profile_image') || cell(user, 'image') || undefined,
  email: cell(user, 'email') || undefined,
  addresses: [`/author/${cell(user, 'slug')}/`],
})

const termOf = (tag: GhostRow): ImportPart => ({
  kind: 'term',
  id: cell(tag, 'id'),
  taxonomy: 'tag',
  slug: cell(tag, 'slug'),
  name: plainTitle(cell(tag, 'name')) || cell(tag, 'slug'),
  description: cell(tag, 'description') || undefined,
  addresses: [`/tag/${cell(tag, 'slug')}/`],
})

/** The two menus are settings. */
function* menusIn({ settings }: GhostTables): Generator<ImportPart> {
  const menus = [
    ['navigation', 'Navigation', 'main'],
    ['secondary_navigation', 'Secondary navigation', 'footer'],
  ] as const
  for (const [key, name, location] of menus) {
    const items = itemsIn(settings.get(key))
    if (items.length > 0) yield { kind: 'menu', id: key, name, location, items }
  }
}

function itemsIn(json: string | undefined): readonly ImportMenuItem[] {
  try {
    const items: unknown = JSON.parse(json ?? '[]')
    if (!Array.isArray(items)) return []
    return items.flatMap((item: { label?: unknown; url?: unknown } | null) =>
      typeof item?.label === 'string' && typeof item.url === 'string'
        ? [{ title: plainTitle(item.label), target: { address: item.url.replaceAll('__GHOST_URL__', '') || '/' }, children: [] }]
        : [],
    )
  } catch {
    return []
  }
}
