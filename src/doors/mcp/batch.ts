// JSON-RPC batches. Only revision 2025-03-26 has them; clients that name no revision may also use them.

import { type Admitted } from '../shared/admit.ts'
import { tooManyCalls } from '../shared/call-rate.ts'
import type { Failure } from '../../base/failure.ts'
import { empty, jsonReply, type Reply } from '../../http/reply.ts'
import { answerMessage } from './answer-message.ts'
import { eraOf, type MirrorHeaders } from './era.ts'
import { closedError, closedReply, findClosedRefusal } from './maintenance.ts'
import { type Message, parseMessage, type RpcRequest } from './message.ts'
import type { RpcMethods } from './methods.ts'
import { errorText, resultText, RpcError, rpcCodes } from './rpc.ts'

const maxBatch = 50

const notBatch = new RpcError(
  rpcCodes.invalidRequest,
  `Invalid request: a batch is for revision 2025-03-26, and holds 1 to ${maxBatch} messages, "initialize" not among them.`,
  400,
)

const noMirrors: MirrorHeaders = { revision: undefined, method: undefined, name: undefined }

/** The messages of a batch. One invalid message makes the whole batch invalid. @param revision `MCP-Protocol-Version` as it came */
export function parseBatch(values: readonly unknown[], revision: string | undefined): readonly Message[] | RpcError {
  if (revision !== undefined && revision.trim() !== '2025-03-26') return notBatch
  if (values.length === 0 || values.length > maxBatch) return notBatch
  const messages = values.map(parseMessage).filter((message) => message !== undefined)
  return messages.length === values.length && messages.every(mayStandInBatch) ? messages : notBatch
}

const mayStandInBatch = (message: Message): boolean =>
  message.kind === 'response' || (message.method !== 'initialize' && eraOf(noMirrors, message) === 'initialize')

/** Answers the messages of a batch, one after the other. */
export async function answerBatch(admitted: Admitted, methods: RpcMethods, messages: readonly Message[]): Promise<Reply> {
  const { headers } = admitted
  const texts: string[] = []
  const closed: Failure[] = []
  for (const [place, message] of messages.entries()) {
    const refusal = findClosedRefusal(admitted, message)
    if (refusal) closed.push(refusal)
    const fault = refusal ? closedError(refusal) : place > 0 && message.kind === 'request' ? takeCall(admitted) : undefined
    const result = fault ?? (await answerMessage(admitted, methods, { era: 'initialize', message }))
    if (message.kind === 'request') texts.push(toText(message, result))
  }
  if (texts.length === 0) return empty(202, headers)
  const [first] = closed
  const text = `[${texts.join(',')}]`
  return first && closed.length === texts.length ? closedReply(admitted, first, text) : jsonReply(200, text, headers)
}

const toText = ({ id }: RpcRequest, result: string | RpcError): string =>
  result instanceof RpcError ? errorText(id, result) : resultText(id, result)

/** Counts a message of a batch. `admit` counted the first message with the request; each further one counts as a call. */
function takeCall({ site, caller }: Admitted): RpcError | undefined {
  const rate = site.rate.takeCall(caller)
  if (rate.allowed) return undefined
  const failure = tooManyCalls(rate)
  return new RpcError(rpcCodes.invalidRequest, failure.message, 429, failure)
}
