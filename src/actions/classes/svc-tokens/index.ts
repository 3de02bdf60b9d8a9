// SVC_Tokens: its actions by name, in the order in which they are listed.

import { list, update, revoke } from '../svc-tokens.ts'
import { create, rotate } from '../token-minting.ts'

export const tokens = {
  list,
  create,
  rotate,
  update,
  revoke,
} as const
