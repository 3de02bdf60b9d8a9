// SVC_Docs: its actions by name, in the order in which they are listed.

import { docsList, docsGet, search } from '../svc-docs.ts'

export const docs = {
  list: docsList,
  get: docsGet,
  search,
} as const
