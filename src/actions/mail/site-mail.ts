// The mails that the site writes by itself to people who have an account. Without a relay that works, and without an address of the
// site, none is written: no link in a mail ever has the host of a request.

import { baseUrlText } from '../../base/config.ts'
import type { MailLook } from '../../mail/letter.ts'
import { readAddress } from '../../mail/mail-address.ts'
import { queueMail } from '../../mail/mail-queue.ts'
import { ownerLanguage, ownerLetter, type OwnerMailKind } from '../../mail/owner-letters.ts'
import { findWorkingRelay } from '../../mail/relay.ts'
import type { Db } from '../../store/core/database.ts'
import type { AccountRow, MailRelayRow } from '../../store/core/schema.ts'
import { findPalette } from '../../themes/palettes.ts'
import { readableColour } from '../../themes/readable-colour.ts'
import type { Services } from '../call/services.ts'

/** The page of an account in the admin, below the base path. */
export const adminAccountPath = '/admin/account'

export type MailSite = Pick<Services, 'config' | 'settings' | 'themes' | 'key'>

/** The address of the site for links in mails, without a slash at the end: from the program's settings, else from the relay's. */
export function mailOrigin({ config }: Pick<Services, 'config'>, relay: Pick<MailRelayRow, 'site_url'>): string | undefined {
  const base = config.POSTERN_BASE_URL
  return base ? baseUrlText(base) : (relay.site_url ?? undefined)
}

/** The address of the site for links in mails; undefined if mails with links can't be sent. */
export async function findMailOrigin(site: Pick<Services, 'config'>, db: Db): Promise<string | undefined> {
  const relay = await findWorkingRelay(db)
  return relay && mailOrigin(site, relay)
}

/** The look of the site's mails: its name, its language, and the colour of its links. */
export async function mailLook({ settings, themes }: Pick<MailSite, 'settings' | 'themes'>): Promise<MailLook> {
  const { site_title: title, language } = settings.values
  const { palette, accent } = (await themes.active()).settings
  const colours = findPalette(String(palette))
  const own = /^#[0-9a-f]{6}$/i.test(String(accent)) ? readableColour(String(accent), 'light') : ''
  return { title, language, accent: colours ? colours.light.link : own }
}

/** A mail to the owner of an account. */
export interface AccountMail {
  readonly kind: OwnerMailKind
  readonly account: Pick<AccountRow, 'id' | 'email'>
  /** The receiver, if it is not the address of the account. */
  readonly to?: string
  readonly values?: Readonly<Record<string, string | number>>
  /** The path of the button below the site, such as `/admin/account`. */
  readonly path?: string
  readonly until?: number
}

/**
 * Queues a mail to the owner of an account, if the site sends mails.
 * @returns true if it is queued; ring `site.mail` after the commit
 */
export async function mailAccount(site: MailSite, db: Db, mail: AccountMail, now: number): Promise<boolean> {
  const origin = await findMailOrigin(site, db)
  if (origin === undefined) return false
  const { kind, account, values = {}, path, until } = mail
  const to = readAddress(mail.to ?? account.email)
  if (to === undefined) return false
  const look = await mailLook(site)
  const common = { site: look.title, host: new URL(origin).host, email: account.email, time: timeIn(site, now) }
  const letter = ownerLetter(kind, look.language, { ...common, ...values }, path && `${origin}${path}`)
  const about = { kind, to, accountId: account.id, letter, ...(until !== undefined && { until }) }
  await queueMail(db, site.key, look, about, now)
  return true
}

/** Queues a mail to the owner of an account in a transaction of its own, and has it sent. Without a relay, it writes nothing. */
export async function mailAccountNow(
  site: MailSite & Pick<Services, 'store' | 'mail'>,
  mail: AccountMail,
  now: number,
): Promise<void> {
  if ((await findMailOrigin(site, site.store.read)) === undefined) return
  if (await site.store.transaction((db) => mailAccount(site, db, mail, now))) site.mail.ring()
}

/** A time in the language and zone of the site. */
export function timeIn({ settings }: Pick<MailSite, 'settings'>, at: number): string {
  const { language, time_zone: timeZone } = settings.values
  return new Intl.DateTimeFormat(ownerLanguage(language), { dateStyle: 'long', timeStyle: 'long', timeZone }).format(at)
}
