// `if_revision`: the revision that a caller saw of the object it changes. It is compared with the first revisioned object that is written
// (ACTIONS.md "if_revision").

import { Failure } from '../failure.ts'

/** What is compared: an object's id and its revision. */
interface Revisioned {
  readonly id: string
  readonly revision: number
}

export interface ExpectedRevision {
  /** @throws Failure `conflict` where this is the first object and its revision is another one */
  check(object: Revisioned): void
  /** @throws Failure `conflict` where a revision was given and nothing was compared with it */
  checkUsed(): void
}

/** @param expected undefined where the caller named none: then nothing is compared */
export function createExpectedRevision(expected: number | undefined): ExpectedRevision {
  let left = expected
  return {
    check({ id, revision }) {
      if (left === undefined) return
      if (revision !== left) throw staleRevision(id, revision, left)
      left = undefined
    },
    checkUsed() {
      if (left === undefined) return
      throw new Failure('conflict', 'Nothing that has a revision was changed: what you read is gone.', { field: 'if_revision' })
    },
  }
}

const staleRevision = (id: string, revision: number, expected: number): Failure =>
  new Failure('conflict', `This is at revision ${revision}, not ${expected}: it changed since you read it.`, {
    id,
    revision,
    hint: 'Read it again, look at `changes`, and repeat the call with the revision that stands.',
  })
