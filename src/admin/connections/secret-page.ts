// The page that shows the secret of a new token, once.

import type { TokenItem } from '../../actions/shared/token-item.ts'
import { html } from '../../doors/shared/html.ts'
import { baseOf } from '../../doors/shared/paths.ts'
import type { Reply } from '../../http/reply.ts'
import { framedReply } from '../framed-reply.ts'
import { rightsInWords } from '../parts/limits-in-words.ts'
import { lineList } from '../parts/panel.ts'
import { linkButton, pageHead } from '../parts/table.ts'
import { adminPaths } from '../paths.ts'
import { goTo } from '../reply.ts'
import { copyable, copyScript } from '../script.ts'
import type { SignedIn } from '../visit.ts'

/** @param token undefined if the form was sent before, and the secret was shown then */
export function secretReply(visit: SignedIn, { item, token }: { readonly item: TokenItem; readonly token?: string }): Reply {
  if (token === undefined) return goTo(visit, adminPaths.tokens)
  const { name } = item
  const { request, t } = visit
  const command = `curl -H "Authorization: Bearer ${token}" ${baseOf(request)}/api/ -d '{"action": "SVC_API.welcome"}'`
  const body = html`${pageHead(name, t('connections.copy_now'))}
    <section class="card secret" aria-label="${t('connections.token_region')}">
      <p>${copyable(t('connections.the_token'), token)}</p>
      ${lineList(rightsInWords(t, item), 'rights')}
    </section>
    <section class="card" aria-labelledby="try">
      <h2 id="try">${t('connections.try_it')}</h2>
      <p class="address">${copyable(t('connections.the_command'), command)}</p>
    </section>
    <p class="actions">${linkButton(visit, adminPaths.tokens, 'connections.have_copied')}</p>`
  return framedReply(visit, { title: name, body, script: copyScript })
}
