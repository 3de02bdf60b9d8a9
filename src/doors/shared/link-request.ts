// A request with a sealed link, in the form for `identity/signed-link.ts`.

import type { Services } from '../../actions/call/services.ts'
import type { Request } from '../../http/request.ts'
import type { LinkRequest } from '../../identity/signed-link.ts'
import { baseOf } from './paths.ts'

export const linkRequestOf = ({ tokens }: Pick<Services, 'tokens'>, request: Request): LinkRequest => ({
  origin: baseOf(request),
  address: request.client,
  now: tokens.now(),
})
