// One POST to `/mcp/`, step by step: origin, credential, rate, type, body, messages. The order is the security argument:
// nothing of a body is looked at before its sender may send one.

import type { Services } from '../actions/services.ts'
import { rateHeaders, retryHeaders, tooManyCalls } from '../doors/call-rate.ts'
import { credentialBeside } from '../doors/bridge.ts'
import type { Credential } from '../doors/credential.ts'
import { askBeforeMethod, standsBeforeMethods, throughPlugins } from '../doors/plugin-path.ts'
import { readJson } from '../doors/read-json.ts'
import { silenced } from '../doors/silence.ts'
import type { Failure } from '../failure.ts'
import { empty, type Headers, jsonReply, type Reply } from '../http/reply.ts'
import type { Request } from '../http/request.ts'
import { anonymous, type Caller } from '../identity/caller.ts'
import { refusedByPlugin } from './call-tool.ts'
import { eraOf, initializeFault, type MirrorHeaders, standaloneFault } from './era.ts'
import { challenge, emptyBody, errorReply } from './failure.ts'
import { closedError, closedReply, refusalOf } from './maintenance.ts'
import { type Message, parseMessage } from './message.ts'
import { type Answer, createMethods } from './methods.ts'
import { errorText, resultText, RpcError, rpcCodes } from './rpc.ts'

const maxBatch = 50

/** A handler for POST. */
export function createPost(site: Services): (request: Request) => Promise<Reply> {
  const answer = createMethods(site)
  return async (request) => {
    const { credential, reply } = await credentialBeside(site, request, 'mcp')
    if (reply) return reply
    if (!credential.caller && !site.release.mcpAnonymous) return refuse(request, credential)
    const caller = credential.caller ?? anonymous('mcp', request.client)
    const rate = site.rate.takeCall(caller)
    const headers = rateHeaders(rate)
    if (!rate.allowed) return failureReply(tooManyCalls(rate), 429, headers)
    return throughPlugins(site, () => answerBody({ site, request, caller, headers, answer }))
  }
}

/** Nothing is read of what a stranger sends; only that there is no body at all can be told without. */
const refuse = (request: Request, credential: Credential): Reply =>
  bringsBody(request) ? challenge(request, credential) : challenge(request, credential, emptyBody(401))

const bringsBody = (request: Request): boolean =>
  request.header('transfer-encoding') !== undefined || Number(request.header('content-length') ?? 0) > 0

/** What a POST is answered with: its sender, the request, and the headers of the answer. */
interface Post {
  readonly site: Services
  readonly request: Request
  readonly caller: Caller
  readonly headers: Headers
  readonly answer: Answer
}

async function answerBody(post: Post): Promise<Reply> {
  const { site, request, caller, headers } = post
  if (bringsBody(request) && !isJsonType(request.header('content-type')))
    return answerNoMessage(post, errorReply(notJson, headers))
  const body = await readJson(site, request, caller.token !== null)
  switch (body.kind) {
    case 'empty':
      return answerNoMessage(post, errorReply(emptyBody(200), headers))
    case 'silence':
      return answerNoMessage(post, empty(200, headers))
    case 'failure':
      return answerNoMessage(post, bodyFailure(body.failure, headers))
    case 'value':
      return silenced(site.release, body.value, await answerValue(post, body.value))
    default:
      return body satisfies never
  }
}

/** The answer to a body without a message. On old releases plugins stand before that too. */
async function answerNoMessage({ site, caller, headers }: Post, reply: Reply): Promise<Reply> {
  const refused = await askBeforeMethod(site, caller, '')
  return refused ? errorReply(refusedByPlugin(refused), headers) : reply
}

/** Whether a content type is JSON, whatever its parameters. */
export function isJsonType(type: string | undefined): boolean {
  return type !== undefined && /^application\/json\s*(?:;|$)/i.test(type.trim())
}

const notJson = new RpcError(rpcCodes.invalidRequest, 'Invalid request: send Content-Type: application/json.', 415)
const notMessage = new RpcError(rpcCodes.invalidRequest, 'Invalid request: the body must be one JSON-RPC 2.0 message.', 400)

function bodyFailure(failure: Failure, headers: Headers): Reply {
  return failure.code === 'malformed'
    ? errorReply(new RpcError(rpcCodes.parseError, `Parse error: ${failure.message}`, 400, failure), headers)
    : failureReply(failure, 413, headers)
}

/** A refusal before there is a message to answer. */
function failureReply(failure: Failure, status: number, headers: Headers): Reply {
  const error = new RpcError(rpcCodes.invalidRequest, failure.message, status, failure)
  return { ...errorReply(error, { ...headers, ...retryHeaders(failure) }), drain: true }
}

