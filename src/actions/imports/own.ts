// Exports of Postern, as a part of the program that is loaded when one comes, because its reader of YAML is large.

import { createLate } from '../../base/late.ts'

export const own = createLate(async () => {
  const [{ inspectedOwn }, { takeBack }] = await Promise.all([import('./own/inspect-own.ts'), import('./own/take-back.ts')])
  return { inspectedOwn, takeBack }
})
