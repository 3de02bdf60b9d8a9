// A message while maintenance is on: refused with its own id, save the call by which an admin opens the site.

import type { Services } from '../actions/services.ts'
import { parseCallName } from '../doors/call.ts'
import { retryHeaders } from '../doors/call-rate.ts'
import { maintenanceRefusal, maintenanceReply } from '../doors/maintenance.ts'
import type { Failure } from '../failure.ts'
import { type Headers, jsonReply, type Reply } from '../http/reply.ts'
import type { Caller } from '../identity/caller.ts'
import { isObject } from '../json.ts'
import type { RpcRequest } from './message.ts'
import { RpcError, rpcCodes } from './rpc.ts'
import type { ToolName } from './tools.ts'

/** The refusal of a request; undefined where it may go on. */
export function refusalOf(site: Services, caller: Caller, request: RpcRequest): Failure | undefined {
  return site.maintenance.now() && maintenanceRefusal(site, caller, actionOf(request))
}

const callTool: ToolName = 'SVC_API__call-action'

/** The action that a request means to run; undefined where it runs none, or is no sound call. */
function actionOf({ method, params }: RpcRequest): string | undefined {
  const input = params['arguments']
  const isCall = method === 'tools/call' && params['name'] === callTool && isObject(input)
  return isCall ? parseCallName(input['class'], input['action']) : undefined
}

/** The refusal as the error of one request. */
export function closedError(failure: Failure): RpcError {
  return new RpcError(rpcCodes.internalError, failure.message, 503, failure)
}

/** The answer to a body of which nothing was let in. @param text the error, or those of a batch, as JSON */
export function closedReply(site: Services, failure: Failure, text: string, headers: Headers): Reply {
  return maintenanceReply(site, failure, headers, () => jsonReply(503, text, { ...headers, ...retryHeaders(failure) }))
}
