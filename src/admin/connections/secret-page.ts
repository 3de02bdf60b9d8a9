// The page that shows the secret of a new token. It is shown once.

import type { TokenItem } from '../../actions/classes/token-item.ts'
import { html } from '../../doors/html.ts'
import { baseOf } from '../../doors/paths.ts'
import type { Reply } from '../../http/reply.ts'
import { framed } from '../layout.ts'
import { scopeWords } from '../parts/scope-words.ts'
import { adminPaths, linkTo } from '../paths.ts'
import { pageReply } from '../reply.ts'
import { copyable, copyScript } from '../script.ts'
import type { SignedIn } from '../visit.ts'

export function secretReply(visit: SignedIn, { name, scope }: TokenItem, token: string): Reply {
  const { request } = visit
  const command = `curl -H "Authorization: Bearer ${token}" ${baseOf(request)}/api/ -d '{"action": "SVC_API.welcome"}'`
  const body = html`<h1>${name}</h1>
    <p class="lead">Copy the token now. It is not stored, and it is not shown again.</p>
    <section class="card secret" aria-label="The token">
      <p>${copyable('the token', token)}</p>
      <p class="quiet">${scopeWords[scope].label}. ${scopeWords[scope].help}</p>
    </section>
    <section class="card" aria-labelledby="try">
      <h2 id="try">Try it</h2>
      <p class="address">${copyable('the command', command)}</p>
    </section>
    <p class="actions"><a class="button" href="${linkTo(request, adminPaths.tokens)}">I have copied it</a></p>`
  return pageReply(visit, 200, framed(visit, { title: name, body, script: copyScript }))
}
