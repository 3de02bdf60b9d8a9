// Addresses of the files that are made for visitors. Their names have a hash of the content, so they never change.

import { mediaPrefix } from './file-name.ts'

/** Folder names have no underscore, so nothing else is below this. */
export const madePrefix = `${mediaPrefix}_/`

/** The path at which one file can be uploaded once. The secret is in the query, which no log has. */
export const uploadPath = `${madePrefix}upload`

/** @param origin with the base path, without a slash at the end */
export const variantAddress = (origin: string, name: string): string => origin + madePrefix + name
