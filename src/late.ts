// Parts of the program that are loaded when they are first needed, so that a start is quick and a service that nobody asks for them stays small.

import { open } from 'node:fs/promises'
import type { Soon } from './soon.ts'

/**
 * Makes a value at its first use and keeps it. Callers that come meanwhile wait for the same one. If making it fails, they get the error, and the next
 * use tries again.
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

/** The number of files that one part may consist of. A test compares it with the build. */
export const maxFiles = 96

/**
 * Node never tries again to load a module whose file it could not open. So nothing is loaded while the process has no file descriptors left for it.
 * @throws Error EMFILE, ENFILE
 */
async function checkDescriptors(): Promise<void> {
  const tried = await Promise.allSettled(Array.from({ length: maxFiles }, () => open('/dev/null')))
  for (const one of tried) if (one.status === 'fulfilled') await one.value.close()
  const failed = tried.find((one) => one.status === 'rejected')
  if (failed) throw failed.reason
}
