// The kinds of objects of a site, one row per kind: the table that stores them, and the effects of a change. `change.ts` reads this
// table, so that no code branches on a kind. `activity/shown-columns.ts` says how a diff shows their columns.

import type { Schema } from '../core/schema.ts'

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
  /** Columns with a hash, of which a diff says only if there is one. Records keep the hash, so that an undo can restore it. */
  readonly hashed: readonly string[]
  /** The column with the name for people; the default is the key. */
  readonly title?: string
  /** The column with the path of an object, if it has one. A name such as `category/news` is a path without its slash. */
  readonly path?: string
  /** True if records don't list objects of this kind, because they only follow from another change. */
  readonly unlisted?: true
  /** The kind under which records list these objects, which have the same ids. */
  readonly listedAs?: string
}

type Given = Partial<KindFacts> & Pick<KindFacts, 'key' | 'area'>

/** A kind with the usual facts: its table has revisions, of which no snapshots are stored, and no secrets. */
const kind = <T extends keyof Schema>(
  facts: { readonly table: T } & Omit<Given, 'table'>,
): KindFacts & { readonly table: T } => ({
  revisioned: true,
  history: false,
  folded: false,
  secret: [],
  hashed: [],
  ...facts,
})

export const kinds = {
  account: kind({ table: 'account', key: 'id', area: 'identity', secret: ['password_hash', 'epoch'], title: 'name' }),
  token: kind({ table: 'token', key: 'id', area: 'identity', secret: ['hash'], title: 'name' }),
  app: kind({ table: 'app_grant', key: 'id', area: 'identity', secret: ['client_hash', 'epoch'], title: 'name' }),
  setting: kind({ table: 'setting', key: 'key', area: 'settings' }),
  entry: kind({
    table: 'entry',
    key: 'id',
    area: 'content',
    history: true,
    folded: true,
    hashed: ['password_hash'],
    title: 'title',
    path: 'path',
  }),
  entry_pending: kind({ table: 'entry_pending', key: 'entry_id', area: 'content', revisioned: false, listedAs: 'entry' }),
  former_path: kind({ table: 'former_path', key: 'path', area: 'content', revisioned: false, unlisted: true }),
  media: kind({ table: 'media', key: 'id', area: 'content', title: 'filename', path: 'path' }),
  media_path: kind({ table: 'media_former', key: 'path', area: 'content', revisioned: false, unlisted: true }),
  plugin: kind({ table: 'plugin', key: 'id', area: 'plugins', secret: ['secrets'] }),
  skill: kind({ table: 'skill', key: 'slug', area: 'skills' }),
  // The columns that a proposal lists here are not secrets, but they repeat `calls` and `diff`, and undo restores none of them.
  proposal: kind({ table: 'proposal', key: 'id', area: 'proposals', secret: ['changes', 'proposer', 'touches'], title: 'title' }),
  taxonomy: kind({ table: 'taxonomy', key: 'slug', area: 'terms', title: 'name' }),
  term: kind({ table: 'term', key: 'id', area: 'terms', title: 'name', path: 'ref' }),
  menu: kind({ table: 'menu', key: 'id', area: 'content', title: 'name' }),
  form: kind({ table: 'form', key: 'id', area: 'content', title: 'name' }),
  redirect: kind({ table: 'redirect', key: 'id', area: 'content', title: 'source', path: 'source' }),
  old_address: kind({ table: 'old_address', key: 'id', area: 'content', revisioned: false, title: 'old', unlisted: true }),
  comment: kind({ table: 'comment', key: 'id', area: 'content', title: 'name' }),
  site_file: kind({ table: 'site_file', key: 'path', area: 'content', path: 'path' }),
  entry_type: kind({ table: 'entry_type', key: 'slug', area: 'types', title: 'name' }),
  theme: kind({ table: 'theme', key: 'slug', area: 'themes', title: 'slug' }),
  theme_file: kind({ table: 'theme_file', key: 'id', area: 'themes', history: 'theme_revision', title: 'id' }),
}

/** A kind of object that can be changed. */
export type Kind = keyof typeof kinds

export type RowOf<K extends Kind> = Schema[(typeof kinds)[K]['table']]

/** Columns that count writes and have no content. */
export const bookkeeping: ReadonlySet<string> = new Set(['revision', 'created_at', 'updated_at', 'staged', 'live_revision'])

/** The columns that say what an object is called, and where it is. */
export function labelColumns(kind: Kind): Pick<KindFacts, 'title' | 'path'> & { readonly unlisted?: boolean } {
  const { key, title = key, path, unlisted } = kinds[kind]
  return { title, ...(path && { path }), ...(unlisted && { unlisted }) }
}

/** Returns the kind under which records list an object of this kind. */
export const listedKind = (kind: Kind): string => kinds[kind].listedAs ?? kind

/** Returns a kind with its article, such as `an entry`. */
export const withArticle = (kind: Kind): string => `${/^[aeiou]/.test(kind) ? 'an' : 'a'} ${kind.replace('_', ' ')}`
