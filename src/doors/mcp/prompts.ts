// Prompts of the protocol: the skills of the owner, which a person can choose in a client.

import type { JsonObject } from '../../base/json.ts'
import { jsonText } from '../../base/json.ts'
import { type Admitted, runCall } from '../shared/admit.ts'
import { isAbsent, listSkills, toRpcError, withCursor } from './resources.ts'
import { RpcError, rpcCodes, shown } from './rpc.ts'

/** Lists the skills. @returns the members of the result as JSON text */
export async function listPrompts(admitted: Admitted, cursor: unknown): Promise<string | RpcError> {
  const skills = await listSkills(admitted, cursor)
  if (skills instanceof RpcError) return skills
  const prompts = skills.items.map(({ slug, when }) => ({ name: slug, description: when }))
  return withCursor(`"prompts":${jsonText(prompts)}`, skills.next)
}

/** Returns a skill as a message of the user. @returns the members of the result as JSON text */
export async function getPrompt(admitted: Admitted, name: unknown): Promise<string | RpcError> {
  if (typeof name !== 'string')
    return new RpcError(rpcCodes.invalidParams, 'Invalid params: "name" must be the name of a prompt.')
  const outcome = await runCall(admitted, { name: 'SVC_Skills.get', input: { id: name }, options: {} })
  if (!outcome.ok)
    return isAbsent(outcome.failure)
      ? new RpcError(rpcCodes.invalidParams, `Unknown prompt: ${shown(name)}. prompts/list says what there is.`)
      : toRpcError(outcome.failure)
  const { when, text } = (outcome.data.parse() as JsonObject)['item'] as JsonObject
  const messages = [{ role: 'user', content: { type: 'text', text } }]
  return `"description":${jsonText(when)},"messages":${jsonText(messages)}`
}
