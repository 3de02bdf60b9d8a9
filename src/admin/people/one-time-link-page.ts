// The page that shows the link for setting a password. It is shown once.

import type { AccountItem } from '../../actions/classes/account-item.ts'
import { html } from '../../doors/html.ts'
import type { Reply } from '../../http/reply.ts'
import { framed } from '../layout.ts'
import { pageHead } from '../parts/table.ts'
import { adminPaths, linkTo } from '../paths.ts'
import { pageReply } from '../reply.ts'
import { copyable, copyScript } from '../script.ts'
import type { SignedIn } from '../visit.ts'

export function linkReply(visit: SignedIn, { name, email }: Pick<AccountItem, 'name' | 'email'>, link: string): Reply {
  const body = html`${pageHead(`A link for ${name}`, 'Copy it now. It is not stored, and it is not shown again.')}
    <section class="card secret" aria-label="The link">
      <p>${copyable('the link', link)}</p>
      <p class="quiet">
        Send it to ${name} in a way that only they can read. It sets the password of ${email}, works once, and expires in three
        days.
      </p>
    </section>
    <p class="actions"><a class="button" href="${linkTo(visit.request, adminPaths.people)}">I have copied it</a></p>`
  return pageReply(visit, 200, framed(visit, { title: `A link for ${name}`, body, script: copyScript }))
}
