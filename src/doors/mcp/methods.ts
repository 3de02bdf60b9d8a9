// The answer of each method, in either era. Texts that never change are made once.

import { canOnlyRead } from '../../actions/call/check-input.ts'
import type { Services } from '../../actions/call/services.ts'
import type { Admitted } from '../shared/admit.ts'
import { type Soon, whenThere } from '../../base/soon.ts'
import { callTool } from './call-tool.ts'
import type { Era } from './era.ts'
import { instructions, serverInfo } from './introduction.ts'
import type { RpcRequest } from './message.ts'
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
  const standalone = `"resultType":"complete","_meta":${JSON.stringify({ 'io.modelcontextprotocol/serverInfo': info })}`
  const tools = (more = '') => {
    const [reading, writing] = [true, false].map((only) => `{"tools":${JSON.stringify(listTools(site.registry, only))}${more}}`)
    return ({ caller }: Admitted) => (canOnlyRead(site.registry, caller) ? reading : writing) as string
  }
  const discovered = JSON.stringify({ supportedVersions: standaloneRevisions, capabilities: { tools: {} }, instructions })
  const calling =
    (more: string): Method =>
    ({ params }, admitted) =>
      whenThere(callTool(admitted, params), (answer) => (answer instanceof RpcError ? answer : `{${answer}${more}}`))
  const table: Readonly<Record<Era, ReadonlyMap<string, Method>>> = {
    initialize: new Map<string, Method>([
      ['initialize', ({ params }) => initialize(params['protocolVersion'], info)],
      ['ping', () => '{}'],
      ['tools/list', listing(tools())],
      ['tools/call', calling('')],
    ]),
    standalone: new Map<string, Method>([
      ['server/discover', () => `${discovered.slice(0, -1)},${caching},${standalone}}`],
      ['tools/list', listing(tools(`,${caching},${standalone}`))],
      ['tools/call', calling(`,${standalone}`)],
    ]),
  }
  return (era, request, admitted) => {
    const method = table[era].get(request.method)
    if (method) return method(request, admitted)
    const status = era === 'standalone' ? 404 : 200
    return new RpcError(rpcCodes.methodNotFound, `Method not found: ${shown(request.method)}`, status)
  }
}

/** A method that lists. The list has one page, so a cursor can only be from another server. */
function listing(textFor: (admitted: Admitted) => string): Method {
  return ({ params }, admitted) =>
    params['cursor'] === undefined || params['cursor'] === null
      ? textFor(admitted)
      : new RpcError(rpcCodes.invalidParams, 'Invalid params: the list has one page; leave the cursor out.')
}

function initialize(revision: unknown, info: ReturnType<typeof serverInfo>): string | RpcError {
  if (typeof revision !== 'string')
    return new RpcError(rpcCodes.invalidParams, 'Invalid params: "protocolVersion" must be a revision such as "2025-11-25".')
  const answer = { protocolVersion: negotiated(revision), capabilities: { tools: {} }, serverInfo: info, instructions }
  return JSON.stringify(answer)
}
