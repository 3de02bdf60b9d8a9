// The mail that asks a visitor whether a comment is theirs, and what follows from the answer. A name or an address that was typed
// proves nothing, so each comment is confirmed by its own link. A writer who was approved before, and had confirmed that comment
// too, needs no moderator for the next one.

import { networkOf } from '../../http/addresses.ts'
import { bucketName, countAttempt, keyedAddress } from '../../identity/attempts.ts'
import { system } from '../../identity/caller.ts'
import { seal, unseal } from '../../identity/sealed.ts'
import { findComment } from '../../content/comments/comment-store.ts'
import { urlOf } from '../../content/entries/entry.ts'
import { languageOf, languagesOf } from '../../content/languages/languages.ts'
import { queueMail } from '../../mail/mail-queue.ts'
import { createChange } from '../../store/change/change.ts'
import type { Db } from '../../store/core/database.ts'
import { newId } from '../../store/core/ids.ts'
import type { CommentRow, EntryRow } from '../../store/core/schema.ts'
import { authorOf, commit } from '../call/commit.ts'
import type { Services } from '../call/services.ts'
import { findMailOrigin } from '../mail/site-mail.ts'
import { visitorMail } from '../mail/visitor-mail.ts'

/** The path of the page that a link opens, below the base path. */
export const confirmPath = '/confirm-comment'

const purpose = 'comment confirmation'
const weekMs = 7 * 86_400_000
const hourMs = 3_600_000
/** The mails to one address, and those that a network of visitors causes, in an hour. */
const perAddress = 1
const perNetwork = 30

interface SealedLink {
  readonly id: string
  readonly until: number
}

/** The comment of a link; undefined if the link is over or made up, or the comment is gone. */
export async function findLinked(site: Pick<Services, 'key' | 'store' | 'clock'>, link: string): Promise<CommentRow | undefined> {
  // Only this site can have sealed it.
  const opened = unseal(site.key, purpose, link) as SealedLink | undefined
  return opened && opened.until > site.clock.now() ? findComment(site.store.read, opened.id) : undefined
}

/**
 * Asks the writer of a comment by mail, in its transaction. After the commit, ring `site.mail`. Nothing that was typed is in the
 * mail, so that nobody can send texts to others with it.
 * @param client the address of the visitor
 */
export async function askWriter(site: Services, db: Db, comment: CommentRow, entry: EntryRow, client: string): Promise<void> {
  const { values } = site.settings
  const now = site.clock.now()
  const origin = values.comments_trusted && comment.email !== null ? await findMailOrigin(site, db) : undefined
  if (origin === undefined || comment.email === null) return
  const bucket = (name: string, text: string, limit: number) => ({
    name: bucketName(name, keyedAddress(site.key, 'confirmations of comments', text)),
    limit,
  })
  const buckets = [
    bucket('comment confirmations from', networkOf(client), perNetwork),
    bucket('comment confirmations to', comment.email.toLowerCase(), perAddress),
  ]
  if ((await countAttempt(db, buckets, now, hourMs)) !== undefined) return
  const language = languageOf(languagesOf(values), entry.locale) || 'en'
  const about = { title: entry.title, url: urlOf(origin, entry.path ?? '/') }
  const { look, word } = await visitorMail(site, language, origin, about)
  const link = seal(site.key, purpose, { id: comment.id, until: now + weekMs } satisfies SealedLink)
  const letter = {
    subject: word('comment_mail_subject'),
    lines: [word('comment_mail_text'), word('comment_mail_next')],
    button: { label: word('comment_confirm'), url: `${origin}${confirmPath}?link=${link}` },
    footer: word('comment_mail_footer'),
  }
  const mail = { kind: 'comment_confirmation', to: comment.email, letter, until: now + weekMs }
  await queueMail(db, site.key, look, mail, now)
}

/** The outcome of a confirmation. */
export type Confirmed = 'shown' | 'waits' | 'gone'

/** Notes that a comment is confirmed, and shows it if its writer is trusted. */
export async function confirmComment(site: Services, id: string): Promise<Confirmed> {
  const now = site.clock.now()
  const call = 'SVC_Comments.moderate'
  return commit(site, call, async ({ db, record }) => {
    await db.updateTable('comment').set({ confirmed_at: now }).where('id', '=', id).where('confirmed_at', 'is', null).execute()
    const row = await findComment(db, id)
    if (!row || row.state === 'spam' || row.state === 'trash') return 'gone'
    if (row.state === 'approved') return 'shown'
    if (!site.settings.values.comments_trusted || !(await isTrusted(db, row))) return 'waits'
    const change = createChange(db, { now, author: authorOf(system, call) })
    await change.update('comment', row, { state: 'approved' })
    const runs = [{ name: call, tier: 'content', effect: 'write' }] as const
    const input = { ids: [id], status: 'approved' }
    const summary = 'Showed the comment of a trusted writer.'
    record({ id: newId(now), call, runs, summary, caller: system, input, records: change.records, now })
    return 'shown'
  })
}

/** True if another comment of this address was confirmed and approved. */
async function isTrusted(db: Db, { id, email }: CommentRow): Promise<boolean> {
  const earlier = await db
    .selectFrom('comment')
    .select('id')
    .where('email', '=', email)
    .where('state', '=', 'approved')
    .where('confirmed_at', 'is not', null)
    .where('id', '!=', id)
    .limit(1)
    .executeTakeFirst()
  return earlier !== undefined
}
