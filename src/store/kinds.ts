// The kinds of objects of a site, one row per kind: where they are stored, and what a change of one entails. `change.ts` reads this table, so
// that no code branches on a kind.

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
  /** Columns that hold JSON, and columns that hold a time; the others are shown as they are. */
  readonly json: readonly string[]
  readonly times: readonly string[]
  /** Columns that have another name in inputs and answers. */
  readonly shownAs: Readonly<Record<string, string>>
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
    json: [],
    times: [],
    shownAs: {},
  },
  token: {
    table: 'token',
    key: 'id',
    area: 'identity',
    revisioned: true,
    history: false,
    folded: false,
    secret: ['hash'],
    json: ['limits'],
    times: ['expires_at', 'revoked_at'],
    shownAs: { account_id: 'account' },
  },
  app: {
    table: 'app_grant',
    key: 'id',
    area: 'identity',
    revisioned: true,
    history: false,
    folded: false,
    secret: ['client_hash', 'epoch'],
    json: ['limits'],
    times: ['expires_at', 'revoked_at'],
    shownAs: { account_id: 'account' },
  },
  setting: {
    table: 'setting',
    key: 'key',
    area: 'settings',
    revisioned: true,
    history: false,
    folded: false,
    secret: [],
    json: ['value'],
    times: [],
    shownAs: {},
  },
  entry: {
    table: 'entry',
    key: 'id',
    area: 'content',
    revisioned: true,
    history: true,
    folded: true,
    secret: [],
    json: ['seo'],
    times: ['published_at', 'unpublish_at'],
    shownAs: { parent_id: 'parent', author_id: 'author' },
  },
  former_path: {
    table: 'former_path',
    key: 'path',
    area: 'content',
    revisioned: false,
    history: false,
    folded: false,
    secret: [],
    json: [],
    times: [],
    shownAs: { entry_id: 'entry' },
  },
  plugin: {
    table: 'plugin',
    key: 'id',
    area: 'plugins',
    revisioned: true,
    history: false,
    folded: false,
    secret: ['secrets'],
    json: ['manifest', 'may', 'settings', 'registered'],
    times: [],
    shownAs: {},
  },
  skill: {
    table: 'skill',
    key: 'slug',
    area: 'skills',
    revisioned: true,
    history: false,
    folded: false,
    secret: [],
    json: [],
    times: [],
    shownAs: {},
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
