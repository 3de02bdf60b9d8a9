// The links in the head of a page to the feeds of the site and of a list, and to the icon and the manifest of the site.

import { hrefAttribute, attribute, html, type Html } from '../../../doors/shared/html.ts'
import { homePathOf } from '../alternates.ts'
import type { Frame } from '../frame.ts'

/** The name of each feed below its list, and its media type. */
export const feedFiles = {
  'feed.xml': 'application/rss+xml',
  'atom.xml': 'application/atom+xml',
  'feed.json': 'application/feed+json',
} as const
export type FeedFile = keyof typeof feedFiles

/** @param list a list that has feeds */
export function feedLinks(
  { site, origin }: Frame,
  branch: string | null,
  list?: { readonly path: string; readonly title: string },
): readonly Html[] {
  const { site_title: title } = site.settings.values
  const home = homePathOf(site, branch).replace(/\/$/, '')
  const own = list ? [linkTo(`${origin}${list.path}`, 'feed.xml', `${list.title} – ${title}`)] : []
  const files = Object.keys(feedFiles) as FeedFile[]
  return [...own, ...files.map((file) => linkTo(origin + home, file, title))]
}

function linkTo(folder: string, file: FeedFile, title: string): Html {
  const attributes = html`${attribute('type', feedFiles[file])} ${attribute('title', title)}`
  return html`<link rel="alternate" ${attributes} ${hrefAttribute(`${folder}/${file}`)} />`
}

export const iconLinks = ({ origin }: Frame): readonly Html[] => [
  html`<link rel="icon" ${hrefAttribute(`${origin}/favicon.ico`)} />`,
  html`<link rel="manifest" ${hrefAttribute(`${origin}/site.webmanifest`)} />`,
]
