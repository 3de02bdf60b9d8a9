// The maintenance page: the owner's message and the time at which the site opens again. It is never cached.

import type { Services, SettingsServices } from '../../actions/call/services.ts'
import { html, type HtmlValue } from '../../doors/shared/html.ts'
import { baseOf } from '../../doors/shared/paths.ts'
import { maintenancePageReply } from '../../doors/shared/profiles/maintenance-page.ts'
import { html as htmlReply, type Reply } from '../../http/reply.ts'
import type { Request } from '../../http/request.ts'
import type { Closed } from '../../settings/maintenance.ts'
import { siteWord } from '../../themes/site-words.ts'
import { identityOf, messagePage } from './message-page.ts'
import { htmlHeaders } from './public-page.ts'

/** The reply to every request for a page during maintenance: 503 with `Retry-After`, or 200 in old releases. */
export function findClosed(site: Services, request: Request): Reply | undefined {
  const closed = site.maintenance.now()
  if (!closed) return undefined
  const identity = identityOf({ site, origin: baseOf(request) }, request.path)
  const lines = closed.message.split('\n').map((line, at) => (at === 0 ? line : html`<br />${line}`))
  const page = messagePage({
    site: identity,
    title: siteWord(identity.language, 'closed_title'),
    message: [...lines, untilOf(site, closed, identity.language)],
    linkHome: false,
  })
  const headers = { ...htmlHeaders, 'cache-control': 'no-store', 'retry-after': String(closed.retryAfterSeconds) }
  return maintenancePageReply(site.release, htmlReply(503, page, headers))
}

function untilOf({ settings }: SettingsServices, { until }: Closed, language: string): HtmlValue {
  if (until === null) return undefined
  const { time_zone: timeZone } = settings.values
  const date = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'short', timeZone }).format(until)
  const words = siteWord(language, 'closed_until', new Map([['date', date]]))
  return html`<br /><time datetime="${new Date(until).toISOString()}">${words}</time>`
}
