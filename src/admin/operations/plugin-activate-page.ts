// Activating a plugin: the page shows each right in words, and the owner confirms them. It asks for re-authentication if the last
// sign-in is not recent.

import { plugins } from '../../actions/plugins/index.ts'
import type { PluginItem } from '../../actions/plugins/item.ts'
import { html, type Html } from '../../doors/shared/html.ts'
import type { Reply } from '../../http/reply.ts'
import { passwordAgain, provenTaker } from '../access/confirm-password.ts'
import { goDone } from '../parts/done-notice.ts'
import { get } from '../page.ts'
import { adminPaths, linkTo } from '../paths.ts'
import { goTo } from '../reply.ts'
import type { SignedIn } from '../visit.ts'
import type { Words } from '../words.ts'
import { framedReply, type Refused } from '../framed-reply.ts'
import { onItem } from '../parts/form-input.ts'
import { postForm } from '../parts/post-form.ts'

export async function showActivatePlugin(visit: SignedIn): Promise<Reply> {
  const id = visit.request.query.get('id')
  return id === null ? goTo(visit, adminPaths.plugins) : activateReply(visit, id)
}

async function activateReply(visit: SignedIn, id: string, refused: Refused = {}): Promise<Reply> {
  const { item } = await get(visit, plugins.get, { id })
  const { t } = visit
  const title = t('operations.activate_named', { name: item.name })
  const body = html`<h1>${title}</h1>
    <section class="card">
      ${rights(item, t)}
      ${postForm(visit, {
        path: adminPaths.activatePlugin,
        purpose: 'activate-plugin',
        hidden: { id, may: JSON.stringify(item.may.map(({ right }) => right)) },
        body: html`${passwordAgain(visit, refused.passwordFault)}
          <p class="actions">
            <button class="primary">${t(item.may.length === 0 ? 'operations.activate' : 'operations.allow_activate')}</button>
            <a class="button" href="${linkTo(visit.request, adminPaths.plugins)}">${t('operations.cancel')}</a>
          </p>`,
      })}
    </section>`
  return framedReply(visit, { title, body }, refused)
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

const activate = onItem(
  plugins.activate,
  (visit) => goDone(visit, adminPaths.plugins, plugins.activate),
  (fields) => ({ may: rightsOf(fields.get('may')) }),
)

export const activatePlugin = provenTaker('activate-plugin', activate, (visit, refused) =>
  activateReply(visit, refused.fields.get('id'), refused),
)

/** Returns the rights that the page showed. A right that was not shown is not confirmed. */
function rightsOf(text: string): readonly string[] {
  try {
    const value = JSON.parse(text) as unknown
    return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []
  } catch {
    return []
  }
}
