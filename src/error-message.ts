// JavaScript can throw any value. This gives the words to show for it.

/** The message of an error; any other thrown value as text. */
export const errorMessage = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** An error as it is; any other thrown value as an error that says it. */
export const toError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)))
