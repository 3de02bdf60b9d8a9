// The page that shows the secret of a new token, once.

import type { TokenItem } from '../../actions/shared/token-item.ts'
import { html } from '../../doors/shared/html.ts'
import { baseOf } from '../../doors/shared/paths.ts'
import type { Reply } from '../../http/reply.ts'
import { framedReply } from '../framed-reply.ts'
import { scopeSentences } from '../parts/scope-words.ts'
import { pageHead } from '../parts/table.ts'
import { adminPaths, linkTo } from '../paths.ts'
import { copyable, copyScript } from '../script.ts'
import type { SignedIn } from '../visit.ts'

export function secretReply(visit: SignedIn, { name, scope }: TokenItem, token: string): Reply {
  const { request, t } = visit
  const command = `curl -H "Authorization: Bearer ${token}" ${baseOf(request)}/api/ -d '{"action": "SVC_API.welcome"}'`
  const body = html`${pageHead(name, t('connections.copy_now'))}
    <section class="card secret" aria-label="${t('connections.token_region')}">
      <p>${copyable(t('connections.the_token'), token)}</p>
      <p class="quiet">${scopeSentences(t, scope)}</p>
    </section>
    <section class="card" aria-labelledby="try">
      <h2 id="try">${t('connections.try_it')}</h2>
      <p class="address">${copyable(t('connections.the_command'), command)}</p>
    </section>
    <p class="actions"><a class="button" href="${linkTo(request, adminPaths.tokens)}">${t('connections.have_copied')}</a></p>`
  return framedReply(visit, { title: name, body, script: copyScript })
}
