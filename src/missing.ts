// That a file isn't there is an answer; whatever else a file system says is an error.

/** Whether an error says that there is no such file or folder. */
export const isMissing = (error: unknown): boolean => (error as { code?: unknown }).code === 'ENOENT'

/** What work on a file gives, or undefined where there is no such file. @throws any other error */
export async function unlessMissing<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}
