// The protocol's revisions that are spoken here, in two eras: with `initialize`, and since 2026-07-28 with every request by itself.

/** Revisions of the `initialize` era, oldest first. */
export const initializeRevisions = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'] as const

/** Revisions in which every request stands alone. */
export const standaloneRevisions = ['2026-07-28'] as const

const newestWithInitialize = initializeRevisions[initializeRevisions.length - 1] ?? ''

/** The revision to speak after `initialize`: the one asked for, else the newest of that era. */
export function negotiated(asked: string): string {
  return includes(initializeRevisions, asked) ? asked : newestWithInitialize
}

/** Whether a list of revisions has one. */
export function includes(revisions: readonly string[], revision: string): boolean {
  return revisions.includes(revision)
}

/** Whether a name has a revision's form, `2026-07-28`, and is of the newer era or later still. */
export function isStandalone(revision: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(revision) && revision >= standaloneRevisions[0]
}
