// Parts of the program that are loaded at their first use. Starts are quicker, and a service that never uses a part needs less
// memory.

import { open } from 'node:fs/promises'
import type { Soon } from './soon.ts'

/**
 * Makes a value at its first use and caches it. Callers that arrive while it is made wait for the same value. If making it fails,
 * they get the error, and the next use tries again.
 */
export function createLate<T>(make: () => Promise<T>): () => Soon<T> {
  let made: { readonly value: T } | undefined
  let coming: Promise<T> | undefined
  const begin = async (): Promise<T> => {
    try {
      await checkDescriptors()
      made = { value: await make() }
      return made.value
    } finally {
      coming = undefined
    }
  }
  return () => (made ? made.value : (coming ??= begin()))
}

/** The largest number of files of one part. A test compares it with the build. */
export const maxFiles = 96

/**
 * Checks that the process has enough file descriptors to load a part. If Node can't open the file of a module once, it never tries
 * that module again.
 * @throws Error EMFILE, ENFILE
 */
async function checkDescriptors(): Promise<void> {
  const tried = await Promise.allSettled(Array.from({ length: maxFiles }, () => open('/dev/null')))
  for (const one of tried) if (one.status === 'fulfilled') await one.value.close()
  const failed = tried.find((one) => one.status === 'rejected')
  if (failed) throw failed.reason
}
