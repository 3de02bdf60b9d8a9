// The password that visitors type to read an entry. It comes as an argument of its own, is hashed before the transaction, and only
// its hash is stored.

import { Type } from 'typebox'
import { orNull } from '../../content/types/entry-field.ts'
import { findEntry } from '../../content/entries/entry.ts'
import type { EntryPatch } from '../../content/entries/write-entry.ts'
import { Failure, invalid } from '../../base/failure.ts'
import { hashPagePassword, verifyPassword } from '../../identity/password.ts'
import type { EntryRow } from '../../store/core/schema.ts'
import type { Context } from '../call/action.ts'
import { named } from './named.ts'

/** The shortest and longest password, in characters. */
export const minPasswordChars = 4
export const maxPasswordChars = 200

/** The argument for a new entry. */
export const newPasswordProperty = Type.String({
  minLength: minPasswordChars,
  maxLength: maxPasswordChars,
  description: 'Visitors type it.',
})

export const passwordProperty = orNull(newPasswordProperty, 'Visitors type it.')

/** The actions that take a password don't store it in records or proposals. */
export const passwordSecrets = ['password'] as const

/** The column of a password; nothing if none was given. */
export type PasswordColumn = Pick<EntryPatch, 'password_hash'>

/**
 * Hashes a password, before the transaction. The present hash stays if the password is the same, so that visitors need not type it
 * again.
 * @param ref the entry, if there is one
 */
export async function hashedPassword(
  context: Context,
  password: string | null | undefined,
  ref?: string,
): Promise<PasswordColumn> {
  if (password === undefined) return {}
  if (password === null) return { password_hash: null }
  if (password.trim() === '') throw invalid('password', 'A password needs more than spaces.', 'letters or digits')
  const stored = ref === undefined ? undefined : (await findEntry(context.db, named(context, ref)))?.password_hash
  const isSame = typeof stored === 'string' && (await verifyPassword(password, stored))
  return { password_hash: isSame ? stored : await hashPagePassword(password) }
}

/**
 * Checks that an entry may have a password. The home page and the page of all posts are in every visitor's way.
 * @throws Failure `refused`
 */
export function checkMayLock(
  { site }: Context,
  row: Pick<EntryRow, 'id' | 'path'>,
  { password_hash: hash }: PasswordColumn,
): void {
  const { home, posts_page: posts } = site.settings.values
  if (typeof hash !== 'string' || (row.id !== home && row.path !== home && row.id !== posts)) return
  throw new Failure('refused', 'The home page and the page of all posts can’t have a password.', {
    field: 'password',
    rule: 'the home page is open',
    hint: 'Put what is private on a page of its own.',
  })
}
