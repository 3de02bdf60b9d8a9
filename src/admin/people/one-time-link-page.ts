// The page that shows the link for setting a password, once.

import type { AccountItem } from '../../actions/accounts/account-item.ts'
import { html } from '../../doors/shared/html.ts'
import type { Reply } from '../../http/reply.ts'
import { framedReply } from '../framed-reply.ts'
import { pageHead } from '../parts/table.ts'
import { adminPaths, linkTo } from '../paths.ts'
import { copyable, copyScript } from '../script.ts'
import type { SignedIn } from '../visit.ts'

export function linkReply(visit: SignedIn, { name, email }: Pick<AccountItem, 'name' | 'email'>, link: string): Reply {
  const { t } = visit
  const title = t('people.link_title', { name })
  const body = html`${pageHead(title, t('people.link_lead'))}
    <section class="card secret" aria-label="${t('people.link_region')}">
      <p>${copyable(t('people.the_link'), link)}</p>
      <p class="quiet">${t('people.link_help', { name, email })}</p>
    </section>
    <p class="actions"><a class="button" href="${linkTo(visit.request, adminPaths.people)}">${t('people.have_copied')}</a></p>`
  return framedReply(visit, { title, body, script: copyScript })
}
