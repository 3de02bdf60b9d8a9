// Mail as the parts of the site see it: the bell that tells the sender of this process that a mail is due, and the note of changes
// that people are told of.

import type { RowChange } from '../store/change/change.ts'
import type { Db } from '../store/core/database.ts'

/** Queues mails about a change in its transaction. @returns true if there are any */
export type NoteChange = (db: Db, records: readonly RowChange[], now: number) => Promise<boolean>

export interface Mail {
  /** Sends what is due. */
  ring(): void
  /** Sets the function that sends what is due. */
  onRing(send: () => void): void
  readonly note: NoteChange
}

export function createMail(note: NoteChange): Mail {
  let send = (): void => undefined
  return {
    ring: () => send(),
    onRing(next) {
      send = next
    },
    note,
  }
}
