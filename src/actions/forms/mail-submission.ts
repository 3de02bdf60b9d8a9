// The mails that follow a form: to its receivers, with the sender in `Reply-To` alone, and the fixed answer to the sender.

import { fieldsOf, receiversOf } from '../../forms/form-store.ts'
import type { FormValues } from '../../forms/form-fields.ts'
import { bucketName, countAttempt } from '../../identity/attempts.ts'
import { queueMail } from '../../mail/mail-queue.ts'
import { ownerLetter } from '../../mail/owner-letters.ts'
import type { Db } from '../../store/core/database.ts'
import type { VisitorFormRow } from '../../store/core/schema.ts'
import type { Services } from '../call/services.ts'
import { findMailOrigin, mailLook } from '../mail/site-mail.ts'

const dayMs = 86_400_000
/** A mail has the beginning of long texts. The admin has all. */
const maxShownChars = 4000

interface StoredSubmission {
  readonly form: VisitorFormRow
  readonly values: FormValues
  /** The address of the sender. */
  readonly email: string | undefined
}

export async function mailSubmission(site: Services, db: Db, sent: StoredSubmission, now: number): Promise<void> {
  const { form, values, email } = sent
  const origin = await findMailOrigin(site, db)
  if (origin === undefined) return
  const look = await mailLook(site)
  const common = { site: look.title, host: new URL(origin).host, form: form.name }
  const list = fieldsOf(form)
    .flatMap(({ name, label }) => (values[name] === undefined ? [] : [`${label}:\n${values[name].slice(0, maxShownChars)}`]))
    .join('\n\n')
  const letter = ownerLetter('form', look.language, { ...common, list }, `${origin}/admin/forms/form?id=${form.id}`)
  for (const to of await addressesOf(db, form))
    await queueMail(db, site.key, look, { kind: 'form', to, replyTo: email ?? null, letter }, now)
  if (form.reply === null || email === undefined) return
  const once = [{ name: bucketName('form reply', form.id, email), limit: 1 }]
  if ((await countAttempt(db, once, now, dayMs)) !== undefined) return
  const answer = {
    subject: `${look.title}: ${form.name}`,
    lines: form.reply.split(/\n{2,}/),
    footer: `${look.title} (${common.host})`,
  }
  await queueMail(db, site.key, look, { kind: 'form_reply', to: email, letter: answer }, now)
}

/** The addresses of a form's receivers: of accounts that may sign in, and those that agreed. */
async function addressesOf(db: Db, form: VisitorFormRow): Promise<readonly string[]> {
  const receivers = receiversOf(form)
  if (receivers.length === 0) return []
  const accounts = await db.selectFrom('account').select('email').where('id', 'in', receivers).where('disabled', '=', 0).execute()
  const others = await db.selectFrom('mail_receiver').select('address').where('address', 'in', receivers).execute()
  return [...new Set([...accounts.map(({ email }) => email), ...others.map(({ address }) => address)])]
}
