// The page that shows the link for setting a password, once.

import type { AccountItem } from '../../actions/accounts/account-item.ts'
import { html } from '../../doors/shared/html.ts'
import type { Reply } from '../../http/reply.ts'
import { framedReply } from '../framed-reply.ts'
import { linkButton, pageHead } from '../parts/table.ts'
import { adminPaths } from '../paths.ts'
import { goTo } from '../reply.ts'
import { copyable, copyScript } from '../script.ts'
import type { SignedIn } from '../visit.ts'

/** @param link undefined if the form was sent before, and the link was shown then */
export function linkReply(visit: SignedIn, { item, link }: { readonly item: AccountItem; readonly link?: string }): Reply {
  if (link === undefined) return goTo(visit, adminPaths.people)
  const { name, email } = item
  const { t } = visit
  const title = t('people.link_title', { name })
  const body = html`${pageHead(title, t('people.link_lead'))}
    <section class="card secret" aria-label="${t('people.link_region')}">
      <p>${copyable(t('people.the_link'), link)}</p>
      <p class="quiet">${t('people.link_help', { name, email })}</p>
    </section>
    <p class="actions">${linkButton(visit, adminPaths.people, 'people.have_copied')}</p>`
  return framedReply(visit, { title, body, script: copyScript })
}
