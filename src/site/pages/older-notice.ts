// The notice on a previewed page that the theme has a newer version. The site adds the notice, so that no theme can leave it out.

import type { SettingsServices } from '../../actions/call/services.ts'
import { html } from '../../doors/shared/html.ts'
import type { Reply } from '../../http/reply.ts'
import { siteWord } from '../../themes/site-words.ts'
import { languageOfPath } from './alternates.ts'

/** A style that doesn't depend on the theme's styles. */
const style =
  'all:initial;display:block!important;box-sizing:border-box;padding:12px 16px;background:#fff4ce;color:#3b2f00;' +
  'border-bottom:1px solid #b8860b;font:16px/1.5 system-ui,sans-serif;overflow-wrap:anywhere'

/** Adds the notice at the beginning of the body. @param path of the page, which decides the language */
export function withOlderNotice(reply: Reply, site: SettingsServices, path: string): Reply {
  if (!reply.body || !('bytes' in reply.body) || !String(reply.headers['content-type']).startsWith('text/html')) return reply
  const language = languageOfPath(site, path)
  const notice = html`<p role="status" lang="${language}" style="${style}">${siteWord(language, 'preview_older')}</p>`.toString()
  const text = Buffer.from(reply.body.bytes).toString()
  const body = text.search(/<body\b/i)
  const at = body < 0 ? text.length : text.indexOf('>', body) + 1
  return { ...reply, body: { text: text.slice(0, at) + notice + text.slice(at) } }
}
