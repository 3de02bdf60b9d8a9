// The revisions of the protocol that this server supports. There are two eras: in the older one, sessions begin with
// `initialize`; since 2026-07-28, each request is independent.

/** Revisions of the `initialize` era, oldest first. */
export const initializeRevisions = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'] as const

/** Revisions in which each request is independent. */
export const standaloneRevisions = ['2026-07-28'] as const

const newestWithInitialize = initializeRevisions[initializeRevisions.length - 1] ?? ''

/** The revision to use after `initialize`: the client's, if it is supported, else the newest of that era. */
export function negotiated(revision: string): string {
  return includes(initializeRevisions, revision) ? revision : newestWithInitialize
}

/** True if a list of revisions has this one. */
export function includes(revisions: readonly string[], revision: string): boolean {
  return revisions.includes(revision)
}

/** True if a text has the form of a revision, `2026-07-28`, and is the first of the newer era or a later one. */
export function isStandalone(revision: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(revision) && revision >= standaloneRevisions[0]
}
