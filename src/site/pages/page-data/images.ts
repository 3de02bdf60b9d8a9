// Images of the site as themes show them.

import { findThemeImages } from '../../../actions/media/page-media.ts'
import type { ThemeImage } from '../../../themes/contract.ts'
import type { Frame } from '../frame.ts'

/**
 * Images by the ids or paths of media files. Files that are not public are left out.
 * @param hidden true to include files that no public page uses yet, as in a preview
 */
export function imagesOf(
  { site, origin }: Frame,
  refs: readonly (string | null | undefined)[],
  hidden = false,
): Promise<ReadonlyMap<string, ThemeImage>> {
  const wanted = [...new Set(refs)].filter((ref): ref is string => typeof ref === 'string' && ref !== '')
  return findThemeImages(site.store.read, wanted, { origin, now: site.clock.now(), hidden })
}

/** An image with a known address and nothing else. */
export const bareImage = (url: string): ThemeImage => ({
  url,
  alt: '',
  caption: null,
  width: 0,
  height: 0,
  variants: [],
  placeholder: null,
  focus: null,
})
