// A field for a picture of the library: a list of the newest ones, and with its script the picture itself with a picker.

import { attribute, html, type Html } from '../../doors/shared/html.ts'
import { csrfToken } from '../../identity/csrf.ts'
import { entryPurpose } from '../content/entry-form.ts'
import { findReferences, namedReference, type Reference } from '../content/references.ts'
import { adminPaths, linkTo } from '../paths.ts'
import type { SignedIn } from '../visit.ts'
import { type Field, selectField } from './fields.ts'

/** The most pictures of the list. */
const maxListed = 48

/** Makes the picture fields of one page. */
export type PictureField = (field: Field) => Promise<Html>

/** Reads the newest pictures once, for all fields of a page. */
export async function pictureFields(visit: SignedIn): Promise<PictureField> {
  const newest = await findReferences(visit, 'image', { words: '', most: maxListed })
  return async (field) => {
    const { value = '' } = field
    const listed = newest.find((one) => one.value === value)
    const chosen = value === '' ? undefined : (listed ?? (await namedReference(visit, 'image', value)))
    return fieldWith(visit, field, chosen, newest)
  }
}

function fieldWith(visit: SignedIn, field: Field, chosen: Reference | undefined, newest: readonly Reference[]): Html {
  const { request, site, holder, t } = visit
  const { value = '' } = field
  const others = newest.filter((one) => one.value !== chosen?.value)
  const choices = [
    { value: '', label: t('parts.no_picture') },
    // The stored value stays as it is, whether it is an id, a path or an address.
    ...(value === '' ? [] : [{ value, label: chosen?.title ?? value }]),
    ...others.map((one) => ({ value: one.value, label: one.title })),
  ]
  return html`<div
    class="picture-field"
    data-csrf="${csrfToken(site.key, holder, entryPurpose)}"
    data-links="${linkTo(request, adminPaths.findLinks)}"
    data-upload="${linkTo(request, adminPaths.uploadImage)}"
    data-frame="${linkTo(request, adminPaths.framePicture)}"
  >
    ${selectField({ ...field, choices })}
    <p class="picture-shown">${chosen?.image !== undefined && html`<img ${attribute('src', chosen.image)} alt="" />`}</p>
  </div>`
}
