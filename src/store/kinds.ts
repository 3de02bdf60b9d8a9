// The kinds of objects of a site, one row per kind: the table that stores them, and what happens when one changes. `change.ts` reads this
// table, so that no code branches on a kind. `activity/shown-columns.ts` says how a diff shows their columns.

import type { Schema } from './schema.ts'

/** Areas of cached data. When an object changes, all caches of its area go stale. The table `version` has one counter per area. */
export const areas = ['identity', 'settings', 'content', 'plugins', 'skills', 'themes'] as const
export type Area = (typeof areas)[number]

interface KindFacts {
  readonly table: keyof Schema
  readonly key: string
  readonly area: Area
  /** Whether the table has the columns `revision`, `created_at` and `updated_at`. */
  readonly revisioned: boolean
  /** Whether each revision is stored: in `entry_revision`, or in the table that is named. */
  readonly history: boolean | 'theme_revision'
  /** Whether the text is also stored folded, by `folded-entries.ts`. */
  readonly folded: boolean
  /** Columns that never reach an activity record, a diff or an answer. */
  readonly secret: readonly string[]
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
  },
  token: {
    table: 'token',
    key: 'id',
    area: 'identity',
    revisioned: true,
    history: false,
    folded: false,
    secret: ['hash'],
  },
  app: {
    table: 'app_grant',
    key: 'id',
    area: 'identity',
    revisioned: true,
    history: false,
    folded: false,
    secret: ['client_hash', 'epoch'],
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
  },
  former_path: {
    table: 'former_path',
    key: 'path',
    area: 'content',
    revisioned: false,
    history: false,
    folded: false,
    secret: [],
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
  theme: {
    table: 'theme',
    key: 'slug',
    area: 'themes',
    revisioned: true,
    history: false,
    folded: false,
    secret: [],
  },
  theme_file: {
    table: 'theme_file',
    key: 'id',
    area: 'themes',
    revisioned: true,
    history: 'theme_revision',
    folded: false,
    secret: [],
  },
} as const satisfies Record<string, KindFacts>

/** A kind of object that can be changed. */
export type Kind = keyof typeof kinds

/** The row of a kind. */
export type RowOf<K extends Kind> = Schema[(typeof kinds)[K]['table']]

/** Columns that count writes and have no content. */
export const bookkeeping: ReadonlySet<string> = new Set(['revision', 'created_at', 'updated_at'])

/** A kind with its article, such as `an entry`. */
export const withArticle = (kind: Kind): string => `${/^[aeiou]/.test(kind) ? 'an' : 'a'} ${kind.replace('_', ' ')}`
