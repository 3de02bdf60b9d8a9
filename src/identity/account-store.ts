// Accounts in the database: finding and making them. Passwords are password.ts's, sign-in and roles are their doors' and actions'.

import { Failure, notFound } from '../failure.ts'
import type { Change } from '../store/change.ts'
import type { Db } from '../store/database.ts'
import { newId } from '../store/ids.ts'
import type { AccountRow } from '../store/schema.ts'
import type { Caller, Door, Scope } from './caller.ts'

/** An e-mail address as it is stored and compared. */
export function normalEmail(text: string): string {
  return text.trim().toLowerCase()
}

/** One `@` with something on both sides, no spaces or controls, at most 254 characters: whether it reaches anyone only a mail can tell. */
export function isEmail(text: string): boolean {
  return text.length <= 254 && /^[^\s@\p{C}]{1,64}@[^\s@\p{C}]+$/u.test(text)
}

/** By id or e-mail; an exact id wins. */
export async function findAccount(db: Db, idOrEmail: string): Promise<AccountRow | undefined> {
  const byId = await db.selectFrom('account').selectAll().where('id', '=', idOrEmail).executeTakeFirst()
  return byId ?? db.selectFrom('account').selectAll().where('email', '=', normalEmail(idOrEmail)).executeTakeFirst()
}

/** @throws Failure `not_found` */
export async function getAccount(db: Db, idOrEmail: string): Promise<AccountRow> {
  const account = await findAccount(db, idOrEmail)
  if (!account) throw notFound('account', idOrEmail)
  return account
}

/** The site's owner, as far as there is one: the oldest admin who may sign in. */
export async function findOldestAdmin(db: Db): Promise<AccountRow | undefined> {
  return db
    .selectFrom('account')
    .selectAll()
    .where('role', '=', 'admin')
    .where('disabled', '=', 0)
    .orderBy('created_at')
    .orderBy('id')
    .executeTakeFirst()
}

/** @throws Failure `invalid` for what is no e-mail or name, `exists` for an e-mail that has an account */
export async function createAccount(
  change: Change,
  { email, name, role, passwordHash }: { email: string; name: string; role: Scope; passwordHash: string | null },
): Promise<AccountRow> {
  const address = normalEmail(email)
  if (!isEmail(address))
    throw new Failure('invalid', `${JSON.stringify(email.slice(0, 80))} is no e-mail address.`, {
      field: 'email',
      expected: 'an address such as you@example.org',
    })
  const shownName = name.trim()
  if (shownName === '' || shownName.length > 200 || /\p{Cc}/u.test(shownName) || !shownName.isWellFormed()) {
    throw new Failure('invalid', 'A name must be 1 to 200 characters on one line.', {
      field: 'name',
      expected: 'a text of 1 to 200 characters',
    })
  }
  const taken = await findAccount(change.db, address)
  if (taken) throw new Failure('exists', `There is an account for ${address} already.`, { field: 'email', by: { id: taken.id } })
  return change.insert('account', {
    id: newId(change.now),
    email: address,
    name: shownName,
    role,
    password_hash: passwordHash,
    disabled: 0,
    epoch: 0,
  })
}

/** An account as the caller of a door that has no token. */
export function callerOfAccount({ id, email, name, role }: AccountRow, door: Door, address = ''): Caller {
  return { tier: role as Scope, account: { id, email, name, role: role as Scope }, token: null, door, address }
}
