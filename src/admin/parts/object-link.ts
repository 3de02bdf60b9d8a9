// Links to the objects that records and searches name. An object of a kind without a page in the admin is shown by its name alone.

import { html, type Html } from '../../doors/html.ts'
import type { Request } from '../../http/request.ts'
import { adminPaths, linkTo } from '../paths.ts'
import { type MessageKey, type Words } from '../words.ts'

/** The page of a kind of object. It takes the id as `id`. */
const pages: Readonly<Record<string, string>> = {
  entry: adminPaths.editEntry,
  media: adminPaths.mediaFile,
  menu: adminPaths.menu,
  term: adminPaths.term,
  entry_type: adminPaths.type,
  theme: adminPaths.theme,
}

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
  const page = pages[kind]
  return page === undefined ? undefined : `${linkTo(request, page)}?id=${encodeURIComponent(id)}`
}

const kindKeys: ReadonlyMap<string, MessageKey> = new Map([
  ['account', 'parts.kind_account'],
  ['entry', 'parts.kind_entry'],
  ['entry_type', 'parts.kind_entry_type'],
  ['media', 'parts.kind_media'],
  ['menu', 'parts.kind_menu'],
  ['plugin', 'parts.kind_plugin'],
  ['redirect', 'parts.kind_redirect'],
  ['skill', 'parts.kind_skill'],
  ['taxonomy', 'parts.kind_taxonomy'],
  ['term', 'parts.kind_term'],
  ['theme', 'parts.kind_theme'],
  ['token', 'parts.kind_token'],
])

/** The word for a kind of object; the kind itself where there is none. */
function kindName(kind: string, t: Words): string {
  const key = kindKeys.get(kind)
  return key === undefined ? kind.replaceAll('_', ' ') : t(key)
}

/** The title of an object, as a link where it has a page. */
export function objectLink(request: Pick<Request, 'basePath'>, object: NamedObject, t: Words): Html {
  const { kind, title } = object
  if (title === null) return html`<span class="quiet">${t('parts.deleted_object', { kind: kindName(kind, t) })}</span>`
  const path = objectPath(request, object)
  return path === undefined ? html`<span>${title}</span>` : html`<a href="${path}">${title}</a>`
}
