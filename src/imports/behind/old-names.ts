// The names of an old site's addresses in the table of old addresses.

import { urlOf } from '../../content/entries/entry.ts'
import type { OldAddress } from '../../content/redirects/old-addresses.ts'
import { type OldSite, readAddress } from './addresses.ts'

const kinds: Readonly<Record<string, OldAddress['kind']>> = {
  p: 'item',
  page_id: 'item',
  attachment_id: 'item',
  cat: 'term',
  author: 'author',
}

/** Returns the names of addresses on the old site. @param target the thing here, at `path` */
export function oldNames(
  addresses: readonly string[],
  site: OldSite,
  target: Pick<OldAddress, 'targetKind' | 'targetId'> & { readonly path: string | undefined },
): readonly OldAddress[] {
  const { path, targetKind, targetId } = target
  const base = site.base.replace(/\/$/, '')
  return addresses.flatMap((address) => {
    const read = readAddress(address, site)
    if (!read?.isOwn) return []
    const [, name = '', number = ''] = /\?([a-z_]+)=(\d{1,20})$/.exec(read.key) ?? []
    const kind = kinds[name]
    if (kind) return [{ site: base, kind, old: number, targetKind, targetId }]
    if (read.key !== read.file || read.key === '/' || read.key === path) return []
    // Old paths are read as they stand in addresses.
    return [{ site: base, kind: 'path' as const, old: urlOf('', read.key), targetKind, targetId }]
  })
}
