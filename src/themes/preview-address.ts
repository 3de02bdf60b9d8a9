// The addresses that show the whole site in another theme, for people without an account.

/** The default lifetime of an address, in milliseconds. */
export const previewMs = 24 * 60 * 60_000

/** The first segment of the path. No entry may have it. */
export const previewFolder = '/theme-preview'
