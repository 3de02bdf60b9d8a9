// The tables of a Ghost export. Only the columns and settings that are named here are read: every export also holds secrets, such
// as hashes of passwords and private keys (attack 164).

import { Failure } from '../../../base/failure.ts'
import { isObject } from '../../../base/json.ts'
import type { SourceFiles } from '../../source-files.ts'
import { headOf, wholeText } from '../head-of.ts'

export type GhostRow = Readonly<Record<string, string | number | boolean | null>>

const columns = {
  posts: [
    'id',
    'title',
    'slug',
    'html',
    'type',
    'page',
    'status',
    'visibility',
    'published_at',
    'updated_at',
    'custom_excerpt',
    'feature_image',
    'featured',
    'locale',
    'author_id',
    'codeinjection_head',
    'codeinjection_foot',
    'email_only',
    'canonical_url',
    'custom_template',
  ],
  posts_meta: [
    'post_id',
    'meta_title',
    'meta_description',
    'feature_image_alt',
    'feature_image_caption',
    'og_image',
    'og_title',
    'og_description',
    'twitter_image',
    'twitter_title',
    'twitter_description',
  ],
  posts_tags: ['post_id', 'tag_id', 'sort_order'],
  posts_authors: ['post_id', 'author_id', 'sort_order'],
  tags: ['id', 'name', 'slug', 'description', 'visibility', 'feature_image'],
  users: ['id', 'name', 'slug', 'email', 'bio', 'website', 'location', 'profile_image', 'image', 'cover_image'],
} as const

type TableName = keyof typeof columns

const settingKeys: ReadonlySet<string> = new Set([
  'title',
  'description',
  'logo',
  'icon',
  'cover_image',
  'accent_color',
  'timezone',
  'activeTimezone',
  'locale',
  'lang',
  'navigation',
  'secondary_navigation',
])

/** Settings that hold code for every page. */
const codeKeys: ReadonlySet<string> = new Set(['codeinjection_head', 'codeinjection_foot', 'ghost_head', 'ghost_foot'])

export interface GhostTables {
  readonly rows: Readonly<Record<TableName, readonly GhostRow[]>>
  readonly settings: ReadonlyMap<string, string>
  /** The names of settings with code. */
  readonly code: readonly string[]
  /** The numbers of rows of the other tables, by name. */
  readonly others: ReadonlyMap<string, number>
}

const maxBytes = 256 * 1024 ** 2

/** Finds the file of an export among others. */
export async function findGhostFile(files: SourceFiles): Promise<string | undefined> {
  for (const path of files.sizes.keys())
    if (
      path.endsWith('.json') &&
      path.split('/').length <= 3 &&
      !path.includes('content/') &&
      mark.test(await headOf(files, path))
    )
      return path
  return undefined
}

const mark = /^\s{0,1000}\{\s{0,1000}(?:"db"\s{0,100}:\s{0,100}\[\s{0,1000}\{\s{0,1000})?"(?:meta|data)"\s{0,100}:\s{0,100}\{/

/** @throws Failure `unprocessable`, or `too_large` */
export async function readGhostTables(files: SourceFiles, path: string): Promise<GhostTables> {
  const data = dataIn(parse(await wholeText(files, path, maxBytes), path))
  if (data === undefined)
    throw new Failure('unprocessable', `The file ${JSON.stringify(path)} is no export of Ghost.`, {
      hint: 'In Ghost: Settings → Import/Export → Export.',
    })
  const rowsOf = (table: string): readonly GhostRow[] => {
    const rows = data[table]
    return Array.isArray(rows) ? rows.filter((row): row is GhostRow => isObject(row)) : []
  }
  const read = (table: TableName) => rowsOf(table).map((row) => only(row, columns[table]))
  const rows = {
    posts: read('posts'),
    posts_meta: read('posts_meta'),
    posts_tags: read('posts_tags'),
    posts_authors: read('posts_authors'),
    tags: read('tags'),
    users: read('users'),
  }
  const settings = rowsOf('settings').filter(({ value }) => typeof value === 'string' && value !== '')
  return {
    rows,
    settings: new Map(
      settings.filter(({ key }) => settingKeys.has(String(key))).map(({ key, value }) => [String(key), String(value)]),
    ),
    code: settings.map(({ key }) => String(key)).filter((key) => codeKeys.has(key)),
    others: new Map(
      Object.keys(data)
        .filter((table) => table !== 'settings' && !Object.hasOwn(columns, table))
        .map((table) => [table, rowsOf(table).length]),
    ),
  }
}

function parse(text: string, path: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Failure(
      'unprocessable',
      `The file ${JSON.stringify(path)} is not whole JSON.`,
      { hint: 'Export it again.' },
      { cause: error },
    )
  }
}

/** An export is `{db: [{meta, data}]}`, `{meta, data}` or `{data}`. */
function dataIn(json: unknown): Readonly<Record<string, unknown>> | undefined {
  const whole = isObject(json) && Array.isArray(json['db']) ? (json['db'][0] as unknown) : json
  const data = isObject(whole) ? whole['data'] : undefined
  return isObject(data) && Array.isArray(data['posts']) ? data : undefined
}

const only = (row: GhostRow, names: readonly string[]): GhostRow =>
  Object.fromEntries(names.filter((name) => Object.hasOwn(row, name)).map((name) => [name, withoutHost(row[name] ?? null)]))

/** Ghost writes its own address as a mark. Addresses of an import begin with a slash there. */
const withoutHost = (value: GhostRow[string]): GhostRow[string] =>
  typeof value === 'string' ? value.replaceAll('__GHOST_URL__', '') : value

/** Returns a text of a row; empty for null and for what is missing. */
export const cell = (row: GhostRow | undefined, name: string): string => {
  const value = row?.[name]
  return value === null || value === undefined ? '' : String(value)
}
