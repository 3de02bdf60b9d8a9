// `if_revision`: the revision of the object that the caller has read. It is compared with the first revisioned object that the call
// writes.

import { Failure } from '../../base/failure.ts'

export interface ExpectedRevision {
  /** Compares the first object only. @throws Failure `conflict` if the object has another revision */
  check(object: { readonly id: string; readonly revision: number }): void
  /** @throws Failure `conflict` if a revision was given, but no object was compared with it */
  checkUsed(): void
}

/** @param expected undefined if the caller gave no revision; then nothing is compared */
export function createExpectedRevision(expected: number | undefined): ExpectedRevision {
  let unused = expected
  return {
    check({ id, revision }) {
      if (unused === undefined) return
      if (revision !== unused) throw staleRevision(id, revision, unused)
      unused = undefined
    },
    checkUsed() {
      if (unused === undefined) return
      throw new Failure('conflict', 'This call changed no object that has a revision: the object that you read is gone.', {
        field: 'if_revision',
      })
    },
  }
}

const staleRevision = (id: string, revision: number, expected: number): Failure =>
  expected > revision ? noRevisionYet(id, revision, expected) : changedSince(id, revision, expected)

const noRevisionYet = (id: string, revision: number, expected: number): Failure =>
  new Failure('conflict', `This is at revision ${revision}, and it has no revision ${expected} yet.`, {
    id,
    revision,
    hint: '`if_revision` is the `revision` of what you read. Read it again, and repeat the call with that.',
  })

const changedSince = (id: string, revision: number, expected: number): Failure =>
  new Failure('conflict', `This is at revision ${revision}, not ${expected}: it changed since you read it.`, {
    id,
    revision,
    hint: 'Read it again, look at `changes`, and repeat the call with the current revision.',
  })
