// The answer of each method, in either era. Texts that never change are made once.

import { canOnlyRead } from '../../actions/call/check-input.ts'
import type { Services } from '../../actions/call/services.ts'
import type { Admitted } from '../shared/admit.ts'
import { hasAllParts } from '../shared/profiles/protocol-parts.ts'
import { type Soon, whenThere } from '../../base/soon.ts'
import { InputRequired } from './ask-client.ts'
import { callTool } from './call-tool.ts'
import type { Era } from './era.ts'
import { instructions, serverInfo } from './introduction.ts'
import type { RpcRequest } from './message.ts'
import { getPrompt, listPrompts } from './prompts.ts'
import { listResources, readResource, templatesText } from './resources.ts'
import { negotiated, standaloneRevisions } from './revision.ts'
import { RpcError, rpcCodes, shown } from './rpc.ts'
import { listTools } from './tools.ts'

/** A result as JSON text, or an error. */
export type RpcResult = Soon<string | RpcError>

/** Answers a request of an era: a result as JSON text, or an error. */
export type RpcMethods = (era: Era, request: RpcRequest, admitted: Admitted) => RpcResult

type Method = (request: RpcRequest, admitted: Admitted) => RpcResult

/** The time, in milliseconds, for which a client may cache an answer that changes only with the release. */
const ttlMs = 3_600_000
const caching = `"ttlMs":${ttlMs},"cacheScope":"private"`

/** Creates the methods of a site's endpoint. */
export function createMethods(site: Services): RpcMethods {
  const info = serverInfo(site.release.name)
  // In the newer era, every result states that it is complete, and its server.
  const serverMeta = `,"_meta":${JSON.stringify({ 'io.modelcontextprotocol/serverInfo': info })}`
  const standalone = `"resultType":"complete"${serverMeta}`
  const tools = (more = '') => {
    const [reading, writing] = [true, false].map((only) => `{"tools":${JSON.stringify(listTools(site.registry, only))}${more}}`)
    return ({ caller }: Admitted) => (canOnlyRead(site.registry, caller) ? reading : writing) as string
  }
  const hasAll = hasAllParts(site)
  const capabilities = hasAll ? { tools: {}, resources: {}, prompts: {} } : { tools: {} }
  const discovered = JSON.stringify({ supportedVersions: standaloneRevisions, capabilities, instructions })
  const calling =
    (more: string, asks: string | undefined): Method =>
    ({ params }, admitted) =>
      whenThere(callTool(admitted, params, asks), (answer) => {
        if (typeof answer === 'string') return `{${answer}${more}}`
        return answer instanceof InputRequired ? answer.text : answer
      })
  const table: Readonly<Record<Era, ReadonlyMap<string, Method>>> = {
    initialize: new Map<string, Method>([
      ['initialize', ({ params }) => initialize(params['protocolVersion'], info, capabilities)],
      ['ping', () => '{}'],
      ['tools/list', listing(tools())],
      ['tools/call', calling('', undefined)],
      ...(hasAll ? otherParts('initialize', () => '') : []),
    ]),
    standalone: new Map<string, Method>([
      ['server/discover', () => `${discovered.slice(0, -1)},${caching},${standalone}}`],
      ['tools/list', listing(tools(`,${caching},${standalone}`))],
      ['tools/call', calling(`,${standalone}`, hasAll ? serverMeta : undefined)],
      ...(hasAll
        ? otherParts('standalone', (ms) => `${ms === undefined ? '' : `,"ttlMs":${ms},"cacheScope":"private"`},${standalone}`)
        : []),
    ]),
  }
  return (era, request, admitted) => {
    const method = table[era].get(request.method)
    if (method) return method(request, admitted)
    const status = era === 'standalone' ? 404 : 200
    return new RpcError(rpcCodes.methodNotFound, `Method not found: ${shown(request.method)}`, status)
  }
}

/** The time, in milliseconds, for which a client may cache a list that the owner can change. */
const listTtlMs = 60_000

/**
 * The methods of resources and prompts.
 * @param ending returns the rest of a result, with the time for which a client may cache it
 */
function otherParts(era: Era, ending: (ttlMs?: number) => string): readonly (readonly [string, Method])[] {
  const whole = async (making: Promise<string | RpcError>, ttlMs?: number): Promise<string | RpcError> => {
    const members = await making
    return typeof members === 'string' ? `{${members}${ending(ttlMs)}}` : members
  }
  const templates = `{"resourceTemplates":${templatesText}${ending(ttlMs)}}`
  return [
    ['resources/list', ({ params }, admitted) => whole(listResources(admitted, params['cursor']), listTtlMs)],
    ['resources/templates/list', listing(() => templates)],
    ['resources/read', ({ params }, admitted) => whole(readResource(admitted, params['uri'], era), 0)],
    ['prompts/list', ({ params }, admitted) => whole(listPrompts(admitted, params['cursor']), listTtlMs)],
    ['prompts/get', ({ params }, admitted) => whole(getPrompt(admitted, params['name']))],
  ]
}

/** A method that lists. The list has one page, so a cursor can only be from another server. */
function listing(textFor: (admitted: Admitted) => string): Method {
  return ({ params }, admitted) =>
    params['cursor'] === undefined || params['cursor'] === null
      ? textFor(admitted)
      : new RpcError(rpcCodes.invalidParams, 'Invalid params: the list has one page; leave the cursor out.')
}

function initialize(
  revision: unknown,
  info: ReturnType<typeof serverInfo>,
  capabilities: Readonly<Record<string, unknown>>,
): string | RpcError {
  if (typeof revision !== 'string')
    return new RpcError(rpcCodes.invalidParams, 'Invalid params: "protocolVersion" must be a revision such as "2025-11-25".')
  const answer = { protocolVersion: negotiated(revision), capabilities, serverInfo: info, instructions }
  return JSON.stringify(answer)
}
