// A missing file is an answer. Any other error of the file system stays an error.

/** True if an error says that there is no such file or folder. */
export const isMissing = (error: unknown): boolean => (error as { code?: unknown }).code === 'ENOENT'

/** The result of work on a file, or undefined where the file is missing. @throws any other error */
export async function unlessMissing<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}
