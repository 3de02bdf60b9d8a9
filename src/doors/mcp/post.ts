// One POST to `/mcp/`. `doors/shared/admit.ts` admits the caller and reads the request body; this file answers its message, or its
// batch of messages.

import type { Services } from '../../actions/call/services.ts'
import { admit, type Admitted, type AdmittingDoor } from '../shared/admit.ts'
import { retryHeaders } from '../shared/call-rate.ts'
import type { Credential } from '../shared/credential.ts'
import { unanswered } from '../shared/profiles/bad-utf8.ts'
import type { JsonBody } from '../shared/read-json.ts'
import { Failure } from '../../base/failure.ts'
import { empty, type Headers, jsonReply, type Reply } from '../../http/reply.ts'
import type { Request } from '../../http/request.ts'
import { type Soon, whenThere } from '../../base/soon.ts'
import { answerMessage, refuseByPlugins } from './answer-message.ts'
import { answerBatch, parseBatch } from './batch.ts'
import { bringsBody, isJsonType } from './content-type.ts'
import { eraOf, initializeFault, type MirrorHeaders, standaloneFault } from './era.ts'
import { challenge, emptyBody, errorReply } from './failure.ts'
import { closedError, closedReply, findClosedRefusal } from './maintenance.ts'
import { type Message, type Notification, parseMessage, type RpcRequest } from './message.ts'
import { createMethods, type RpcMethods } from './methods.ts'
import { findProgressToken, replyWithProgress } from './progress.ts'
import { errorText, resultText, RpcError, rpcCodes } from './rpc.ts'

export function createPost(site: Services): (request: Request) => Soon<Reply> {
  const methods = createMethods(site)
  const door: AdmittingDoor = {
    name: 'mcp',
    challenge: (request, credential) => (site.release.mcpAnonymous ? undefined : challengePost(request, credential)),
    refuseRate: (admitted, failure) => failureReply(admitted, failure, 429),
    checkType: (request) => (bringsBody(request) && !isJsonType(request.header('content-type')) ? wrongType : undefined),
    answer: (admitted, body) => answerBody(admitted, methods, body),
  }
  return (request) => admit(site, request, door)
}

/** Challenges a caller without a token. The request body is not read: the headers show if there is one. */
const challengePost = (request: Request, credential: Credential): Reply =>
  bringsBody(request) ? challenge(request, credential) : challenge(request, credential, emptyBody(401))

const wrongType = new Failure('unsupported', 'Invalid request: send Content-Type: application/json.')
const notJson = new RpcError(rpcCodes.invalidRequest, wrongType.message, 415)
const notMessage = new RpcError(
  rpcCodes.invalidRequest,
  'Invalid request: the body must be one JSON-RPC 2.0 message, with "jsonrpc": "2.0". Calls without it, such as {"action": "SVC_API.welcome"}, go to /api/.',
  400,
)

function answerBody(admitted: Admitted, methods: RpcMethods, body: JsonBody): Soon<Reply> {
  const read = readMessages(admitted, body)
  if ('status' in read) return replyUnlessRefused(admitted, read)
  return 'kind' in read ? answerOne(admitted, methods, read) : answerBatch(admitted, methods, read)
}

/** Returns the reply to a request body without a message, unless a plugin refuses the request. */
async function replyUnlessRefused(admitted: Admitted, reply: Reply): Promise<Reply> {
  return (await refuseByPlugins(admitted)) ?? reply
}

/** The message or the batch in a request body, or the reply to a body without one. */
function readMessages(admitted: Admitted, body: JsonBody): Message | readonly Message[] | Reply {
  const { request, headers } = admitted
  switch (body.kind) {
    case 'empty':
      return errorReply(emptyBody(200), headers)
    case 'unanswered':
      return unanswered(headers)
    case 'failure':
      return bodyFailure(admitted, body.failure)
    case 'value': {
      const { value } = body
      const read = Array.isArray(value) ? parseBatch(value, request.header('mcp-protocol-version')) : parseMessage(value)
      return read instanceof RpcError ? errorReply(read, headers) : (read ?? errorReply(notMessage, headers))
    }
    default:
      return body satisfies never
  }
}

function bodyFailure(admitted: Admitted, failure: Failure): Reply {
  if (failure === wrongType) return errorReply(notJson, admitted.headers)
  if (failure.code !== 'malformed') return failureReply(admitted, failure, 413)
  return errorReply(new RpcError(rpcCodes.parseError, `Parse error: ${failure.message}`, 400, failure), admitted.headers)
}

/** The reply to a request that is refused before its message is read. */
function failureReply({ headers }: Admitted, failure: Failure, status: number): Reply {
  const error = new RpcError(rpcCodes.invalidRequest, failure.message, status, failure)
  return { ...errorReply(error, { ...headers, ...retryHeaders(failure) }), drain: true }
}

const mirrorsOf = (request: Request): MirrorHeaders => ({
  revision: request.header('mcp-protocol-version')?.trim(),
  method: request.header('mcp-method')?.trim(),
  name: request.header('mcp-name')?.trim(),
})

function answerOne(admitted: Admitted, methods: RpcMethods, message: Message): Soon<Reply> {
  const { request, headers } = admitted
  if (message.kind === 'response') return replyUnlessRefused(admitted, empty(202, headers))
  const closed = findClosedRefusal(admitted, message)
  if (closed && message.kind === 'request') return closedReply(admitted, closed, errorText(message.id, closedError(closed)))
  const mirrors = mirrorsOf(request)
  const era = eraOf(mirrors, message)
  const question = { era, message, fault: findFault(mirrors, era, message) }
  const token = message.kind === 'request' && !question.fault ? findProgressToken(admitted, message) : undefined
  if (message.kind === 'request' && token !== undefined)
    return replyWithProgress(admitted, token, async (onProgress) => {
      const result = await answerMessage({ ...admitted, onProgress }, methods, question)
      return result instanceof RpcError ? errorText(message.id, result) : resultText(message.id, result)
    })
  return whenThere(answerMessage(admitted, methods, question), (result) => toReply(message, result, headers))
}

function toReply(message: RpcRequest | Notification, result: string | RpcError, headers: Headers): Reply {
  if (message.kind === 'notification') return result instanceof RpcError ? errorReply(result, headers) : empty(202, headers)
  return result instanceof RpcError
    ? jsonReply(result.status, errorText(message.id, result), headers)
    : jsonReply(200, resultText(message.id, result), headers)
}

function findFault(mirrors: MirrorHeaders, era: ReturnType<typeof eraOf>, message: Exclude<Message, { kind: 'response' }>) {
  if (era === 'initialize') return initializeFault(mirrors, message)
  return message.kind === 'request' ? standaloneFault(mirrors, message) : undefined
}
