// SVC_Tokens: its actions by name, in the order in which they are listed.

import { tokensList, tokensUpdate, tokensRevoke } from '../svc-tokens.ts'
import { tokensCreate, tokensRotate } from '../token-minting.ts'

export const tokens = {
  list: tokensList,
  create: tokensCreate,
  rotate: tokensRotate,
  update: tokensUpdate,
  revoke: tokensRevoke,
} as const
