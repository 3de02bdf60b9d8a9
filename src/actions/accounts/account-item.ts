// An account in the answers of SVC_Accounts, and its list. A filter on the password hash would reveal it bit by bit (attack 90).

import { type Static, Type } from 'typebox'
import { type AccountRole, roles } from '../../identity/caller.ts'
import { lastSeen } from '../../identity/session.ts'
import { formatDate } from '../../settings/time-zone.ts'
import type { AccountRow } from '../../store/core/schema.ts'
import type { Context } from '../call/action.ts'
import type { ListSpec } from '../lists/list.ts'
import { stampProperties, stampsOf } from '../call/stamps.ts'
import { nullable } from '../call/write-answer.ts'

export const accountItem = Type.Object({
  id: Type.String(),
  email: Type.String(),
  name: Type.String(),
  role: Type.Enum([...roles], { description: 'What the account, its tokens and its apps may do at most.' }),
  disabled: Type.Boolean(),
  last_seen: nullable(Type.String(), 'The last use of the admin, to the minute; null where the account never signed in.'),
  second_factor: Type.Boolean({ description: 'Whether signing in takes more than a password.' }),
  public: Type.Boolean({ description: 'Whether the site shows the profile: name, slug, bio and picture.' }),
  slug: nullable(Type.String(), "Last part of the address of the person's page."),
  bio: nullable(Type.String()),
  picture: nullable(Type.String()),
  ...stampProperties,
})

export type AccountItem = Static<typeof accountItem>

export const accountList: ListSpec<'account'> = {
  table: 'account',
  key: 'id',
  fields: {
    id: { column: 'id', kind: 'text', indexed: true },
    email: { column: 'email', kind: 'text', sort: true, indexed: true },
    name: { column: 'name', kind: 'text', sort: true },
    role: { column: 'role', kind: 'choice', choices: roles },
    disabled: { column: 'disabled', kind: 'boolean' },
    public: { column: 'public', kind: 'boolean' },
    slug: { column: 'slug', kind: 'text', indexed: true, nullable: true },
    second_factor: { column: 'second_factor', kind: 'boolean' },
    created_at: { column: 'created_at', kind: 'time', sort: true },
    updated_at: { column: 'updated_at', kind: 'time', sort: true },
  },
  sort: 'created_at',
  search: ['email', 'name'],
}

/** Reads the data for the items of these rows at once. @returns a function that makes the item of a row */
export async function accountItems(
  { db }: Pick<Context, 'db'>,
  rows: readonly AccountRow[],
): Promise<(row: AccountRow) => AccountItem> {
  const seen = await lastSeen(
    db,
    rows.map(({ id }) => id),
  )
  return (row) => {
    const at = seen.get(row.id)
    return {
      id: row.id,
      email: row.email,
      name: row.name,
      role: row.role as AccountRole,
      disabled: row.disabled === 1,
      last_seen: at === undefined ? null : formatDate(at),
      second_factor: row.second_factor === 1,
      public: row.public === 1,
      slug: row.slug,
      bio: row.bio,
      picture: row.picture,
      ...stampsOf(row),
    }
  }
}
