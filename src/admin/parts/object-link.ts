// Links to the objects that records and searches name. An object of a kind without a page in the admin is shown by its name alone.

import { allActions } from '../../actions/all.ts'
import { html, type Html } from '../../doors/html.ts'
import type { Request } from '../../http/request.ts'
import { adminPaths, linkTo } from '../paths.ts'
import { isMessage, type Words } from '../words.ts'

/** The page of a kind of object, as the actions on it say. It takes the id as `id`. */
const pages: ReadonlyMap<string, string | undefined> = new Map(
  allActions().flatMap(({ object }) => (object ? [[object.kind, new Map(Object.entries(adminPaths)).get(object.page)]] : [])),
)

/** An object as a record of activity names it. */
interface NamedObject {
  readonly kind: string
  readonly id: string
  /** Null where the object was destroyed for good. */
  readonly title: string | null
}

/** The address of the page on which somebody works on an object; undefined where there is none. */
export function objectPath(
  request: Pick<Request, 'basePath'>,
  { kind, id }: Pick<NamedObject, 'kind' | 'id'>,
): string | undefined {
  const page = pages.get(kind)
  return page === undefined ? undefined : `${linkTo(request, page)}?id=${encodeURIComponent(id)}`
}

/** The word for a kind of object; the kind itself where there is none. */
function kindName(kind: string, t: Words): string {
  const key = `parts.kind_${kind}`
  return isMessage(key) ? t(key) : kind.replaceAll('_', ' ')
}

/** The title of an object, as a link where it has a page. */
export function objectLink(request: Pick<Request, 'basePath'>, object: NamedObject, t: Words): Html {
  const { kind, title } = object
  if (title === null) return html`<span class="quiet">${t('parts.deleted_object', { kind: kindName(kind, t) })}</span>`
  const path = objectPath(request, object)
  return path === undefined ? html`<span>${title}</span>` : html`<a href="${path}">${title}</a>`
}
