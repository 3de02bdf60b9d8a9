// The page that shows new recovery codes. They are not shown again.

import { html } from '../../doors/html.ts'
import type { Reply } from '../../http/reply.ts'
import { framed } from '../layout.ts'
import { pageHead } from '../parts/table.ts'
import { adminPaths, linkTo } from '../paths.ts'
import { pageReply } from '../reply.ts'
import { copyable, copyScript } from '../script.ts'
import type { SignedIn } from '../visit.ts'

/** The page that shows new codes. @param said what was done besides */
export function codesReply(visit: SignedIn, codes: readonly string[], said: string): Reply {
  const body = html`${pageHead('Recovery codes', said)}
    <section class="card secret" aria-label="The recovery codes">
      <p>
        Keep these codes where you find them without your phone: print them, or put them into a password manager. Each signs you
        in once, in place of a code of the app or a passkey. They are not shown again.
      </p>
      <p class="codes">${copyable('the codes', codes.join('\n'))}</p>
    </section>
    <p class="actions"><a class="button primary" href="${linkTo(visit.request, adminPaths.account)}">I have kept them</a></p>`
  return pageReply(visit, 200, framed(visit, { title: 'Recovery codes', body, script: copyScript }))
}
