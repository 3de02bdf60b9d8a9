// The author of an entry, as pages name them. Nothing of an account but its name is public.

import type { ThemeAuthor } from '../../themes/contract.ts'
import type { Frame } from '../frame.ts'
import { findAuthorName } from '../public-entries.ts'

export async function authorOf({ site }: Frame, accountId: string | null): Promise<ThemeAuthor | null> {
  const name = await findAuthorName(site.store.read, accountId)
  return name ? { name, url: null, bio: null, image: null } : null
}
