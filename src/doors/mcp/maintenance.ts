// JSON-RPC requests while maintenance is on. Each is refused under its own id, except the call with which an admin opens the site.

import { type Admitted, findMaintenanceRefusal } from '../shared/admit.ts'
import { parseCallName } from '../shared/read-call.ts'
import { retryHeaders } from '../shared/call-rate.ts'
import { findMaintenancePage } from '../shared/profiles/maintenance-page.ts'
import type { Failure } from '../../base/failure.ts'
import { jsonReply, type Reply } from '../../http/reply.ts'
import { isObject } from '../../base/json.ts'
import type { Message, RpcRequest } from './message.ts'
import { RpcError, rpcCodes } from './rpc.ts'
import type { ToolName } from './tools.ts'

/** The refusal of a message; undefined for a message that is let through or gets no answer. */
export function findClosedRefusal(admitted: Admitted, message: Message): Failure | undefined {
  if (message.kind !== 'request' || !admitted.site.maintenance.now()) return undefined
  return findMaintenanceRefusal(admitted, findCalledAction(message))
}

const callTool: ToolName = 'SVC_API__call-action'

/** The action that a request calls; undefined if it calls none or is malformed. */
function findCalledAction({ method, params }: RpcRequest): string | undefined {
  const input = params['arguments']
  const isCall = method === 'tools/call' && params['name'] === callTool && isObject(input)
  return isCall ? parseCallName(input) : undefined
}

/** The refusal as the error of one request. */
export function closedError(failure: Failure): RpcError {
  return new RpcError(rpcCodes.internalError, failure.message, 503, failure)
}

/** The reply to a request body in which every message was refused. @param text the error, or the errors of a batch, as JSON */
export function closedReply({ site, headers }: Admitted, failure: Failure, text: string): Reply {
  const page = findMaintenancePage(site.release, failure, headers)
  return page ?? jsonReply(503, text, { ...headers, ...retryHeaders(failure) })
}
