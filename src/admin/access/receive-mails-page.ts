// The page behind a link to somebody who is to get the mails of a form: only its form agrees, because mail scanners open links.

import { addressOfInvitation, agree } from '../../actions/forms/invite-receivers.ts'
import { html, type Html } from '../../doors/shared/html.ts'
import type { Reply } from '../../http/reply.ts'
import { readFields } from '../form.ts'
import { framedReply } from '../framed-reply.ts'
import { postForm } from '../parts/post-form.ts'
import { adminPaths } from '../paths.ts'
import type { Visit } from '../visit.ts'

export async function showReceiveMails(visit: Visit): Promise<Reply> {
  const code = visit.request.query.get('code') ?? ''
  const address = addressOfInvitation(visit.site.key, code, visit.now)
  if (address === undefined) return endedReply(visit)
  const { t, site } = visit
  const lead = html`<p>${t('access.receive_mails_lead', { email: address, site: site.settings.values.site_title })}</p>`
  const form = postForm(visit, {
    path: adminPaths.receiveMails,
    hidden: { code },
    body: html`<button class="primary">${t('access.receive_mails_agree')}</button>`,
  })
  return cardReply(visit, html`${lead} ${form}`)
}

export async function takeReceiveMails(visit: Visit): Promise<Reply> {
  const fields = await readFields(visit, adminPaths.receiveMails)
  const { site, now, t } = visit
  const address = addressOfInvitation(site.key, fields.get('code'), now)
  if (address === undefined) return endedReply(visit)
  await site.store.transaction((db) => agree(db, address, now))
  return cardReply(visit, html`<p>${t('access.receive_mails_agreed', { email: address })}</p>`)
}

function cardReply(visit: Visit, body: Html): Reply {
  const title = visit.t('access.receive_mails')
  const card = html`<section class="card">
    <h1>${title}</h1>
    ${body}
  </section>`
  return framedReply(visit, { title, kind: 'narrow', body: card })
}

function endedReply(visit: Visit): Reply {
  const { t } = visit
  const title = t('access.void_link')
  const body = html`<section class="card"><h1>${title}</h1></section>`
  return framedReply(visit, { title, kind: 'narrow', body }, { status: 403, fault: t('access.receive_mails_ended') })
}
