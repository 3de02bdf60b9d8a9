// The page that shows new recovery codes, once.

import { html } from '../../doors/shared/html.ts'
import type { Reply } from '../../http/reply.ts'
import { framedReply } from '../framed-reply.ts'
import { pageHead } from '../parts/table.ts'
import { adminPaths, linkTo } from '../paths.ts'
import { copyable, copyScript } from '../script.ts'
import type { SignedIn } from '../visit.ts'

/** The page that shows new codes. @param said the sentence about the rest of the change */
export function codesReply(visit: SignedIn, codes: readonly string[], said: string): Reply {
  const { t } = visit
  const body = html`${pageHead(t('account.recovery_codes'), said)}
    <section class="card secret" aria-label="${t('account.codes_region')}">
      <p>${t('account.codes_help')}</p>
      <p class="codes">${copyable(t('account.the_codes'), codes.join('\n'))}</p>
    </section>
    <p class="actions">
      <a class="button primary" href="${linkTo(visit.request, adminPaths.account)}">${t('account.codes_kept')}</a>
    </p>`
  return framedReply(visit, { title: t('account.recovery_codes'), body, script: copyScript })
}
