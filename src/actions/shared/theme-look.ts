// Links to the site in a theme, with other settings if asked: for the frames of the admin. Nothing is stored: the address says what
// it shows, and its maker must still have access. A link that people keep is one of SVC_Themes.preview.

import type { Caller } from '../../identity/caller.ts'
import { type LinkRequest, openLink, sealLink } from '../../identity/signed-link.ts'
import type { SiteKey } from '../../identity/site-key.ts'
import type { Db } from '../../store/core/database.ts'
import { previewFolder } from '../../themes/preview-address.ts'

/** A theme, and the values of its settings; those of the site if there are none. */
export interface ThemeLook {
  readonly theme: string
  readonly chosen?: Readonly<Record<string, unknown>> | undefined
}

/** The time in milliseconds for which a link works. */
const linkMs = 60 * 60_000

/** Makes the address of the site's home page in this look. @param origin with the base path, without a slash at the end */
export function lookLink(
  { key, origin, caller, now }: { readonly key: SiteKey; readonly origin: string; readonly caller: Caller; readonly now: number },
  look: ThemeLook,
): string {
  const token = sealLink(key, 'look', { id: JSON.stringify(look), until: now + linkMs, origin }, caller)
  return `${origin}${previewFolder}/${token}/`
}

/** Returns the look of a link of this site that works; undefined for any other token. */
export async function openLook(
  site: { readonly key: SiteKey; readonly db: Db },
  token: string,
  request: LinkRequest,
): Promise<ThemeLook | undefined> {
  const link = await openLink(site, 'look', token, request)
  return link && !link.isOver ? (JSON.parse(link.id) as ThemeLook) : undefined
}
