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
function isEmail(text: string): boolean {
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

/**
 * An e-mail address and a name as they are kept.
 * @throws Failure `invalid` for what is none
 */
export function readEmail(email: string): string {
  const address = normalEmail(email)
  if (isEmail(address)) return address
  throw new Failure('invalid', `${JSON.stringify(email.slice(0, 80))} is no e-mail address.`, {
    field: 'email',
    expected: 'an address such as you@example.org',
  })
}

/** @throws Failure `invalid` */
export function readName(name: string): string {
  const shown = name.trim()
  if (shown !== '' && shown.length <= 200 && !/\p{Cc}/u.test(shown) && shown.isWellFormed()) return shown
  throw new Failure('invalid', 'A name must be 1 to 200 characters on one line.', {
    field: 'name',
    expected: 'a text of 1 to 200 characters',
  })
}

/** Holds what an account is to be called, before anything costly is done. @throws Failure `invalid` */
export function checkNewAccount({ email, name }: { readonly email: string; readonly name: string }): void {
  readEmail(email)
  readName(name)
}

/** @throws Failure `exists` where another account has this address */
export async function checkEmailFree(db: Db, address: string, ownId?: string): Promise<void> {
  const taken = await db.selectFrom('account').select('id').where('email', '=', address).executeTakeFirst()
  if (!taken || taken.id === ownId) return
  throw new Failure('exists', `There is an account for ${address} already.`, { field: 'email', by: { id: taken.id } })
}

/** @throws Failure `refused` where nobody could run the site any more */
export async function checkAdminLeft(db: Db): Promise<void> {
  if (await findOldestAdmin(db)) return
  throw new Failure('refused', 'This is the last admin who may sign in.', {
    rule: 'a site keeps one admin at least',
    hint: 'Make another account an admin first.',
  })
}

/** What an account is made of. */
export interface NewAccount {
  /** A new one, unless given. */
  readonly id?: string
  readonly email: string
  readonly name: string
  readonly role: Scope
  /** Null: nobody can sign in until a one-time link was followed. */
  readonly passwordHash: string | null
}

/** @throws Failure `invalid` for what is no e-mail or name, `exists` for an e-mail that has an account */
export async function createAccount(change: Change, { id, email, name, role, passwordHash }: NewAccount): Promise<AccountRow> {
  const address = readEmail(email)
  const shownName = readName(name)
  await checkEmailFree(change.db, address)
  return change.insert('account', {
    id: id ?? newId(change.now),
    email: address,
    name: shownName,
    role,
    password_hash: passwordHash,
    disabled: 0,
    epoch: 0,
  })
}

/** An account as the caller of a door that has no token. */
export function callerOfAccount(
  { id, email, name, role }: Pick<AccountRow, 'id' | 'email' | 'name' | 'role'>,
  door: Door,
  address = '',
): Caller {
  return { tier: role as Scope, account: { id, email, name, role: role as Scope }, token: null, door, address }
}
