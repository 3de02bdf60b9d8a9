// The answer to one JSON-RPC message that maintenance lets through.

import type { Admitted } from '../shared/admit.ts'
import { TextReading } from '../shared/read-texts.ts'
import { asksBeforeMethods, askBeforeMethod } from '../shared/profiles/plugin-requests.ts'
import { Failure } from '../../base/failure.ts'
import type { Reply } from '../../http/reply.ts'
import { failureAnswer, parseToolCall, refusedByPlugin } from './call-tool.ts'
import type { Era } from './era.ts'
import { errorReply } from './failure.ts'
import type { Message } from './message.ts'
import type { RpcMethods, RpcResult } from './methods.ts'
import { RpcError } from './rpc.ts'

/** A message with its era and the fault in its headers. */
interface Question {
  readonly era: Era
  readonly message: Message
  readonly fault?: RpcError | undefined
}

/** Returns the result as JSON text, or an error; empty for a message without an answer. */
export function answerMessage(admitted: Admitted, methods: RpcMethods, question: Question): RpcResult {
  if (!asksBeforeMethods(admitted.site)) return answerUnasked(admitted, methods, question)
  return askPluginsBefore(admitted, question).then((refused) => refused ?? answerUnasked(admitted, methods, question))
}

function answerUnasked(admitted: Admitted, methods: RpcMethods, { era, message, fault }: Question): RpcResult {
  if (fault) return fault
  return message.kind === 'request' ? methods(era, message, admitted) : ''
}

/**
 * Asks plugins about messages that run no action, in old release profiles. For a message that runs an action, `runCall` asks them
 * and names the action.
 */
async function askPluginsBefore(
  { site, caller }: Admitted,
  { message, fault }: Question,
): Promise<string | RpcError | undefined> {
  const call =
    !fault && message.kind === 'request' && message.method === 'tools/call'
      ? parseToolCall(message.params, new TextReading({ site, caller }))
      : undefined
  if (call && !(call instanceof Failure) && !(call instanceof RpcError)) return undefined
  const refusal = await askBeforeMethod(site, caller, message.kind === 'response' ? '' : message.method)
  if (!refusal) return undefined
  return call instanceof Failure ? failureAnswer(refusal) : refusedByPlugin(refusal)
}

/** The reply to a request body without a message, if a plugin refuses the request; only old release profiles ask. */
export async function refuseByPlugins({ site, caller, headers }: Admitted): Promise<Reply | undefined> {
  const refusal = await askBeforeMethod(site, caller, '')
  return refusal && errorReply(refusedByPlugin(refusal), headers)
}
