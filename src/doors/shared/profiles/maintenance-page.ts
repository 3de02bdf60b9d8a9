// Maintenance in old release profiles: every caller gets an HTML page with status 200. Release 1 answers 503 with `Retry-After`,
// in the form of each door.

import type { Failure } from '../../../base/failure.ts'
import { type Headers, html as htmlReply, type Reply } from '../../../http/reply.ts'
import type { Release } from '../../../base/release.ts'
import { html } from '../html.ts'

/** The page with which an old release answers a call; undefined in release 1, where the door words the refusal. */
export function findMaintenancePage({ maintenance }: Release, { message }: Failure, headers: Headers): Reply | undefined {
  return maintenance === 'page' ? htmlReply(200, pageOf(message), { ...headers, ...pageHeaders }) : undefined
}

/** A visitor's maintenance page: unchanged in release 1, with status 200 and no `Retry-After` in older ones. */
export function maintenancePageReply({ maintenance }: Release, reply: Reply): Reply {
  if (maintenance !== 'page') return reply
  const { 'retry-after': _dropped, ...headers } = reply.headers
  return { ...reply, status: 200, headers }
}

const pageHeaders: Headers = Object.freeze({ 'content-security-policy': "default-src 'none'", 'cache-control': 'no-store' })

function pageOf(message: string): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <title>Maintenance</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
      </head>
      <body>
        <h1>Maintenance</h1>
        <p>${message}</p>
      </body>
    </html> `.toString()
}