const mirrorsOf = (request: Request): MirrorHeaders => ({
  revision: request.header('mcp-protocol-version')?.trim(),
  method: request.header('mcp-method')?.trim(),
  name: request.header('mcp-name')?.trim(),
})

const answerValue = (post: Post, value: unknown): Promise<Reply> =>
  Array.isArray(value) ? answerBatch(post, value) : answerOne(post, parseMessage(value))

const noMirrors: MirrorHeaders = { revision: undefined, method: undefined, name: undefined }

async function answerOne(post: Post, message: Message | undefined): Promise<Reply> {
  const { site, request, caller, headers } = post
  if (!message) return answerNoMessage(post, errorReply(notMessage, headers))
  if (message.kind === 'response') return answerNoMessage(post, empty(202, headers))
  const closed = message.kind === 'request' ? refusalOf(site, caller, message) : undefined
  if (closed && message.kind === 'request') return closedReply(site, closed, errorText(message.id, closedError(closed)), headers)
  const mirrors = mirrorsOf(request)
  const era = eraOf(mirrors, message)
  const fault =
    era === 'initialize'
      ? initializeFault(mirrors, message)
      : message.kind === 'request'
        ? standaloneFault(mirrors, message)
        : undefined
  const refused = (fault || !callsTool(message) ? await refusalOfPlugins(post, message) : undefined) ?? fault
  if (message.kind === 'notification') return refused ? errorReply(refused, headers) : empty(202, headers)
  const result = refused ?? (await post.answer(era, message, post.caller, request))
  return result instanceof RpcError
    ? jsonReply(result.status, errorText(message.id, result), headers)
    : jsonReply(200, resultText(message.id, result), headers)
}

/** Of a call of a tool the plugins are asked when it is known which action it calls. */
const callsTool = (message: Message): boolean => message.kind === 'request' && message.method === 'tools/call'

/** What plugins that stand before every request say to a message that calls no tool. */
async function refusalOfPlugins({ site, caller }: Post, message: Message): Promise<RpcError | undefined> {
  if (!standsBeforeMethods(site)) return undefined
  const refused = await askBeforeMethod(site, caller, message.kind === 'response' ? '' : message.method)
  return refused && refusedByPlugin(refused)
}

/** Batches are of one revision, and of clients that name none (MCP 2025-03-26). A message in it that is none spoils all of it. */
async function answerBatch(post: Post, values: readonly unknown[]): Promise<Reply> {
  const { site, request, headers, caller } = post
  const revision = request.header('mcp-protocol-version')?.trim()
  const messages = revision === undefined || revision === '2025-03-26' ? batchOf(values) : undefined
  if (!messages) return answerNoMessage(post, errorReply(notBatch, headers))
  const texts: string[] = []
  const kept: Failure[] = []
  for (const [place, message] of messages.entries()) {
    const closed = message.kind === 'request' ? refusalOf(site, caller, message) : undefined
    if (closed) kept.push(closed)
    const limited = closed ? closedError(closed) : place === 0 || message.kind !== 'request' ? undefined : takeOne(post)
    const refused = limited ?? (callsTool(message) ? undefined : await refusalOfPlugins(post, message))
    if (message.kind !== 'request') continue
    const result = refused ?? (await post.answer('initialize', message, caller, request))
    texts.push(result instanceof RpcError ? errorText(message.id, result) : resultText(message.id, result))
  }
  if (texts.length === 0) return empty(202, headers)
  const [first] = kept
  const text = `[${texts.join(',')}]`
  return first && kept.length === texts.length ? closedReply(site, first, text, headers) : jsonReply(200, text, headers)
}

const notBatch = new RpcError(
  rpcCodes.invalidRequest,
  `Invalid request: a batch is for revision 2025-03-26, and holds 1 to ${maxBatch} messages, "initialize" not among them.`,
  400,
)

function batchOf(values: readonly unknown[]): readonly Message[] | undefined {
  if (values.length === 0 || values.length > maxBatch) return undefined
  const messages = values.map(parseMessage).filter((message) => message !== undefined)
  const belongs = (message: Message) =>
    message.kind === 'response' || (message.method !== 'initialize' && eraOf(noMirrors, message) === 'initialize')
  return messages.length === values.length && messages.every(belongs) ? messages : undefined
}

/** The request itself counted for its first message; each further one counts by itself. */
function takeOne({ site, caller }: Post): RpcError | undefined {
  const rate = site.rate.takeCall(caller)
  if (rate.allowed) return undefined
  const failure = tooManyCalls(rate)
  return new RpcError(rpcCodes.invalidRequest, failure.message, 429, failure)
}
