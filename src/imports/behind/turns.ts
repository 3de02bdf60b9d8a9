// Turns of the event loop for visitors and other calls, while an import reads or writes.

/** Lets others have their turn. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** The longest piece of work between two turns, in milliseconds. */
const pieceMs = 5

/** Returns a function that lets others have their turn if the last one is some milliseconds ago. */
export function createTurns(): () => Promise<void> | undefined {
  let last = performance.now()
  return () => {
    if (performance.now() - last < pieceMs) return undefined
    return nextTurn().then(() => void (last = performance.now()))
  }
}
