// Receivers that have no account are asked first: a link opens a page whose form agrees. Until then, they get no mail.

import { receiversOf } from '../../forms/form-store.ts'
import { seal, unseal } from '../../identity/sealed.ts'
import type { SiteKey } from '../../identity/site-key.ts'
import { bucketName, countAttempt } from '../../identity/attempts.ts'
import { queueMail } from '../../mail/mail-queue.ts'
import { ownerLetter } from '../../mail/owner-letters.ts'
import type { Db } from '../../store/core/database.ts'
import type { VisitorFormRow } from '../../store/core/schema.ts'
import type { WriteContext } from '../call/action.ts'
import { findMailOrigin, mailLook } from '../mail/site-mail.ts'

const purpose = 'mail receiver'
const weekMs = 7 * 86_400_000
const dayMs = 86_400_000

/** The page of the admin for a link, below the base path. */
export const receiverPath = '/admin/receive-mails'

interface Invitation {
  readonly address: string
  readonly expiresAt: number
}

/** The address of a link; undefined for one that is over or made up. */
export function addressOfInvitation(key: SiteKey, code: string, now: number): string | undefined {
  // Only this site can have sealed it.
  const invitation = unseal(key, purpose, code) as Invitation | undefined
  return invitation && invitation.expiresAt > now ? invitation.address : undefined
}

/** Notes that an address takes mails. */
export async function agree(db: Db, address: string, now: number): Promise<void> {
  await db
    .insertInto('mail_receiver')
    .values({ address, confirmed_at: now })
    .onConflict((on) => on.doNothing())
    .execute()
}

/** Sends a link to each receiver of a form that has no account and has not agreed yet, at most once a day. */
export async function inviteReceivers({ site, db, now, afterCommit }: WriteContext, form: VisitorFormRow): Promise<void> {
  const addresses = receiversOf(form).filter((one) => one.includes('@'))
  const origin = addresses.length === 0 ? undefined : await findMailOrigin(site, db)
  if (origin === undefined) return
  const known = await db.selectFrom('mail_receiver').select('address').where('address', 'in', addresses).execute()
  const look = await mailLook(site)
  for (const address of addresses) {
    if (known.some((one) => one.address === address)) continue
    if ((await countAttempt(db, [{ name: bucketName('receiver', address), limit: 1 }], now, dayMs)) !== undefined) continue
    const code = seal(site.key, purpose, { address, expiresAt: now + weekMs } satisfies Invitation)
    const values = { site: look.title, host: new URL(origin).host, form: form.name }
    const letter = ownerLetter('receiver', look.language, values, `${origin}${receiverPath}?code=${code}`)
    await queueMail(db, site.key, look, { kind: 'receiver', to: address, letter, until: now + weekMs }, now)
    afterCommit(() => site.mail.ring())
  }
}
