// Addresses of sites, which may end in a slash.

import { trimEndOf } from '../../base/trim-text.ts'

/** Returns an address without slashes at its end. */
export const withoutSlash = (address: string | undefined): string | undefined =>
  address === undefined ? undefined : trimEndOf(address, '/')
