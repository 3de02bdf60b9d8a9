// SVC_Proposals: its actions by name, in the order in which they are listed.

import { approve } from '../approve-proposal.ts'
import { list, get, create, reject } from '../svc-proposals.ts'

export const proposals = {
  list,
  get,
  create,
  approve,
  reject,
} as const
