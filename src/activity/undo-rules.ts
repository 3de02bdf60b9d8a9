// The rules for undoing changes, one row per kind of object. A new kind does not compile until it has a row. `undo-row.ts` reads this table.

import { checkEntryLimits } from '../content/allowed.ts'
import { checkAdminLeft } from '../identity/account-store.ts'
import type { Caller } from '../identity/caller.ts'
import type { Touches } from '../identity/check-limits.ts'
import { checkScripts } from '../themes/scripts.ts'
import type { AnyRow, Change } from '../store/change.ts'
import type { Db } from '../store/database.ts'
import type { Kind, RowOf } from '../store/kinds.ts'

/** What undo does with changes of one kind. */
export interface UndoRule<K extends Kind = Kind> {
  /**
   * What the undo of a change touches, for the limits of a token. It may be more than the change itself touched: undoing a demotion, for
   * example, promotes an account.
   */
  readonly touches: Touches
  /** A creation is undone by removing the object, or by `retire` if the object must stay. */
  readonly created: 'remove' | 'retire'
  /** Whether a removal can be undone. An object with secrets stays removed, because its secrets were not recorded. */
  readonly removed: 'restore' | 'stay'
  /** A column whose value only one object may have, its name in a sentence, and the column that names the other object. */
  readonly unique?: {
    readonly column: string & keyof RowOf<K>
    readonly called: string
    readonly namedBy: string & keyof RowOf<K>
  }
  /** Ends an object that can't be removed. */
  retire?(change: Change, row: RowOf<K>): Promise<void>
  /** Why a creation can't be undone now, even with `force`. */
  whyCreated?(row: RowOf<K>): string | undefined
  /** Why a change can't be undone now, even with `force`. @param patch the columns that would be written */
  whyChanged?(row: RowOf<K>, patch: AnyRow): string | undefined
  /** @throws Failure `refused` if the caller's limits exclude the object before or after the undo */
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
    // Undoing a creation destroys nothing that existed before, so the limits treat it as a move to the trash.
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
  theme: { touches: 'site', created: 'remove', removed: 'restore' },
  theme_file: { touches: 'site', created: 'remove', removed: 'restore', checkCaller: checkThemeFile },
}

/** Undo brings back no script for a caller who may not write one (attack 146). */
function checkThemeFile(caller: Caller, _before: RowOf<'theme_file'> | null, after: RowOf<'theme_file'> | null): void {
  if (after) checkScripts(caller, after.path, after.text)
}

function revives(patch: AnyRow, { expires_at: expiresAt }: RowOf<'token'>): boolean {
  if ('revoked_at' in patch && patch['revoked_at'] === null) return true
  // A later expiry, or none, would extend a token whose life was shortened.
  return 'expires_at' in patch && isLater(patch['expires_at'] ?? null, expiresAt)
}

const isLater = (a: AnyRow[string], b: number | null): boolean => b !== null && (a === null || Number(a) > b)

/** Whether the plugin would be active although the confirmed rights differ from those in its manifest. Only `activate` confirms rights. */
function isUnconfirmed({ state, may, manifest }: AnyRow): boolean {
  const sorted = (rights: readonly string[]) => [...rights].sort().join('\n')
  const wanted = (JSON.parse(String(manifest)) as { may: string[] }).may
  return state === 'active' && sorted(JSON.parse(String(may)) as string[]) !== sorted(wanted)
}
