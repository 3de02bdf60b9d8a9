// How a change of each kind of object is taken back: one row per kind. A new kind does not compile until it has its row.
// `undo-row.ts` reads this table.

import { checkEntryLimits } from '../content/allowed.ts'
import { checkAdminLeft } from '../identity/account-store.ts'
import type { Caller } from '../identity/caller.ts'
import type { Touches } from '../identity/check-limits.ts'
import type { AnyRow, Change } from '../store/change.ts'
import type { Db } from '../store/database.ts'
import type { Kind, RowOf } from '../store/kinds.ts'

/** What undo does with changes of one kind. */
export interface UndoRule<K extends Kind = Kind> {
  /**
   * What taking back a change touches, for the limits of a token. It may be more than the change itself touched: undoing a demotion
   * promotes.
   */
  readonly touches: Touches
  /** A creation is taken back by removing the object, or by `retire` where the object must stay. */
  readonly created: 'remove' | 'retire'
  /** Whether a removal is taken back. An object with secrets stays removed: its secrets were not recorded. */
  readonly removed: 'restore' | 'stay'
  /** A column whose value only one object may have, its name in a sentence, and the column that names the other object. */
  readonly unique?: {
    readonly column: string & keyof RowOf<K>
    readonly called: string
    readonly namedBy: string & keyof RowOf<K>
  }
  /** Ends an object that can't be removed. */
  retire?(change: Change, row: RowOf<K>): Promise<void>
  /** Why a creation is not taken back now, even by force. */
  whyCreated?(row: RowOf<K>): string | undefined
  /** Why a change is not taken back now, even by force. @param patch the columns that would be written */
  whyChanged?(row: RowOf<K>, patch: AnyRow): string | undefined
  /** @throws Failure `refused` where the caller's limits exclude the object before or after the undo */
  checkCaller?(caller: Caller, before: RowOf<K> | null, after: RowOf<K> | null): void
  /** Checks the site after the undo. @throws Failure `refused` */
  checkSite?(db: Db): Promise<void>
}

export const undoRules: { readonly [K in Kind]: UndoRule<K> } = {
  account: {
    touches: 'unlimited',
    created: 'remove',
    removed: 'stay',
    unique: { column: 'email', called: 'e-mail address', namedBy: 'name' },
    whyCreated: ({ revision }) => (revision === 1 ? undefined : 'the account is in use by now'),
    checkSite: checkAdminLeft,
  },
  token: {
    touches: 'site',
    created: 'retire',
    removed: 'stay',
    async retire(change, token) {
      if (token.revoked_at === null) await change.update('token', token, { revoked_at: change.now })
    },
    whyChanged: (token, patch) => (revives(patch, token) ? 'a token that was revoked is not revived' : undefined),
  },
  app: { touches: 'unlimited', created: 'remove', removed: 'stay' },
  setting: { touches: 'site', created: 'remove', removed: 'restore' },
  entry: {
    touches: 'entries',
    created: 'remove',
    removed: 'restore',
    unique: { column: 'path', called: 'path', namedBy: 'title' },
    // Taking back a creation destroys nothing that was there before: for the limits it is a move to the trash.
    checkCaller: (caller, before, after) => checkEntryLimits(caller, before, after ?? (before && { ...before, status: 'trash' })),
  },
  former_path: { touches: 'entries', created: 'remove', removed: 'restore' },
  plugin: {
    touches: 'unlimited',
    created: 'remove',
    removed: 'stay',
    whyChanged: (plugin, patch) =>
      isUnconfirmed({ ...plugin, ...patch })
        ? 'nobody has confirmed the rights that the plugin asks for now: activate it again'
        : undefined,
  },
  skill: { touches: 'site', created: 'remove', removed: 'restore' },
}

function revives(patch: AnyRow, { expires_at: expiresAt }: RowOf<'token'>): boolean {
  if ('revoked_at' in patch && patch['revoked_at'] === null) return true
  // A later expiry, or none, would extend a token whose time was shortened.
  return 'expires_at' in patch && isLater(patch['expires_at'] ?? null, expiresAt)
}

const isLater = (a: AnyRow[string], b: number | null): boolean => b !== null && (a === null || Number(a) > b)

/** Whether a plugin would be active with other rights than were confirmed. Only `activate` may bring that about. */
function isUnconfirmed({ state, may, manifest }: AnyRow): boolean {
  const sorted = (rights: readonly string[]) => [...rights].sort().join('\n')
  const wanted = (JSON.parse(String(manifest)) as { may: string[] }).may
  return state === 'active' && sorted(JSON.parse(String(may)) as string[]) !== sorted(wanted)
}
