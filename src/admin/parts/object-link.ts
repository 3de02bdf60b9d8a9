// Links to the objects in records and search results. Objects without a page in the admin are shown by their name.

import { allActions } from '../../actions/all.ts'
import { html, type Html } from '../../doors/shared/html.ts'
import type { Request } from '../../http/request.ts'
import { adminPaths, linkTo } from '../paths.ts'
import { isMessage, type Words } from '../words.ts'

/** The page of each kind of object, from the declarations of its actions. The page takes the id as `id`. */
const pages: ReadonlyMap<string, string | undefined> = new Map(
  allActions().flatMap(({ object }) => (object ? [[object.kind, new Map(Object.entries(adminPaths)).get(object.page)]] : [])),
)

/** An object in a record of activity. */
interface NamedObject {
  readonly kind: string
  readonly id: string
  /** Null if the object was deleted permanently. */
  readonly title: string | null
}

/** Returns the address of the page for an object; undefined if there is none. */
export function objectPath(
  request: Pick<Request, 'basePath'>,
  { kind, id }: Pick<NamedObject, 'kind' | 'id'>,
): string | undefined {
  const page = pages.get(kind)
  return page === undefined ? undefined : `${linkTo(request, page)}?id=${encodeURIComponent(id)}`
}

/** Returns the word for a kind of object, or else the kind itself. */
function kindName(kind: string, t: Words): string {
  const key = `parts.kind_${kind}`
  return isMessage(key) ? t(key) : kind.replaceAll('_', ' ')
}

/** The title of an object in the language of the page. That of a setting is its key, and its words are those of its page. */
export function objectTitle({ kind, title }: Pick<NamedObject, 'kind' | 'title'>, t: Words): string | undefined {
  const key = `operations.${title}`
  return kind === 'setting' && isMessage(key) ? t(key) : (title ?? undefined)
}

/** The title of an object, as a link if it has a page. */
export function objectLink(request: Pick<Request, 'basePath'>, object: NamedObject, t: Words): Html {
  const { kind } = object
  const title = objectTitle(object, t)
  if (title === undefined) return html`<span class="quiet">${t('parts.deleted_object', { kind: kindName(kind, t) })}</span>`
  const path = objectPath(request, object)
  return path === undefined ? html`<span>${title}</span>` : html`<a href="${path}">${title}</a>`
}
