// A page as schema.org describes it (JSON-LD): the site, its publisher, and the breadcrumbs.

import type { JsonObject } from '../../../base/json.ts'
import type { ThemeImage, ThemeLink } from '../../../themes/contract.ts'
import type { Frame } from '../frame.ts'

export interface PageFacts {
  readonly crumbs: readonly ThemeLink[]
  readonly title: string
  readonly url: string
  readonly logo?: ThemeImage | null
}

/** @param main the subject of the page, such as an article */
export function siteObjects(
  { site, origin }: Frame,
  { crumbs, title, url, logo }: PageFacts,
  main: readonly JsonObject[] = [],
): JsonObject {
  const { site_title: name, site_tagline: tagline, social_links } = site.settings.values
  const home = `${origin}/`
  const organization = {
    '@type': 'Organization',
    '@id': `${home}#organization`,
    name,
    url: home,
    logo: logo?.url,
    sameAs: social_links.length > 0 ? social_links : undefined,
  }
  const website = {
    '@type': 'WebSite',
    '@id': `${home}#website`,
    name,
    url: home,
    description: tagline || undefined,
    publisher: { '@id': organization['@id'] },
  }
  const way = [...crumbs, { title, url }]
  const breadcrumbs = {
    '@type': 'BreadcrumbList',
    itemListElement: way.map((link, at) => ({ '@type': 'ListItem', position: at + 1, name: link.title, item: link.url })),
  }
  const graph = [...main, ...(crumbs.length > 0 ? [breadcrumbs] : []), website, organization]
  return { '@context': 'https://schema.org', '@graph': graph }
}
