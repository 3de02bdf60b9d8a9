// Signed links to pages that are not public. A link names an entry, or content that was stored for the link alone and expires with it. Its token is
// encrypted and authenticated with the site's key, and is valid at one address of the site only.

import { seal, unseal } from '../identity/sealed.ts'
import type { SiteKey } from '../identity/site-key.ts'
import { isObject } from '../json.ts'
import type { Db } from '../store/database.ts'
import type { EntryRow } from '../store/schema.ts'
import { mergeEntry } from './pending.ts'

export const previewPath = '/user-content/preview/'

/** The log masks texts that begin with this. */
const prefix = 'psp_'
const purpose = 'preview'

/** All content that is stored for previews. Where there is more, the links that expire first stop working. */
const maxStoredBytes = 64 * 1024 ** 2

/** What a link shows: an entry with what waits for it, or stored content. */
export interface PreviewLink {
  readonly entry?: string
  readonly stored?: string
  /** UTC milliseconds. */
  readonly until: number
}

/** The address of a preview. @param origin with the base path, without a slash at the end */
export const previewAddress = (key: SiteKey, origin: string, link: PreviewLink): string =>
  `${origin}${previewPath}${prefix}${seal(key, purpose, { ...link, at: placeOf(origin) })}`

/** What a token shows. Undefined for a token that this site didn't make for this address, and after its time. */
export function readPreview(key: SiteKey, origin: string, token: string, now: number): PreviewLink | undefined {
  const opened = token.startsWith(prefix) ? unseal(key, purpose, token.slice(prefix.length)) : undefined
  if (!isObject(opened) || opened['at'] !== placeOf(origin)) return undefined
  const link = opened as unknown as PreviewLink
  return link.until > now ? link : undefined
}

/** Host and base path. The scheme may differ behind a web server that ends TLS. */
const placeOf = (origin: string): string => origin.replace(/^https?:/, '')

/** The entry that a link shows; undefined if it is gone or in the trash. */
export async function findPreviewed(db: Db, { entry, stored, until }: PreviewLink): Promise<EntryRow | undefined> {
  if (stored !== undefined) {
    const kept = await db
      .selectFrom('preview')
      .select('entry')
      .where('id', '=', stored)
      .where('expires_at', '=', until)
      .executeTakeFirst()
    return kept && (JSON.parse(kept.entry) as EntryRow)
  }
  const row = await db
    .selectFrom('entry')
    .selectAll()
    .where('id', '=', entry ?? '')
    .executeTakeFirst()
  return row === undefined || row.status === 'trash' ? undefined : (await mergeEntry(db, row)).row
}

/** Stores the content of a preview, and removes what has expired or is too much. */
export async function storePreview(
  db: Db,
  { id, entry, until }: { id: string; entry: EntryRow; until: number },
  now: number,
): Promise<void> {
  const text = JSON.stringify(entry)
  await db.deleteFrom('preview').where('expires_at', '<=', now).execute()
  const others = await db.selectFrom('preview').select(['id', 'bytes']).orderBy('expires_at', 'desc').orderBy('id').execute()
  let bytes = Buffer.byteLength(text)
  await db.insertInto('preview').values({ id, entry: text, bytes, expires_at: until }).execute()
  const dropped = others.filter((other) => (bytes += other.bytes) > maxStoredBytes).map((other) => other.id)
  if (dropped.length > 0) await db.deleteFrom('preview').where('id', 'in', dropped.slice(0, 1000)).execute()
}
