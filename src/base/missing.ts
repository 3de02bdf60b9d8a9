// Treats a missing file as an answer. Any other error of the file system stays an error.

/** True if an error means that the file or folder does not exist. */
export const isMissing = (error: unknown): boolean => (error as { code?: unknown }).code === 'ENOENT'

/** Returns the result of work on a file, or undefined if the file is missing. @throws any other error */
export async function unlessMissing<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}
