// Serves root files, such as `ads.txt`. Browsers run no script of a root file, load nothing for it, and guess no other type for it.

import type { Services } from '../../actions/call/services.ts'
import { findRootFile, rootFileType, wellKnownFiles } from '../../content/root-files/root-files.ts'
import { notModified, notModifiedReply } from '../../http/conditional.ts'
import { HttpFailure } from '../../http/failure.ts'
import type { Reply } from '../../http/reply.ts'
import type { Route } from '../../http/route.ts'
import type { Db } from '../../store/core/database.ts'
import { pageReply } from '../kept/page-cache.ts'
import { findClosed } from '../pages/closed-page.ts'

/** The root file at a path, with an ETag; undefined if there is none. */
export async function rootFileReply(db: Db, path: string): Promise<Reply | undefined> {
  const file = await findRootFile(db, path)
  return (
    file &&
    pageReply(file.text, {
      'cache-control': 'no-cache',
      'content-type': rootFileType(path) ?? 'text/plain; charset=utf-8',
      'content-security-policy': "default-src 'none'; sandbox",
    })
  )
}

/** The routes of the root files below `/.well-known/`. Without a file, the answer is that of an unknown document. */
export function wellKnownRoutes(site: Services): readonly Route[] {
  return Object.keys(wellKnownFiles).map((path) => ({
    path,
    slash: 'exact',
    letterCase: 'exact',
    methods: {
      async GET(request) {
        const reply = await rootFileReply(site.store.read, path)
        if (!reply) throw new HttpFailure('not_found', 'There is no such document under /.well-known/.')
        const closed = findClosed(site, request)
        if (closed) return closed
        return notModified(request, String(reply.headers['etag'])) ? notModifiedReply(reply.headers) : reply
      },
    },
    door: 'discovery',
  }))
}
