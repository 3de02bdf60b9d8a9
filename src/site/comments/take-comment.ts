// A comment that a visitor sends by the form on a page. It waits for approval, always. One that looks like spam gets the same
// thanks and is stored apart (attack 171). The count of comments from an address has only a keyed hash of it.

import {
  looksLikeSpam,
  maxCommentChars,
  maxNameChars,
  takesComments,
  tidyLine,
  tidyText,
} from '../../content/comments/comment-rules.ts'
import { addVisitorComment, findComment, threadOf } from '../../content/comments/comment-store.ts'
import { urlOf } from '../../content/entries/entry.ts'
import { languageOf, languagesOf } from '../../content/languages/languages.ts'
import type { EntryRow } from '../../store/core/schema.ts'
import { askWriter } from '../../actions/comments/confirmation.ts'
import { noteArrival } from '../../actions/comments/note-arrival.ts'
import type { Services } from '../../actions/call/services.ts'
import { redirect, type Reply } from '../../http/reply.ts'
import type { Request } from '../../http/request.ts'
import { anonymous } from '../../identity/caller.ts'
import { bucketName, countAttempt, keyedAddress, secondsUntil } from '../../identity/attempts.ts'
import { readAddress } from '../../mail/mail-address.ts'
import type { ThemeCommentForm } from '../../themes/contract.ts'
import { type SiteMessage, siteWord } from '../../themes/site-words.ts'
import { type Frame, frameOf } from '../pages/frame.ts'
import { noFaults, nothingTyped } from './comments-data.ts'
import { findCommentedEntry, postedReply } from './commented-page.ts'

/** The comments from one address within ten minutes. */
const perAddress = 5
const windowMs = 10 * 60_000

type Faults = ThemeCommentForm['faults']

/** The query of the page after a comment. */
const sentQuery = 'comment=waiting'
export const isAfterComment = ({ query }: Request): boolean => query.get('comment') === 'waiting'

/** The page with the thanks; undefined if no entry that takes comments is at the path. */
export async function thanksReply(site: Services, request: Request): Promise<Reply | undefined> {
  const frame = frameOf(site, request)
  const entry = await findCommentedEntry(frame, request.path)
  if (!entry || !takesComments(site.settings.values, entry)) return undefined
  return postedReply(frame, entry, { sent: true, reply_to: '', typed: nothingTyped, faults: noFaults })
}

/** Takes a comment. @returns undefined if the path has no page that can have comments */
export async function takeComment(site: Services, request: Request, fields: URLSearchParams): Promise<Reply | undefined> {
  const frame = frameOf(site, request)
  const entry = await findCommentedEntry(frame, request.path)
  if (!entry) return undefined
  const say = sayIn(site, entry)
  const get = (name: string): string => fields.get(name) ?? ''
  const [name, email, text] = [tidyLine(get('name')), tidyLine(get('email')), tidyText(get('text'))]
  const typed = { name: name.slice(0, 10 * maxNameChars), email: email.slice(0, 1000), text }
  const answered = await findAnswered(frame, entry, get('reply_to'))
  const refuse = (faults: Faults): Promise<Reply> =>
    postedReply(frame, entry, { sent: false, reply_to: answered ?? '', typed, faults })

  if (!takesComments(site.settings.values, entry))
    return { ...(await refuse({ ...noFaults, form: say('comment_closed') })), status: 403 }
  const faults = faultsOf({ name, email, text }, say)
  if (Object.values(faults).some((fault) => fault !== null)) return { ...(await refuse(faults)), status: 422 }

  const now = site.clock.now()
  const buckets = [
    { name: bucketName('comments from', keyedAddress(site.key, 'senders of comments', request.client)), limit: perAddress },
  ]
  const blockedUntil = await site.store.transaction((db) => countAttempt(db, buckets, now, windowMs))
  if (blockedUntil !== undefined) {
    const seconds = secondsUntil(blockedUntil, now)
    const reply = await refuse({ ...noFaults, form: say('comment_wait', { count: Math.ceil(seconds / 60) }) })
    return { ...reply, status: 429, headers: { ...reply.headers, 'retry-after': String(seconds) } }
  }

  const state = looksLikeSpam({ name, body: text, trap: get('website') }) ? 'spam' : 'pending'
  const comment = { entryId: entry.id, parentId: answered, name, email: readAddress(email) ?? null, body: text, state } as const
  await site.store.transaction(async (db) => {
    const row = await addVisitorComment(db, comment, now)
    if (!row || state !== 'pending') return
    noteArrival(site, db, row, entry, anonymous('api', request.client), now)
    await askWriter(site, db, row, entry, request.client)
  })
  site.mail.ring()
  site.webhooks.wake()
  return redirect(303, `${urlOf(request.basePath, request.path)}?${sentQuery}#comments`, { 'cache-control': 'no-store' })
}

/** The comment that is answered, if it is one on this page that visitors see. */
async function findAnswered({ site }: Frame, entry: EntryRow, id: string): Promise<string | null> {
  const comment = id === '' || id.length > 40 ? undefined : await findComment(site.store.read, id)
  return comment?.entry_id === entry.id && comment.state === 'approved' ? threadOf(comment) : null
}

type Say = (key: SiteMessage, values?: Readonly<Record<string, number>>) => string

function sayIn({ settings }: Services, { locale }: EntryRow): Say {
  const language = languageOf(languagesOf(settings.values), locale) || 'en'
  return (key, values = {}) =>
    siteWord(language, key, new Map(Object.entries(values).map(([name, value]) => [name, String(value)])))
}

function faultsOf(given: { readonly name: string; readonly email: string; readonly text: string }, say: Say): Faults {
  const { name, email, text } = given
  const isLong = text.length > maxCommentChars
  return {
    ...noFaults,
    name:
      name === '' ? say('comment_no_name') : name.length > maxNameChars ? say('comment_long_name', { max: maxNameChars }) : null,
    email: email === '' || readAddress(email) !== undefined ? null : say('comment_bad_email'),
    text: text === '' ? say('comment_none') : isLong ? say('comment_long', { max: maxCommentChars, chars: text.length }) : null,
  }
}
