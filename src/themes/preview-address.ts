// Addresses below which the whole site shows in another theme, for people without an account.

/** The time for which an address is valid by default, in milliseconds. */
export const previewMs = 24 * 60 * 60_000

/** The first segment of the path. No entry may have it. */
export const previewFolder = '/theme-preview'
