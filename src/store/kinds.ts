// The kinds of objects of a site, one row per kind: the table that stores them, and the effects of a change. `change.ts` reads this
// table, so that no code branches on a kind. `activity/shown-columns.ts` says how a diff shows their columns.

import type { Schema } from './schema.ts'

/** Areas of cached data. A change of an object makes all caches of its area stale. The table `version` has one counter per area. */
export const areas = ['identity', 'settings', 'content', 'plugins', 'skills', 'proposals', 'types', 'terms', 'themes'] as const
export type Area = (typeof areas)[number]

interface KindFacts {
  readonly table: keyof Schema
  readonly key: string
  readonly area: Area
  /** True if the table has the columns `revision`, `created_at` and `updated_at`. */
  readonly revisioned: boolean
  /** True if each revision is stored in `entry_revision`, or the name of another table. */
  readonly history: boolean | 'theme_revision'
  /** True if `folded-entries.ts` also stores the text folded, and `entry-values.ts` the values of its fields. */
  readonly folded: boolean
  /** Columns that never reach an activity record, a diff or an answer. */
  readonly secret: readonly string[]
  /** The column with the name for people; the default is the key. */
  readonly title?: string
  /** The column with the path of an object, if it has one. A name such as `category/news` is a path without its slash. */
  readonly path?: string
  /** True if records don't list objects of this kind, because they only follow from another change. */
  readonly unlisted?: true
  /** The kind under which records list these objects, which have the same ids. */
  readonly listedAs?: string
}

export const kinds = {
  account: {
    table: 'account',
    key: 'id',
    area: 'identity',
    revisioned: true,
    history: false,
    folded: false,
    secret: ['password_hash', 'epoch'],
    title: 'name',
  },
  token: {
    table: 'token',
    key: 'id',
    area: 'identity',
    revisioned: true,
    history: false,
    folded: false,
    secret: ['hash'],
    title: 'name',
  },
  app: {
    table: 'app_grant',
    key: 'id',
    area: 'identity',
    revisioned: true,
    history: false,
    folded: false,
    secret: ['client_hash', 'epoch'],
    title: 'name',
  },
  setting: {
    table: 'setting',
    key: 'key',
    area: 'settings',
    revisioned: true,
    history: false,
    folded: false,
    secret: [],
  },
  entry: {
    table: 'entry',
    key: 'id',
    area: 'content',
    revisioned: true,
    history: true,
    folded: true,
    secret: [],
    title: 'title',
    path: 'path',
  },
  entry_pending: {
    table: 'entry_pending',
    key: 'entry_id',
    area: 'content',
    revisioned: false,
    history: false,
    folded: false,
    secret: [],
    listedAs: 'entry',
  },
  former_path: {
    table: 'former_path',
    key: 'path',
    area: 'content',
    revisioned: false,
    history: false,
    folded: false,
    secret: [],
    unlisted: true,
  },
  media: {
    table: 'media',
    key: 'id',
    area: 'content',
    revisioned: true,
    history: false,
    folded: false,
    secret: [],
    title: 'filename',
    path: 'path',
  },
  media_path: {
    table: 'media_former',
    key: 'path',
    area: 'content',
    revisioned: false,
    history: false,
    folded: false,
    secret: [],
    unlisted: true,
  },
  plugin: {
    table: 'plugin',
    key: 'id',
    area: 'plugins',
    revisioned: true,
    history: false,
    folded: false,
    secret: ['secrets'],
  },
  skill: {
    table: 'skill',
    key: 'slug',
    area: 'skills',
    revisioned: true,
    history: false,
    folded: false,
    secret: [],
  },
  proposal: {
    table: 'proposal',
    key: 'id',
    area: 'proposals',
    revisioned: true,
    history: false,
    folded: false,
    // These are not secrets, but they repeat `calls` and `diff`, and undo restores none of them.
    secret: ['changes', 'proposer'],
    title: 'title',
  },
  taxonomy: {
    table: 'taxonomy',
    key: 'slug',
    area: 'terms',
    revisioned: true,
    history: false,
    folded: false,
    secret: [],
    title: 'name',
  },
  term: {
    table: 'term',
    key: 'id',
    area: 'terms',
    revisioned: true,
    history: false,
    folded: false,
    secret: [],
    title: 'name',
    path: 'ref',
  },
  menu: {
    table: 'menu',
    key: 'id',
    area: 'content',
    revisioned: true,
    history: false,
    folded: false,
    secret: [],
    title: 'name',
  },
  redirect: {
    table: 'redirect',
    key: 'id',
    area: 'content',
    revisioned: true,
    history: false,
    folded: false,
    secret: [],
    title: 'source',
    path: 'source',
  },
  entry_type: {
    table: 'entry_type',
    key: 'slug',
    area: 'types',
    revisioned: true,
    history: false,
    folded: false,
    secret: [],
    title: 'name',
  },
  theme: {
    table: 'theme',
    key: 'slug',
    area: 'themes',
    revisioned: true,
    history: false,
    folded: false,
    secret: [],
    title: 'slug',
  },
  theme_file: {
    table: 'theme_file',
    key: 'id',
    area: 'themes',
    revisioned: true,
    history: 'theme_revision',
    folded: false,
    secret: [],
    title: 'id',
  },
} as const satisfies Record<string, KindFacts>

/** A kind of object that can be changed. */
export type Kind = keyof typeof kinds

/** The row of a kind. */
export type RowOf<K extends Kind> = Schema[(typeof kinds)[K]['table']]

/** Columns that count writes and have no content. */
export const bookkeeping: ReadonlySet<string> = new Set(['revision', 'created_at', 'updated_at', 'staged', 'live_revision'])

/** The columns that say what an object is called, and where it is. */
export function labelColumns(kind: Kind): Pick<KindFacts, 'title' | 'path'> & { readonly unlisted?: boolean } {
  const { key, title = key, path, unlisted }: KindFacts = kinds[kind]
  return { title, ...(path && { path }), ...(unlisted && { unlisted }) }
}

/** Returns the kind under which records list an object of this kind. */
export const listedKind = (kind: Kind): string => (kinds[kind] as KindFacts).listedAs ?? kind

/** Returns a kind with its article, such as `an entry`. */
export const withArticle = (kind: Kind): string => `${/^[aeiou]/.test(kind) ? 'an' : 'a'} ${kind.replace('_', ' ')}`
