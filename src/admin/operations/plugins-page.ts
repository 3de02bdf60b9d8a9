// Plugins: the list with the state of each plugin, and the forms that deactivate, install and delete one. Activation and settings
// have their own pages.

import { plugins } from '../../actions/plugins/index.ts'
import type { PluginItem } from '../../actions/plugins/item.ts'
import { html, type Html, type HtmlValue } from '../../doors/shared/html.ts'
import type { Reply } from '../../http/reply.ts'
import { goDone } from '../parts/done-notice.ts'
import { factList } from '../parts/facts.ts'
import { pageHead } from '../parts/table.ts'
import { get } from '../page.ts'
import { adminPaths } from '../paths.ts'
import { activateLink, deactivateForm, deleteForm, installForm, pathOf } from './plugin-forms.ts'
import { shownTime } from '../parts/time.ts'
import type { SignedIn } from '../visit.ts'
import type { MessageKey } from '../words.ts'
import { framedReply, type Refused } from '../framed-reply.ts'
import { provenTaker } from '../access/confirm-password.ts'
import { formTaker } from '../parts/post-form.ts'
import { onItem } from '../parts/form-input.ts'

/** The states of plugins in words. */
const stateKeys: Readonly<Record<ShownPlugin['state'], MessageKey>> = {
  active: 'operations.plugin_active',
  inactive: 'operations.plugin_inactive',
  quarantined: 'operations.plugin_quarantined',
}

/** The fields that the page shows of each plugin. A list answers fewer by default. */
const shownFields = [
  'id',
  'name',
  'version',
  'description',
  'state',
  'reason',
  'bundled',
  'settings',
  'signer',
  'errors',
] as const satisfies readonly (keyof PluginItem)[]

type ShownPlugin = Pick<PluginItem, (typeof shownFields)[number]>

export const showPlugins = (visit: SignedIn): Promise<Reply> => pluginsReply(visit)

/** The page, by itself or after a refused form. */
export async function pluginsReply(visit: SignedIn, refused: Refused = {}): Promise<Reply> {
  const { t } = visit
  const { items } = await get(visit, plugins.list, {}, { select: shownFields })
  const body = html`${pageHead(t('operations.plugins'), t('operations.plugins_lead'))}
    <ul class="things">
      ${items.map((plugin) => pluginItem(visit, plugin, refused))}
    </ul>
    ${installForm(visit, refused.fields?.has('id') ? {} : refused)}`
  return framedReply(visit, { title: t('operations.plugins'), body }, refused)
}

function pluginItem(visit: SignedIn, plugin: ShownPlugin, refused: Refused): Html {
  const { id, name, version, description, state, reason, bundled, signer, settings } = plugin
  const { t } = visit
  return html`<li class="card" id="plugin-${id}">
    <h2>${name}</h2>
    ${description !== '' && html`<p>${description}</p>`}
    ${state === 'quarantined' && html`<p class="notice warn" role="note">${reason}</p>`}
    ${factList({
      [t('operations.state')]: t(stateKeys[state]),
      [t('operations.version')]: bundled ? t('operations.version_bundled', { version }) : version,
      [t('operations.signed_by')]: signer !== null && html`<code>${signer}</code>`,
    })}
    ${errorsOf(visit, plugin)}
    <div class="actions">
      ${state === 'active' ? deactivateForm(visit, plugin) : activateLink(visit, plugin)}
      ${settings.length > 0 && html`<a class="button" href="${pathOf(visit, adminPaths.configurePlugin, id)}">${t.rich('operations.settings_of_unseen', { of: ofPlugin(visit, name) })}</a>`}
    </div>
    ${!bundled && deleteForm(visit, plugin, refused)}
  </li>`
}

/** The name of the plugin for screen readers. */
const ofPlugin = ({ t }: SignedIn, name: string): Html =>
  html`<span class="unseen"> ${t('operations.of_plugin', { name })}</span>`

function errorsOf(visit: SignedIn, { errors, name }: ShownPlugin): HtmlValue {
  return (
    errors.length > 0 &&
    html`<details>
      <summary>${visit.t.rich('operations.recent_failures', { of: ofPlugin(visit, name), count: errors.length })}</summary>
      <ul>
        ${errors.map(({ at, message }) => html`<li>${shownTime(visit, at)}: ${message}</li>`)}
      </ul>
    </details>`
  )
}

const deactivate = onItem(plugins.deactivate, (visit) => goDone(visit, adminPaths.plugins, plugins.deactivate))

export const deactivatePlugin = formTaker('deactivate-plugin', deactivate, pluginsReply)

const remove = onItem(
  plugins.delete,
  (visit) => goDone(visit, adminPaths.plugins, plugins.delete),
  (fields) => ({ keep_data: fields.has('keep_data') }),
)

export const deletePlugin = provenTaker('delete-plugin', remove, pluginsReply)
