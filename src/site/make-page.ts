// Finds what is at a path of the public site and makes its page: the home page, an entry, or a redirect to where an entry is now.

import { HttpFailure } from '../http/failure.ts'
import { redirect, type Reply } from '../http/reply.ts'
import type { Frame } from './frame.ts'
import type { LastPages } from './last-pages.ts'
import type { PageKey } from './page-cache.ts'
import { findMovedTo, findPublicEntry, findPublicEntryById } from './public-entries.ts'
import { entryMarkdown, entryReply, homeMarkdown, homeReply } from './public-page.ts'

/** @throws HttpFailure `not_found` */
export async function makePage(frame: Frame, last: LastPages, key: Omit<PageKey, 'origin'>): Promise<Reply> {
  const { form, path } = key
  const isHome = path === '/' || (form === 'markdown' && path === '/index')
  if (isHome) return makeHome(frame, last, key)
  const entry = await findPublicEntry(frame.site.store.read, path, frame.site.clock.now())
  if (entry) return form === 'markdown' ? entryMarkdown(frame, entry) : entryReply(frame, last, entry)
  return elsewhere(frame, path)
}

export const missingPage = (): HttpFailure => new HttpFailure('not_found', 'There is no page here.')

async function makeHome(frame: Frame, last: LastPages, { form, page }: Omit<PageKey, 'origin'>): Promise<Reply> {
  const { home } = frame.site.settings.values
  const chosen = home === null ? undefined : await findHome(frame, home)
  if (chosen) {
    const entry = { ...chosen, path: '/' }
    return form === 'markdown' ? entryMarkdown(frame, entry) : entryReply(frame, last, entry)
  }
  const reply = form === 'markdown' ? await homeMarkdown(frame, page) : await homeReply(frame, last, page)
  if (reply) return reply
  throw missingPage()
}

/** The entry that the setting `home` names by id or path. */
export async function findHome({ site }: Frame, home: string) {
  return home.startsWith('/')
    ? findPublicEntry(site.store.read, home, site.clock.now())
    : findPublicEntryById(site.store.read, home, site.clock.now())
}

/** Redirects to the path without its last slash, or to the entry's present path; else 404. */
async function elsewhere({ site, origin }: Frame, path: string): Promise<Reply> {
  const bare = path.replace(/\/$/, '')
  const found =
    bare !== path && (await findPublicEntry(site.store.read, bare, site.clock.now()))
      ? bare
      : await findMovedTo(site.store.read, bare, site.clock.now())
  if (found === undefined) throw missingPage()
  return redirect(301, new URL(origin).pathname.replace(/\/$/, '') + found, { 'cache-control': 'no-cache' })
}
