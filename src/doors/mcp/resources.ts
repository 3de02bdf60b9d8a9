// Resources of the protocol: the documents, the skills of the owner, and entries as Markdown. Each is read by an action, as the
// caller, so tiers, limits and drafts are those of the action. The list has no entries, so that no entry's title reaches a
// model unasked (attack 81).

import type { Call } from '../../actions/call/call.ts'
import type { Failure } from '../../base/failure.ts'
import { isObject, type JsonObject, jsonText } from '../../base/json.ts'
import { type Admitted, runCall } from '../shared/admit.ts'
import type { Era } from './era.ts'
import { RpcError, rpcCodes, shown } from './rpc.ts'

const mimeType = 'text/markdown'

/** A kind of resource: the addresses that it has, and the action that reads it. */
interface Kind {
  readonly prefix: string
  call(name: string): Call
  toText(data: JsonObject): string
}

const call = (name: string, input: JsonObject): Call => ({ name, input, options: {} })

const kinds: readonly Kind[] = [
  {
    prefix: 'postern://docs/',
    call: (doc) => call('SVC_Docs.get', { doc }),
    toText: ({ text }) => String(text),
  },
  {
    prefix: 'postern://skills/',
    call: (id) => call('SVC_Skills.get', { id }),
    toText: ({ item }) => String((item as JsonObject)['text']),
  },
  {
    prefix: 'postern://entries/',
    call: (path) => call('SVC_Content.get', { id: `/${path}` }),
    toText: ({ item }) => entryText(item as JsonObject),
  },
]

/** An entry as Markdown. A text that is too long for an answer comes as its outline. */
function entryText({ title, body, outline }: JsonObject): string {
  if (typeof body === 'string') return `# ${String(title)}\n\n${body}`
  const sections = Array.isArray(outline) ? outline.filter(isObject).map((one) => `- ${String(one['id'])}`) : []
  const said = 'This text is too long for one answer. Read it by `section` with SVC_Content.get:'
  return [`# ${String(title)}`, '', said, '', ...sections].join('\n')
}

/** The templates of resources, as JSON text. */
export const templatesText = jsonText([
  {
    uriTemplate: 'postern://entries{+path}',
    name: 'entry',
    title: 'An entry as Markdown',
    description: 'A page, a post or another entry by its path, such as `/about`. SVC_Content.list lists the paths.',
    mimeType,
  },
])

/** Lists documents and skills. The cursor belongs to the skills. @returns the members of the result as JSON text */
export async function listResources(admitted: Admitted, cursor: unknown): Promise<string | RpcError> {
  const skills = await listSkills(admitted, cursor)
  if (skills instanceof RpcError) return skills
  const documents = cursor === undefined ? await listDocuments(admitted) : []
  const resources = [
    ...documents.map(({ doc, title }) => ({ uri: `postern://docs/${String(doc)}`, name: doc, title, mimeType })),
    ...skills.items.map(({ slug, when }) => ({
      uri: `postern://skills/${encodeURIComponent(String(slug))}`,
      name: slug,
      description: when,
      mimeType,
    })),
  ]
  return withCursor(`"resources":${jsonText(resources)}`, skills.next)
}

/** Adds the cursor of the next page to the members of a list. @param members as JSON text */
export const withCursor = (members: string, next: string | undefined): string =>
  next === undefined ? members : `${members},"nextCursor":${jsonText(next)}`

async function listDocuments(admitted: Admitted): Promise<readonly JsonObject[]> {
  const outcome = await runCall(admitted, call('SVC_Docs.list', {}))
  return outcome.ok ? ((outcome.data.parse() as JsonObject)['items'] as readonly JsonObject[]) : []
}

/** A page of the skills that a caller may read, and the cursor of the next page. */
export interface SkillPage {
  readonly items: readonly JsonObject[]
  readonly next: string | undefined
}

/** Lists the skills. A caller who may not read skills has none. */
export async function listSkills(admitted: Admitted, cursor: unknown): Promise<SkillPage | RpcError> {
  const input = { limit: 100, ...(cursor !== undefined && { cursor }) }
  const outcome = await runCall(admitted, call('SVC_Skills.list', input))
  if (outcome.ok) {
    const { items, next_cursor: next } = outcome.data.parse() as JsonObject
    return { items: items as readonly JsonObject[], next: typeof next === 'string' ? next : undefined }
  }
  return outcome.failure.code === 'unknown_action' && cursor === undefined
    ? { items: [], next: undefined }
    : toRpcError(outcome.failure)
}

/** Reads a resource. @returns the members of the result as JSON text */
export async function readResource(admitted: Admitted, uri: unknown, era: Era): Promise<string | RpcError> {
  if (typeof uri !== 'string')
    return new RpcError(rpcCodes.invalidParams, 'Invalid params: "uri" must be the address of a resource.')
  const kind = kinds.find(({ prefix }) => uri.startsWith(prefix))
  const name = kind && decodeName(uri.slice(kind.prefix.length))
  if (!kind || name === undefined) return noResource(uri, era)
  const outcome = await runCall(admitted, kind.call(name))
  if (outcome.ok) {
    const text = kind.toText(outcome.data.parse() as JsonObject)
    return `"contents":${jsonText([{ uri, mimeType, text }])}`
  }
  return isAbsent(outcome.failure) ? noResource(uri, era) : toRpcError(outcome.failure)
}

/** True for a failure that says no more than that there is nothing for this caller (attack 78). */
export const isAbsent = ({ code }: Failure): boolean => ['not_found', 'unknown_action', 'invalid'].includes(code)

function decodeName(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** @see MCP 2025-11-25, Resources; MCP 2026-07-28 has no code of its own for this */
const noResource = (uri: string, era: Era): RpcError =>
  new RpcError(
    era === 'initialize' ? rpcCodes.resourceNotFound : rpcCodes.invalidParams,
    `Resource not found: ${shown(uri)}. resources/list and resources/templates/list say what there is.`,
    200,
    { uri: shown(uri) },
  )

/** The error of a request that runs an action which fails. */
export function toRpcError(failure: Failure): RpcError {
  const code = failure.code === 'invalid' ? rpcCodes.invalidParams : rpcCodes.internalError
  return new RpcError(code, failure.message, 200, failure)
}
