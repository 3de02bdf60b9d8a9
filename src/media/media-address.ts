// Addresses of derived files. Their names contain a hash of the content, so they never change.

import { mediaPrefix } from './file-name.ts'

/** The prefix of derived files. Folder names have no underscore, so no other file is below this path. */
export const madePrefix = `${mediaPrefix}_/`

/** The path for the upload of one file by a program. The secret is in the query, which is never logged. */
export const uploadPath = `${madePrefix}upload`

/** The path of the page on which a person drops files. The log masks the secret by its beginning. */
export const uploadPagePath = (secret: string): string => `${uploadPath}/${secret}`

/** @param origin with the base path, without a slash at the end */
export const variantAddress = (origin: string, name: string): string => origin + madePrefix + name
