// GET `/api/openapi.json`: the whole document of the caller's actions. It differs between callers, so no cache stores it.

import { documentOf, openApiPath } from '../../actions/api/openapi.ts'
import type { Services } from '../../actions/call/services.ts'
import { admit, type Admitted, type AdmittingDoor, findMaintenanceRefusal } from '../shared/admit.ts'
import { preflight } from '../shared/cors.ts'
import { baseOf } from '../shared/paths.ts'
import type { Reply } from '../../http/reply.ts'
import type { Route } from '../../http/route.ts'
import { jsonText } from '../../base/json.ts'
import { failureReply } from './failure.ts'
import { lineReply } from './line-reply.ts'

export const openApiRoute = (site: Services): Route => ({
  path: openApiPath,
  slash: 'exact',
  letterCase: 'exact',
  methods: { GET: (request) => admit(site, request, door), OPTIONS: preflight('GET, OPTIONS') },
  door: 'api',
})

const door: AdmittingDoor = {
  name: 'api',
  challenge: () => undefined,
  refuseRate: ({ headers }, failure) => failureReply(failure, headers),
  answer,
}

function answer(admitted: Admitted): Reply {
  const { caller, headers, request, site } = admitted
  const closed = findMaintenanceRefusal(admitted, undefined)
  if (closed) return failureReply(closed, headers)
  const document = documentOf({ origin: baseOf(request), site }, site.registry.visibleTo(caller))
  return lineReply(200, jsonText(document), headers)
}
