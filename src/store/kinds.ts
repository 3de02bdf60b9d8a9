// The site's objects, one row per kind: where they are kept, and what a change of one entails. `change.ts` reads this table; nobody
// branches on a kind. How a diff shows their columns is `activity/shown-columns.ts`'s.

import type { Schema } from './schema.ts'

/** Areas of caches that go stale together when an object changes; the table `version` has one counter per area. */
export const areas = ['identity', 'settings', 'content', 'plugins', 'skills'] as const
export type Area = (typeof areas)[number]

interface KindFacts {
  readonly table: keyof Schema
  readonly key: string
  readonly area: Area
  /** Has `revision`, `created_at`, `updated_at`. */
  readonly revisioned: boolean
  /** Each of its revisions is stored in `entry_revision`. */
  readonly history: boolean
  /** Its text is also stored folded, by `folded-entries.ts`. */
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
} as const satisfies Record<string, KindFacts>

/** A kind of object that can be changed. */
export type Kind = keyof typeof kinds

/** The row of a kind. */
export type RowOf<K extends Kind> = Schema[(typeof kinds)[K]['table']]

/** Columns that count writes and have no content. */
export const bookkeeping: ReadonlySet<string> = new Set(['revision', 'created_at', 'updated_at'])

/** A kind in a sentence: `an entry`. */
export const withArticle = (kind: Kind): string => `${/^[aeiou]/.test(kind) ? 'an' : 'a'} ${kind.replace('_', ' ')}`
