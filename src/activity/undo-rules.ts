// The rules for undoing changes, one row per kind of object. A new kind does not compile without a row. `undo-row.ts` reads them.

import { checkEntryLimits } from '../content/entries/allowed.ts'
import { hasAllRootFiles, maxRootFiles } from '../content/root-files/root-files.ts'
import { withoutDeletedTerms } from '../content/terms/terms.ts'
import { checkAdminLeft } from '../identity/account-store.ts'
import type { Caller } from '../identity/caller.ts'
import { checkLimits, type Touches, touchesOfSettings } from '../identity/check-limits.ts'
import { readFileKey } from '../media/file-key.ts'
import { builtInTypes } from '../content/types/entry-types.ts'
import { checkScripts } from '../themes/scripts.ts'
import type { AnyRow, Change, RowChange } from '../store/change/change.ts'
import type { Db } from '../store/core/database.ts'
import type { Kind, RowOf } from '../store/change/kinds.ts'
import type { Obstacle, Undoing } from './undo-row.ts'
import { undoStaging } from './undo-staging.ts'

export interface UndoRule<K extends Kind = Kind> {
  /** The thing that an undo touches. The change may have touched less: undoing a demotion promotes an account. */
  readonly touches: Touches
  /** The undo of a creation: `remove` removes the object, and `retire` ends an object that must stay. */
  readonly created: 'remove' | 'retire'
  /** The undo of a removal: `stay` for an object that can't come back, because its secrets were not recorded. */
  readonly removed: 'restore' | 'stay'
  /** A column whose value only one object may have, its name in a sentence, and the column that names the other object. */
  readonly unique?: {
    readonly column: string & keyof RowOf<K>
    readonly called: string
    readonly namedBy: string & keyof RowOf<K>
  }
  /** Ends an object that can't be removed. */
  retire?(change: Change, row: RowOf<K>): Promise<void>
  /** Returns the reason why a creation can't be undone now, even with `force`. */
  whyCreated?(row: RowOf<K>): string | undefined
  /** Returns the reason why a change can't be undone now, even with `force`. @param patch the columns that would be written */
  whyChanged?(row: RowOf<K>, patch: AnyRow): string | undefined
  /** Returns the reason why the undo is impossible even with `force`: a broken reference to the object or from it. */
  whyNot?(db: Db, before: AnyRow | null, after: AnyRow | null): Promise<string | undefined>
  /** Adjusts the columns that an undo writes if they refer to objects that no longer exist. */
  repair?(db: Db, columns: AnyRow): Promise<AnyRow>
  /** Columns that follow from others, and that are no later work by themselves. */
  readonly derived?: readonly (string & keyof RowOf<K>)[]
  /** Returns what an undo of a change writes, with the derived columns. @param current the row as it is now */
  derive?(db: Db, patch: AnyRow, current: RowOf<K>): Promise<AnyRow>
  /** @throws Failure `refused` if the caller's limits exclude the object before or after the undo */
  checkCaller?(caller: Caller, before: RowOf<K> | null, after: RowOf<K> | null): void
  /** Replaces the usual undo for kinds whose rows are more than their columns. Returns the obstacle if nothing was undone. */
  undo?(undoing: Undoing, record: RowChange): Promise<Obstacle | undefined>
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
  setting: { touches: 'site', created: 'remove', removed: 'restore', checkCaller: checkSetting },
  entry: {
    touches: 'entries',
    created: 'remove',
    removed: 'restore',
    unique: { column: 'path', called: 'path', namedBy: 'title' },
    whyNot: async (db, before, after) => {
      if (after === null) return before ? whyCommented(db, String(before['id'])) : undefined
      return (await typeExists(db, String(after['type']))) ? undefined : `its type ${after['type']} is gone`
    },
    repair: async (db, columns) =>
      typeof columns['terms'] === 'string' ? { ...columns, terms: await withoutDeletedTerms(db, columns['terms']) } : columns,
    // Undoing a creation destroys nothing that existed before, so the limits treat it as a move to the trash.
    checkCaller: (caller, before, after) => checkEntryLimits(caller, before, after ?? (before && { ...before, status: 'trash' })),
  },
  entry_pending: {
    touches: 'entries',
    created: 'remove',
    removed: 'restore',
    undo: undoStaging,
  },
  former_path: { touches: 'entries', created: 'remove', removed: 'restore' },
  // An undone upload is retained for 30 days (`actions/media/unused-media.ts`), then removed from the records too.
  media: {
    touches: 'site',
    created: 'remove',
    removed: 'restore',
    unique: { column: 'path', called: 'path', namedBy: 'filename' },
    derived: ['file_key'],
    // The file may have been replaced since the focus was changed.
    derive: async (db, patch, { kind, file }) =>
      patch['focus'] === undefined || patch['file'] !== undefined
        ? patch
        : { ...patch, file_key: await readFileKey(db, { kind, file, focus: patch['focus'] as string | null }) },
  },
  media_path: { touches: 'site', created: 'remove', removed: 'restore' },
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
  // Only an approval changes a proposal and can be undone. The proposal is then pending again.
  proposal: { touches: 'site', created: 'remove', removed: 'stay' },
  entry_type: {
    touches: 'site',
    created: 'remove',
    removed: 'restore',
    whyNot: async (db, before, after) =>
      after === null && before && (await hasEntries(db, String(before['slug']))) ? 'there are entries of the type' : undefined,
  },
  taxonomy: { touches: 'site', created: 'remove', removed: 'restore' },
  term: {
    touches: 'site',
    created: 'remove',
    removed: 'restore',
    unique: { column: 'ref', called: 'name', namedBy: 'name' },
  },
  menu: { touches: 'site', created: 'remove', removed: 'restore', unique: { column: 'slug', called: 'slug', namedBy: 'name' } },
  form: {
    touches: 'site',
    created: 'remove',
    removed: 'restore',
    unique: { column: 'slug', called: 'slug', namedBy: 'name' },
    checkCaller: checkReceivers,
  },
  redirect: {
    touches: 'site',
    created: 'remove',
    removed: 'restore',
    unique: { column: 'source', called: 'path', namedBy: 'source' },
  },
  old_address: { touches: 'site', created: 'remove', removed: 'restore' },
  comment: { touches: 'site', created: 'remove', removed: 'restore' },
  site_file: {
    touches: 'unlimited',
    created: 'remove',
    removed: 'restore',
    whyNot: async (db, before, after) =>
      before === null && after !== null && (await hasAllRootFiles(db))
        ? `the site has ${maxRootFiles} root files, and it may have no more: remove one first`
        : undefined,
  },
  theme: { touches: 'site', created: 'remove', removed: 'restore' },
  theme_file: { touches: 'site', created: 'remove', removed: 'restore', checkCaller: checkThemeFile },
}

