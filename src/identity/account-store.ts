// Accounts in the database: finding and creating them. For passwords see `password.ts`; doors sign people in, actions change roles.

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

/** One `@` with text on both sides, no spaces or control characters, at most 254 characters. Only a mail can prove that it exists. */
function isEmail(text: string): boolean {
  return text.length <= 254 && /^[^\s@\p{C}]{1,64}@[^\s@\p{C}]+$/u.test(text)
}

/** Finds an account by id or e-mail address; an exact id wins. */
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

/** The oldest admin who may sign in; this account counts as the site's owner. */
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
 * Normalizes an e-mail address as it is stored.
 * @throws Failure `invalid` for a text that is no address
 */
export function readEmail(email: string): string {
  const address = normalEmail(email)
  if (isEmail(address)) return address
  throw new Failure('invalid', `${JSON.stringify(email.slice(0, 80))} is no e-mail address.`, {
    field: 'email',
    expected: 'an address such as you@example.org',
  })
}

/** Trims a name as it is stored. @throws Failure `invalid` */
export function readName(name: string): string {
  const shown = name.trim()
  if (shown !== '' && shown.length <= 200 && !/\p{Cc}/u.test(shown) && shown.isWellFormed()) return shown
  throw new Failure('invalid', 'A name must be 1 to 200 characters on one line.', {
    field: 'name',
    expected: 'a text of 1 to 200 characters',
  })
}

/** Checks the address and the name of a new account, before anything costly is done. @throws Failure `invalid` */
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

/** @throws Failure `refused` where no admin could sign in any more */
export async function checkAdminLeft(db: Db): Promise<void> {
  if (await findOldestAdmin(db)) return
  throw new Failure('refused', 'This is the last admin who may sign in.', {
    rule: 'a site keeps one admin at least',
    hint: 'Make another account an admin first.',
  })
}

/** The values of a new account. */
export interface NewAccount {
  /** By default a new id. */
  readonly id?: string
  readonly email: string
  readonly name: string
  readonly role: Scope
  /** Null until the password is set through a one-time link; nobody can sign in before. */
  readonly passwordHash: string | null
}

/** @throws Failure `invalid` for an invalid e-mail address or name, `exists` for an address that has an account */
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

/** An account as a caller without a token. */
export function callerOfAccount(
  { id, email, name, role }: Pick<AccountRow, 'id' | 'email' | 'name' | 'role'>,
  door: Door,
  address = '',
): Caller {
  return { tier: role as Scope, account: { id, email, name, role: role as Scope }, token: null, door, address }
}
