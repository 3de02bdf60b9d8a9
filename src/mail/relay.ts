// The relay that sends the mails of the site, as one row. The password is sealed with the site's key.

import { readFile } from 'node:fs/promises'
import { Failure } from '../base/failure.ts'
import { seal, unseal } from '../identity/sealed.ts'
import type { SiteKey } from '../identity/site-key.ts'
import type { Db } from '../store/core/database.ts'
import type { MailRelayRow } from '../store/core/schema.ts'

const relayName = 'own'
const purpose = 'mail relay'

/** The ways in which the connection is encrypted: from its first byte, after `STARTTLS`, or not. */
export const securities = ['tls', 'starttls', 'none'] as const
export type Security = (typeof securities)[number]

/** The relay of the site; undefined if none is set. */
export async function findRelay(db: Db): Promise<MailRelayRow | undefined> {
  return db.selectFrom('mail_relay').selectAll().where('name', '=', relayName).executeTakeFirst()
}

/** The relay through which mails are sent now; undefined if there is none, or if it was not verified. */
export async function findWorkingRelay(db: Db): Promise<MailRelayRow | undefined> {
  const relay = await findRelay(db)
  return relay?.verified_at === null ? undefined : relay
}

/** @throws Failure `refused` if the site has no relay */
export async function getRelay(db: Db): Promise<MailRelayRow> {
  const relay = await findRelay(db)
  if (relay) return relay
  throw new Failure('refused', 'No relay is set, so the site sends no mail.', {
    rule: 'mails are sent through the relay that an admin has set',
    hint: 'SVC_Mail.set-relay',
  })
}

/** Sets the relay. @param secret the password; null for none */
export async function keepRelay(
  db: Db,
  key: SiteKey,
  wanted: Omit<MailRelayRow, 'name' | 'secret'> & { readonly secret: string | null },
): Promise<void> {
  const row = { ...wanted, secret: wanted.secret === null ? null : seal(key, purpose, wanted.secret) }
  await db
    .insertInto('mail_relay')
    .values({ name: relayName, ...row })
    .onConflict((on) => on.column('name').doUpdateSet(row))
    .execute()
}

export async function dropRelay(db: Db): Promise<void> {
  await db.deleteFrom('mail_relay').execute()
}

/**
 * Notes that a relay works, or the reason why it doesn't: then nothing is sent until it is verified again. A relay that was set in
 * the meantime stays as it is.
 */
export async function noteVerified(
  db: Db,
  { name, updated_at: updatedAt }: MailRelayRow,
  verifiedAt: number | null,
  error: string | null,
): Promise<void> {
  await db
    .updateTable('mail_relay')
    .set({ verified_at: verifiedAt, error })
    .where('name', '=', name)
    .where('updated_at', '=', updatedAt)
    .execute()
}

/**
 * The password of a relay: the stored one, or else that of the file.
 * @param file `POSTERN_MAIL_PASSWORD_FILE`
 * @throws Failure `refused` if the stored one was sealed with another key, or if the file can't be read
 */
export async function passwordOf(
  key: SiteKey,
  { user_name: user, secret }: Pick<MailRelayRow, 'user_name' | 'secret'>,
  file: string | undefined,
): Promise<string> {
  if (user === null) return ''
  if (secret !== null) return openSecret(key, secret)
  if (file === undefined) throw noPassword('No password is stored for the relay, and no file has one.')
  try {
    return (await readFile(file, 'utf8')).split(/\r?\n/, 1)[0] ?? ''
  } catch (error) {
    throw noPassword(`The file of POSTERN_MAIL_PASSWORD_FILE can't be read.`, error)
  }
}

function openSecret(key: SiteKey, sealed: string): string {
  const secret = unseal(key, purpose, sealed)
  if (typeof secret === 'string') return secret
  throw noPassword('The password of the relay was sealed with another key of the site.')
}

const noPassword = (message: string, cause?: unknown): Failure =>
  new Failure(
    'refused',
    message,
    { rule: 'a relay with a user needs a password', hint: 'Set the relay again with its password: SVC_Mail.set-relay' },
    { cause },
  )