/** The comments of an entry would go with it, without a record. Those that are not spam keep it. */
async function whyCommented(db: Db, entryId: string): Promise<string | undefined> {
  const comment = await db
    .selectFrom('comment')
    .select('id')
    .where('entry_id', '=', entryId)
    .where('state', 'in', ['approved', 'pending'])
    .limit(1)
    .executeTakeFirst()
  return comment && 'it has comments, which would be lost: delete it instead'
}

/** Checks that an undo does not change the mails of a form for a caller who may not. */
function checkReceivers(caller: Caller, before: RowOf<'form'> | null, after: RowOf<'form'> | null): void {
  const isMailed = after !== null && (after.receivers !== (before?.receivers ?? '[]') || after.reply !== (before?.reply ?? null))
  if (isMailed) checkLimits(caller, 'unlimited', 'changing the mails of a form')
}

/** Checks that an undo does not change a setting for a caller who may not. */
function checkSetting(caller: Caller, before: RowOf<'setting'> | null, after: RowOf<'setting'> | null): void {
  const key = (after ?? before)?.key
  if (key !== undefined) checkLimits(caller, touchesOfSettings([key]), `changing \`${key}\``)
}

/** Checks that an undo does not restore a script for a caller who may not write one (attack 146). */
function checkThemeFile(caller: Caller, _before: RowOf<'theme_file'> | null, after: RowOf<'theme_file'> | null): void {
  if (after) checkScripts(caller, after.path, after.text)
}

async function typeExists(db: Db, slug: string): Promise<boolean> {
  if (builtInTypes.slugs.includes(slug)) return true
  return (await db.selectFrom('entry_type').select('slug').where('slug', '=', slug).executeTakeFirst()) !== undefined
}

const hasEntries = async (db: Db, type: string): Promise<boolean> =>
  (await db.selectFrom('entry').select('id').where('type', '=', type).limit(1).executeTakeFirst()) !== undefined

function revives(patch: AnyRow, { expires_at: expiresAt }: RowOf<'token'>): boolean {
  if ('revoked_at' in patch && patch['revoked_at'] === null) return true
  // A later expiry, or none, would extend a token whose life was shortened.
  return 'expires_at' in patch && isLater(patch['expires_at'] ?? null, expiresAt)
}

const isLater = (a: AnyRow[string], b: number | null): boolean => b !== null && (a === null || Number(a) > b)

/** True if the plugin would be active with rights that differ from its manifest's. Only `activate` confirms rights. */
function isUnconfirmed({ state, may, manifest }: AnyRow): boolean {
  const sorted = (rights: readonly string[]) => [...rights].sort().join('\n')
  const wanted = (JSON.parse(String(manifest)) as { may: string[] }).may
  return state === 'active' && sorted(JSON.parse(String(may)) as string[]) !== sorted(wanted)
}
