// Addresses of derived files. Their names contain a hash of the content, so they never change.

import { mediaPrefix } from './file-name.ts'

/** The prefix of derived files. Folder names have no underscore, so no other file is below this path. */
export const madePrefix = `${mediaPrefix}_/`

/** The path for one upload of one file. The secret is in the query, which is never logged. */
export const uploadPath = `${madePrefix}upload`

/** @param origin with the base path, without a slash at the end */
export const variantAddress = (origin: string, name: string): string => origin + madePrefix + name
