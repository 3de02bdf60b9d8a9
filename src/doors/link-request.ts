// A request that comes with a sealed link, as `identity/signed-link.ts` wants to know it.

import type { Services } from '../actions/services.ts'
import type { Request } from '../http/request.ts'
import type { LinkRequest } from '../identity/signed-link.ts'
import { baseOf } from './paths.ts'

export const linkRequestOf = ({ tokens }: Pick<Services, 'tokens'>, request: Request): LinkRequest => ({
  origin: baseOf(request),
  address: request.client,
  now: tokens.now(),
})
