// Links and small forms that the pages about plugins share.

import type { PluginItem } from '../../actions/plugins/item.ts'
import { html, type Html } from '../../doors/shared/html.ts'
import { passwordAgain, proofFault } from '../access/confirm-password.ts'
import { sentenceOf } from '../failure.ts'
import { checkField, fileField } from '../parts/fields.ts'
import { adminPaths, linkTo } from '../paths.ts'
import { maxUploadBytes } from '../../doors/shared/read-upload.ts'
import { removalForm } from '../parts/removal-form.ts'
import type { SignedIn } from '../visit.ts'
import type { Refused } from '../framed-reply.ts'
import { postForm } from '../parts/post-form.ts'

/** The parts of a plugin that the small forms need. */
export type PluginName = Pick<PluginItem, 'id' | 'name'>

/** The path of a page about one plugin. */
export const pathOf = ({ request }: Pick<SignedIn, 'request'>, path: string, id: string): string =>
  `${linkTo(request, path)}?id=${encodeURIComponent(id)}`

export const activateLink = (visit: SignedIn, { id, name }: PluginName): Html =>
  html`<a class="button" href="${pathOf(visit, adminPaths.activatePlugin, id)}"
    >${visit.t('operations.activate')}<span class="unseen"> ${name}</span>…</a
  >`

export const deactivateForm = (visit: SignedIn, { id, name }: PluginName): Html =>
  postForm(visit, {
    path: adminPaths.deactivatePlugin,
    purpose: 'deactivate-plugin',
    hidden: { id },
    body: html`<button>${visit.t('operations.deactivate')}<span class="unseen"> ${name}</span></button>`,
  })

export const deleteForm = (visit: SignedIn, { id, name }: PluginName, refused: Refused): Html =>
  removalForm(visit, {
    verb: visit.t('operations.delete'),
    id,
    name,
    consequence: visit.t('operations.delete_plugin_help'),
    path: adminPaths.deletePlugin,
    purpose: 'delete-plugin',
    more: html`${checkField({ name: 'keep_data', label: visit.t('operations.keep_plugin_data'), value: undefined })}
    ${passwordAgain(visit, proofFault(visit, refused, adminPaths.deletePlugin, id))}`,
  })

export function installForm(visit: SignedIn, { failure, passwordFault }: Refused): Html {
  const { t } = visit
  return html`<section class="card" aria-labelledby="install">
    <h2 id="install">${t('operations.install_plugin')}</h2>
    ${postForm(visit, {
      path: adminPaths.plugins,
      purpose: 'bring-plugin',
      multipart: true,
      body: html`${passwordAgain(visit, passwordFault)}
        ${fileField({ name: 'package', label: t('operations.package'), help: t('operations.package_help', { most: maxUploadBytes / 1024 ** 2 }), accept: '.zip,application/zip', required: true, fault: failure && sentenceOf(failure, t) })}
        ${checkField({ name: 'replace', label: t('operations.replace_version'), value: undefined })}
        <p class="actions"><button class="primary">${t('operations.install')}</button></p>`,
    })}
  </section>`
}
