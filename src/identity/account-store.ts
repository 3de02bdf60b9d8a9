// Finds and creates accounts in the database. `password.ts` hashes passwords. The doors sign people in, and actions change roles.

import { Failure, notFound, invalid } from '../base/failure.ts'
import type { Change } from '../store/change/change.ts'
import type { Db } from '../store/core/database.ts'
import { newId } from '../store/core/ids.ts'
import type { AccountRow } from '../store/core/schema.ts'
import { type Caller, type Door, type AccountRole, scopeOfRole } from './caller.ts'

/** Normalizes an e-mail address for storing and comparing. */
export function normalEmail(text: string): string {
  return text.trim().toLowerCase()
}

/**
 * True if a text looks like an e-mail address: one `@` with text on both sides, no spaces or control characters, at most 254
 * characters. Only sending a mail can prove that the address exists.
 */
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

export async function namesOfAccounts(db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('account')
    .select(['id', 'name'])
    .where('id', 'in', [...new Set(ids)])
    .execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** The oldest admin who may sign in. This account counts as the site's owner. */
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

/** Checks an e-mail address and normalizes it for storing. @throws Failure `invalid` if the text is not an address */
export function readEmail(email: string): string {
  const address = normalEmail(email)
  if (isEmail(address)) return address
  throw invalid('email', `${JSON.stringify(email.slice(0, 80))} is no e-mail address.`, 'an address such as you@example.org')
}

/** Checks a name and trims it for storing. @throws Failure `invalid` */
export function readName(name: string): string {
  const shown = name.trim()
  if (shown !== '' && shown.length <= 200 && !/\p{Cc}/u.test(shown) && shown.isWellFormed()) return shown
  throw invalid('name', 'A name must be 1 to 200 characters on one line.', 'a text of 1 to 200 characters')
}

/** Checks the address and the name of a new account, before the password is hashed. @throws Failure `invalid` */
export function checkNewAccount({ email, name }: { readonly email: string; readonly name: string }): void {
  readEmail(email)
  readName(name)
}

/** Checks that an address is free. @throws Failure `exists` if another account has it */
export async function checkEmailFree(db: Db, address: string, ownId?: string): Promise<void> {
  const taken = await db.selectFrom('account').select('id').where('email', '=', address).executeTakeFirst()
  if (!taken || taken.id === ownId) return
  throw new Failure('exists', `There is an account for ${address} already.`, { field: 'email', by: { id: taken.id } })
}

/** Checks that an admin is left. @throws Failure `refused` if no admin is left who can sign in */
export async function checkAdminLeft(db: Db): Promise<void> {
  if (await findOldestAdmin(db)) return
  throw new Failure('refused', 'This is the last admin who may sign in.', {
    rule: 'a site keeps at least one admin',
    hint: 'Make another account an admin first.',
  })
}

export interface NewAccount {
  /** The id of the account; by default a new one. */
  readonly id?: string
  readonly email: string
  readonly name: string
  readonly role: AccountRole
  /** Null until the password is set through a one-time link. Until then, nobody can sign in with the account. */
  readonly passwordHash: string | null
}

export const noSecondFactor = { second_factor: 0, second_factor_at: null, second_factor_ended_by: null } as const

/**
 * Creates an account. @throws Failure `invalid` for an invalid e-mail address or name; `exists` if another account has the
 * address
 */
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
    public: 0,
    slug: null,
    bio: null,
    picture: null,
    enter_breaks: 1,
    proposal_mails: 'hourly',
    ...noSecondFactor,
  })
}

/** The caller for an account that is used without a token. */
export function callerOfAccount(
  { id, email, name, role }: Pick<AccountRow, 'id' | 'email' | 'name' | 'role'>,
  door: Door,
  address = '',
): Caller {
  return {
    tier: scopeOfRole(role as AccountRole),
    account: { id, email, name, role: role as AccountRole },
    token: null,
    door,
    address,
  }
}
