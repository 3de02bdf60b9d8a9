// The checks of what the whole site shares: the links of menus, of the settings of the active theme, and of redirects. Unlike those
// in texts, these links are on pages as they are written.

import type { Kind } from '../../store/change/kinds.ts'
import { type EntryFix, faultOf, isLost, noHeading, type siteRules } from '../../content/entries/check-entry.ts'
import { type InternalLink, readAddress } from '../../content/markdown/internal-links.ts'
import { headingIdPrefix } from '../../content/markdown/heading-id.ts'
import { findLinkEnds, type LinkEnd } from '../../content/markdown/link-ends.ts'
import { eachItem, itemsOf, type StoredMenuItem } from '../../store/change/menu-references.ts'
import type { MenuRow } from '../../store/core/schema.ts'
import { findThemeRow } from '../../themes/theme-store.ts'
import { nearest } from '../../base/nearest.ts'
import type { Context } from '../call/action.ts'
import { isVisible } from '../call/registry.ts'
import { isServedPath } from '../redirects/served-path.ts'
import type { LostFinding } from './finding.ts'
import type { PageHeadings } from './page-headings.ts'

/** The thing that has a link. */
interface Holder extends Pick<LostFinding, 'id' | 'title' | 'path' | 'revision'> {
  readonly kind: Extract<Kind, 'menu' | 'theme' | 'redirect'>
}

/** A link of something that the whole site shares. It leads to an address of the site, or to an entry or a term by its id. */
interface SharedLink {
  readonly holder: Holder
  readonly place: string
  readonly to: { readonly address: InternalLink } | { readonly entry: string } | { readonly term: string }
  /** Returns the call that gives the link another address. */
  leadTo?(address: string): EntryFix
  /** The call that takes the link away, for a target that is gone for good. */
  readonly takeAway?: EntryFix
}

type SiteRule = (typeof siteRules)[number]

/** The readers of links by rule, each with the action by which callers see the same. Others are not told of them. */
const sources: Readonly<Record<SiteRule, { readonly seenBy: string; read(context: Context): Promise<readonly SharedLink[]> }>> = {
  menus: {
    seenBy: 'SVC_Menus.get',
    async read({ db, origin }) {
      const menus = await db.selectFrom('menu').selectAll().orderBy('slug').execute()
      return menus.flatMap((menu) => [...eachItem(itemsOf(menu))].flatMap((item) => linkOfItem(menu, item, origin)))
    },
  },

  themes: {
    seenBy: 'SVC_Themes.get',
    async read({ site, db, origin }) {
      const { slug, manifest, settings } = await site.themes.active()
      const revision = (await findThemeRow(db, slug))?.revision ?? 0
      const holder = { id: slug, kind: 'theme', title: manifest.name, path: null, revision } as const
      return Object.entries(settings).flatMap(([name, value]) => {
        const address = typeof value === 'string' ? readAddress(value, origin) : undefined
        if (address === undefined || /\s/.test(String(value))) return []
        const leadTo = (to: string) => ({ call: 'SVC_Themes.configure', arguments: { id: slug, settings: { [name]: to } } })
        return [{ holder, place: `settings.${name}`, to: { address }, leadTo }]
      })
    },
  },

  redirects: {
    seenBy: 'SVC_Redirects.list',
    async read({ db, origin }) {
      const rows = await db.selectFrom('redirect').selectAll().orderBy('source').execute()
      return rows.flatMap(({ id, source, target, revision }) => {
        const address = target === null || target.endsWith('/*') ? undefined : readAddress(target, origin)
        if (address === undefined) return []
        const holder = { id, kind: 'redirect', title: source, path: source, revision } as const
        const leadTo = (to: string) => ({ call: 'SVC_Redirects.update', arguments: { id, to } })
        return [{ holder, place: 'to', to: { address }, leadTo }]
      })
    },
  },
}

function linkOfItem(menu: MenuRow, item: StoredMenuItem, origin: string): readonly SharedLink[] {
  const { id, label, entry, term, url, items = [] } = item
  const holder = { id: menu.id, kind: 'menu', title: menu.name, path: null, revision: menu.revision } as const
  const link = { holder, place: `items.${id}${label === null ? '' : `: ${label}`}` }
  const takeAway = { call: 'SVC_Menus.remove', arguments: { id: menu.id, item: id } }
  // Items below it would go, too.
  const away = items.length === 0 ? { takeAway } : {}
  if (entry !== undefined) return [{ ...link, to: { entry }, ...away }]
  if (term !== undefined) return [{ ...link, to: { term }, ...away }]
  const address = url === undefined ? undefined : readAddress(url, origin)
  if (address === undefined) return []
  const leadTo = (to: string) => ({ call: 'SVC_Menus.update', arguments: { id: menu.id, change: { item: id, url: to } } })
  return [{ ...link, to: { address }, leadTo }]
}

