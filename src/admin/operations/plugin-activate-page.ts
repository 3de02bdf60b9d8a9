// Activating a plugin: the page shows each right in words, and the owner confirms them. It asks for re-authentication if the last
// sign-in is not recent.

import { plugins } from '../../actions/plugins/index.ts'
import type { PluginItem } from '../../actions/plugins/item.ts'
import { html, type Html } from '../../doors/shared/html.ts'
import type { Failure } from '../../base/failure.ts'
import type { Reply } from '../../http/reply.ts'
import { confirmPassword, passwordAgain, type PasswordRefused } from '../access/confirm-password.ts'
import { formStatus, sentenceOf } from '../failure.ts'
import { goDone } from '../parts/done-notice.ts'
import { faultBox } from '../parts/fields.ts'
import { csrfField, readFields } from '../form.ts'
import { framed } from '../layout.ts'
import { get, run } from '../page.ts'
import { adminPaths, linkTo } from '../paths.ts'
import { goTo, pageReply } from '../reply.ts'
import type { SignedIn } from '../visit.ts'
import type { Words } from '../words.ts'

interface View extends Partial<PasswordRefused> {
  readonly failure?: Failure
}

export async function showActivatePlugin(visit: SignedIn): Promise<Reply> {
  const id = visit.request.query.get('id')
  return id === null ? goTo(visit, adminPaths.plugins) : activateReply(visit, id)
}

async function activateReply(visit: SignedIn, id: string, view: View = {}): Promise<Reply> {
  const { item } = await get(visit, plugins.get, { id })
  const { failure, passwordFault, headers = {}, status = failure ? formStatus[failure.code] : 200 } = view
  const { t } = visit
  const title = t('operations.activate_named', { name: item.name })
  const body = html`<h1>${title}</h1>
    <section class="card">
      ${faultBox(failure && sentenceOf(failure, t))} ${rights(item, t)}
      <form method="post" action="${linkTo(visit.request, adminPaths.activatePlugin)}">
        ${csrfField(visit, 'activate-plugin')}
        <input type="hidden" name="id" value="${item.id}" />
        <input type="hidden" name="may" value="${JSON.stringify(item.may.map(({ right }) => right))}" />
        ${passwordAgain(visit, passwordFault)}
        <p class="actions">
          <button class="primary">${t(item.may.length === 0 ? 'operations.activate' : 'operations.allow_activate')}</button>
          <a class="button" href="${linkTo(visit.request, adminPaths.plugins)}">${t('operations.cancel')}</a>
        </p>
      </form>
    </section>`
  return pageReply(visit, status, framed(visit, { title, body }), { headers })
}

function rights({ name, may }: PluginItem, t: Words): Html {
  if (may.length === 0) return html`<p>${t('operations.no_rights', { name })}</p>`
  return html`<p>${t('operations.rights_lead', { name })}</p>
    <ul>
      ${may.map(
        ({ right, means }) =>
          html`<li>
            ${means} <small><code>${right}</code></small>
          </li>`,
      )}
    </ul>`
}

export async function activatePlugin(visit: SignedIn): Promise<Reply> {
  const fields = await readFields(visit, 'activate-plugin')
  const id = fields.get('id')
  const refused = await confirmPassword(visit, fields)
  if (refused) return activateReply(visit, id, refused)
  const { failure } = await run(visit, plugins.activate, { id, may: rightsOf(fields.get('may')) })
  return failure ? activateReply(visit, id, { failure }) : goDone(visit, adminPaths.plugins, plugins.activate)
}

/** Returns the rights that the page showed. A right that was not shown is not confirmed. */
function rightsOf(text: string): readonly string[] {
  try {
    const value = JSON.parse(text) as unknown
    return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []
  } catch {
    return []
  }
}
