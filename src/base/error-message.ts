// Converts thrown values to errors and messages. JavaScript can throw any value.

/** Returns the message of an error, or any other thrown value as text. */
export const errorMessage = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** Returns an error unchanged, and any other thrown value as an error with its text. */
export const toError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)))
