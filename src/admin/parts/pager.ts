// The link to the next page of a list.

import { html, type HtmlValue } from '../../doors/shared/html.ts'
import { withParameter } from '../paths.ts'
import type { Words } from '../words.ts'

/** The link to the next page of a list; nothing on the last page. @param path with the query of the list, if any */
export function pagerOf(path: string, cursor: string | null, t: Words): HtmlValue {
  if (cursor === null) return undefined
  return html`<p class="pager"><a class="button" href="${withParameter(path, 'cursor', cursor)}">${t('parts.more')}</a></p>`
}
