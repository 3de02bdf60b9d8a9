// The address of the endpoint for webmentions, as pages announce it.

import { takesComments } from '../../content/comments/comment-rules.ts'
import { attribute, html, hrefAttribute, type Html } from '../../doors/shared/html.ts'
import type { EntryRow } from '../../store/core/schema.ts'
import type { Frame } from '../pages/frame.ts'

export const webmentionPath = '/webmention'

type Mentioned = Pick<EntryRow, 'type' | 'comments' | 'password_hash'>

/** The address of the endpoint for the page of an entry; undefined if the entry takes no webmentions. */
export function webmentionEndpoint({ site, origin }: Frame, entry: Mentioned): string | undefined {
  const { values } = site.settings
  return values.webmentions && entry.password_hash === null && takesComments(values, entry) ? origin + webmentionPath : undefined
}

/** The link in the head of a page to its endpoint. */
export function webmentionLinks(frame: Frame, entry: Mentioned): readonly Html[] {
  const endpoint = webmentionEndpoint(frame, entry)
  return endpoint === undefined ? [] : [html`<link ${attribute('rel', 'webmention')} ${hrefAttribute(endpoint)} />`]
}
