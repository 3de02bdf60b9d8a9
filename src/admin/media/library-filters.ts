// The form above the media library: search words, and filters for kinds, folders and descriptions.

import { html, type Html } from '../../doors/shared/html.ts'
import type { ListAddress } from '../parts/list-address.ts'
import { hiddenFields } from '../parts/post-form.ts'
import { adminPaths, linkTo } from '../paths.ts'
import type { SignedIn } from '../visit.ts'
import { kindChoices } from './media-view.ts'

export function libraryFilters(visit: SignedIn, address: ListAddress, folders: readonly string[]): Html {
  const { request, t } = visit
  const kept = Object.fromEntries(['view', 'trash', 'sort'].map((name) => [name, address.get(name)]))
  const chosen = (name: string, choices: readonly { readonly value: string; readonly label: string }[], label: string) =>
    html`<label
      ><span class="unseen">${label}</span
      ><select name="${name}">
        ${choices.map(
          ({ value, label: text }) =>
            html`<option value="${value}" ${(address.get(name) ?? '') === value ? html`selected` : ''}>${text}</option>`,
        )}
      </select></label
    >`
  return html`<form class="filters" role="search" aria-label="${t('media.search')}" action="${linkTo(request, adminPaths.media)}">
    ${hiddenFields(kept)}
    <label
      ><span class="unseen">${t('media.search')}</span
      ><input
        type="search"
        name="search"
        value="${address.get('search') ?? ''}"
        placeholder="${t('media.search')}"
        maxlength="200"
    /></label>
    ${chosen('kind', kindChoices(t), t('media.kind'))}
    ${chosen('folder', [{ value: '', label: t('media.all_folders') }, { value: '/', label: t('media.no_folder') }, ...folders.map((name) => ({ value: name, label: name }))], t('media.folder'))}
    ${chosen(
      'alt',
      [
        { value: '', label: t('media.alt_any') },
        { value: 'none', label: t('media.alt_none') },
      ],
      t('media.alt'),
    )}
    <button>${t('media.show')}</button>
  </form>`
}
