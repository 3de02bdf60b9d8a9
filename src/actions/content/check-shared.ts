// The checks of what the whole site shares: the links of menus, of the settings of the active theme, and of redirects. Also the
// form of a finding.

import { type Static, Type } from 'typebox'
import { checkRules, type CheckRule, type EntryFix, faultOf } from '../../content/entries/check-entry.ts'
import { findLinkEnds, type LinkEnd } from '../../content/markdown/link-ends.ts'
import { linkedPaths } from '../../content/markdown/internal-links.ts'
import { eachItem, itemsOf } from '../../store/change/menu-references.ts'
import type { Context } from '../call/action.ts'
import { nullable } from '../call/write-answer.ts'
import { isServedPath } from '../redirects/served-path.ts'

/** A finding in an answer. */
export const finding = Type.Object({
  id: Type.String(),
  kind: Type.Enum(['entry', 'menu', 'theme', 'redirect']),
  title: Type.String(),
  path: nullable(Type.String()),
  rule: Type.Enum([...checkRules]),
  place: Type.String(),
  message: Type.String(),
  nearest: Type.Optional(Type.String({ description: 'The path of a similar page, where a link leads nowhere.' })),
  fix: Type.Union([Type.Object({ call: Type.String(), arguments: Type.Unknown() }), Type.Null()], {
    description: 'The call that fixes it, which SVC_Content.fix makes; null where a person has to decide how.',
  }),
})
export type CheckFinding = Static<typeof finding>

/** A finding whose link may have a similar page. */
export type LostFinding = CheckFinding & { readonly lost?: string }

/** A link of something that the whole site shares. */
interface SharedLink extends Pick<CheckFinding, 'id' | 'kind' | 'title' | 'path'> {
  readonly place: string
  /** A path of the site, or the id of an entry. */
  readonly ref: string
  fix?(leadsTo: string): EntryFix
}

type Rule = Extract<CheckRule, 'menus' | 'themes' | 'redirects'>

const readers: Readonly<Record<Rule, (context: Context) => Promise<readonly SharedLink[]>>> = {
  async menus({ db, origin }) {
    const menus = await db.selectFrom('menu').selectAll().orderBy('slug').execute()
    return menus.flatMap((menu) =>
      [...eachItem(itemsOf(menu))].flatMap(({ label, entry, url }) => {
        const ref = entry ?? pathOf(url, origin)
        const named = label === null ? '' : `: ${label}`
        return ref === undefined
          ? []
          : [{ id: menu.id, kind: 'menu' as const, title: menu.name, path: null, place: `items${named}`, ref }]
      }),
    )
  },

  async themes({ site, origin }) {
    const { slug, manifest, settings } = await site.themes.active()
    return Object.entries(settings).flatMap(([name, value]) => {
      const ref = typeof value === 'string' ? pathOf(value, origin) : undefined
      if (ref === undefined) return []
      const fix = (leadsTo: string): EntryFix => ({
        call: 'SVC_Themes.configure',
        arguments: { id: slug, settings: { [name]: leadsTo } },
      })
      return [{ id: slug, kind: 'theme' as const, title: manifest.name, path: null, place: `settings.${name}`, ref, fix }]
    })
  },

  async redirects({ db, origin }) {
    const rows = await db.selectFrom('redirect').selectAll().orderBy('source').limit(maxRedirects).execute()
    return rows.flatMap(({ id, source, target }) => {
      const ref = target === null || target.endsWith('*') ? undefined : pathOf(target, origin)
      if (ref === undefined) return []
      const fix = (leadsTo: string): EntryFix => ({ call: 'SVC_Redirects.update', arguments: { id, to: leadsTo } })
      return [{ id, kind: 'redirect' as const, title: source, path: source, place: 'to', ref, fix }]
    })
  },
}

const maxRedirects = 10_000

/** The path of the site at an address; undefined for an address elsewhere, and for the home page. */
const pathOf = (address: string | undefined, origin: string): string | undefined =>
  address === undefined || address === '/'
    ? undefined
    : linkedPaths(`<a href="${address.replaceAll('&', '&amp;').replaceAll('"', '%22')}">`, origin)[0]

/** Checks what the whole site shares, by those of the rules that are about that. */
export async function checkShared(context: Context, rules: readonly CheckRule[]): Promise<readonly LostFinding[]> {
  const found: LostFinding[] = []
  for (const rule of rules) {
    const links = Object.hasOwn(readers, rule) ? await readers[rule as Rule](context) : []
    const ends = await endsOf(context, links)
    for (const { ref, fix, ...link } of links) {
      const fault = faultOf(ref, ends.get(ref) ?? { path: ref, missing: true })
      if (!fault) continue
      const mended = fault.leadsTo === undefined ? undefined : fix?.(fault.leadsTo)
      found.push({ ...link, rule, message: fault.message, fix: mended ?? null, ...(ref.startsWith('/') && { lost: ref }) })
    }
  }
  return found
}

function endsOf({ db, now }: Context, links: readonly SharedLink[]): Promise<ReadonlyMap<string, LinkEnd>> {
  const refs = [...new Set(links.map(({ ref }) => ref))]
  const isMedia = (ref: string) => ref.startsWith('/media/')
  const isPath = (ref: string) => ref.startsWith('/') && !isMedia(ref)
  const met = { paths: refs.filter(isPath), media: refs.filter(isMedia), entries: refs.filter((ref) => !ref.startsWith('/')) }
  return findLinkEnds({ db, now, isServed: (path) => isServedPath(db, path) }, met)
}
