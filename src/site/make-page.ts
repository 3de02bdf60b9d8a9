// Finds what is at a path of the public site and makes its page: the home page, an entry, or a redirect to where an entry is now.

import { HttpFailure } from '../http/failure.ts'
import { redirect, type Reply } from '../http/reply.ts'
import { findHomeLanguage, findTranslatedHome, homePathOf } from './alternates.ts'
import type { Frame } from './frame.ts'
import type { LastPages } from './last-pages.ts'
import type { PageKey } from './page-cache.ts'
import { findPublicEntry, findPublicEntryById } from './public-entries.ts'
import { entryMarkdown, entryReply, homeMarkdown, homeReply } from './public-page.ts'
import { type Asked, redirectReply } from './redirects.ts'

type Place = Omit<PageKey, 'origin'>

/** @throws HttpFailure `not_found` */
export async function makePage(frame: Frame, last: LastPages, key: Place, asked: Asked): Promise<Reply> {
  const { form, path } = key
  const isHome = path === '/' || (form === 'markdown' && path === '/index')
  const branch = isHome ? null : findHomeLanguage(frame.site, path)
  if (branch !== undefined) return makeHome(frame, last, key, branch)
  const entry = await findPublicEntry(frame.site.store.read, path, frame.site.clock.now())
  if (entry) return form === 'markdown' ? entryMarkdown(frame, entry) : entryReply(frame, last, entry)
  return elsewhere(frame, asked)
}

export const missingPage = (): HttpFailure => new HttpFailure('not_found', 'There is no page here.')

/** @param branch the further language whose home page this is, or null */
async function makeHome(frame: Frame, last: LastPages, { form, page }: Place, branch: string | null): Promise<Reply> {
  const { home } = frame.site.settings.values
  const chosen = home === null ? undefined : await findHome(frame, home, branch)
  if (chosen) {
    const entry = { ...chosen, path: homePathOf(frame.site, branch) }
    return form === 'markdown' ? entryMarkdown(frame, entry) : entryReply(frame, last, entry, { homeOf: branch })
  }
  const list = { branch, page }
  const reply = form === 'markdown' ? await homeMarkdown(frame, list) : await homeReply(frame, last, list)
  if (reply) return reply
  throw missingPage()
}

/** The entry that the setting `home` names by id or path, or its translation into a further language. */
export async function findHome({ site }: Frame, home: string, branch: string | null) {
  const now = site.clock.now()
  const byId = (id: string) => findPublicEntryById(site.store.read, id, now)
  if (branch === null) return home.startsWith('/') ? findPublicEntry(site.store.read, home, now) : byId(home)
  const entry = await site.entries.named(home)
  const translated = entry && (await findTranslatedHome(site, entry, branch))
  return translated && byId(translated.id)
}

/** Redirects to the path without its last slash, to the entry's present path, or where a redirect leads; else 404. */
async function elsewhere(frame: Frame, asked: Asked): Promise<Reply> {
  const bare = asked.path.replace(/\/$/, '')
  if (bare !== asked.path && findHomeLanguage(frame.site, bare) !== undefined)
    return redirect(301, new URL(frame.origin).pathname.replace(/\/$/, '') + bare, { 'cache-control': 'no-cache' })
  const found = await redirectReply(frame, asked)
  if (found) return found
  throw missingPage()
}