/** Checks what the whole site shares, by these rules. */
export async function checkShared(
  context: Context,
  rules: readonly SiteRule[],
  headings: PageHeadings,
): Promise<readonly LostFinding[]> {
  const { site, caller } = context
  const found: LostFinding[] = []
  for (const rule of rules) {
    const { seenBy, read } = sources[rule]
    const action = site.registry.find(seenBy)
    if (!action || !isVisible(action, caller)) continue
    const links = await read(context)
    const ends = await endsOf(context, links)
    for (const link of links) {
      const fault = await faultIn(context, link, ends, headings)
      const { kind, ...holder } = link.holder
      if (fault) found.push({ kind, ...holder, rule, place: link.place, ...fault })
    }
  }
  return found
}

type Fault = Pick<LostFinding, 'message' | 'fix' | 'lost' | 'nearest'>

async function faultIn(
  { site }: Context,
  link: SharedLink,
  ends: ReadonlyMap<string, LinkEnd>,
  headings: PageHeadings,
): Promise<Fault | undefined> {
  const { to, leadTo, takeAway = null } = link
  if ('term' in to) return site.terms.of(to.term) ? undefined : { message: 'Its term was deleted.', fix: takeAway }
  if ('entry' in to) {
    const end = ends.get(to.entry)
    if (end === undefined || end.missing) return { message: 'Its entry was deleted for good.', fix: takeAway }
    // A menu shows the item from the date on at which its entry is public.
    const fault = end.status === 'scheduled' ? undefined : faultOf(to.entry, end)
    return fault && { message: fault.message, fix: null }
  }
  const { path, rest } = to.address
  const end = ends.get(path) ?? { path, missing: true }
  const fault = faultOf(path, end)
  if (!fault) return deadAnchor(site, link, end, headings)
  const fix = fault.leadsTo === undefined ? undefined : leadTo?.(fault.leadsTo + rest)
  return { message: fault.message, fix: fix ?? null, ...(isLost(path, end) && { lost: path }) }
}

/** Finds a link to a heading that is not there. The address needs the whole id, with the prefix. */
async function deadAnchor(
  { themes }: Context['site'],
  { to, leadTo }: SharedLink,
  { kind, id: entryId, path }: LinkEnd,
  headings: PageHeadings,
): Promise<Fault | undefined> {
  const fragment = 'address' in to ? /#(?!:~:)(.+)$/s.exec(to.address.rest)?.[1] : undefined
  if (fragment === undefined || kind !== 'entry' || entryId === undefined || path === null) return undefined
  const [id = ''] = decoded(fragment).split(':~:', 1)
  const known = await headings.ofEntry(entryId)
  if (known === undefined || idsOfTheme((await themes.active()).source.templates).has(id)) return undefined
  const bare = id.startsWith(headingIdPrefix) ? id.slice(headingIdPrefix.length) : id
  const isThere = known.includes(bare)
  if (isThere && bare !== id) return undefined
  const near = isThere ? bare : nearest(bare, known)[0]
  const address = near && `${path}#${headingIdPrefix}${near}`
  return {
    message: isThere
      ? `The id of the heading "${bare}" is "${headingIdPrefix}${bare}" in an address outside of a text.`
      : noHeading(path, bare),
    ...(address !== undefined && { nearest: address }),
    fix: (address !== undefined && leadTo?.(address)) || null,
  }
}

function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment)
  } catch {
    return fragment
  }
}

/** The ids that the templates of a theme have on pages, and the place that every page has. */
const idsOfTheme = (templates: Readonly<Record<string, string>>): ReadonlySet<string> =>
  new Set(['top', ...Object.values(templates).flatMap((text) => [...text.matchAll(/ id="([^"{}]+)"/g)].map(([, id = '']) => id))])

function endsOf({ db, now }: Context, links: readonly SharedLink[]): Promise<ReadonlyMap<string, LinkEnd>> {
  const addresses = [...new Set(links.flatMap(({ to }) => ('address' in to ? [to.address.path] : [])))]
  const isMedia = (path: string) => path.startsWith('/media/')
  const met = {
    paths: addresses.filter((path) => !isMedia(path)),
    media: addresses.filter(isMedia),
    entries: [...new Set(links.flatMap(({ to }) => ('entry' in to ? [to.entry] : [])))],
  }
  return findLinkEnds({ db, now, isServed: (path) => isServedPath(db, path) }, met)
}
