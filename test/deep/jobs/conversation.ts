// An assistant at work over the official client: a fresh conversation, which counts what it reads. What a script learns from answers, it reads by
// meaning: names that stand in them, wherever they stand. So an answer may become shorter, and the script stays.

import assert from 'node:assert/strict'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { TestSite } from '../../site.ts'

/** What a conversation cost. Sizes are in characters. */
export interface Tally {
  calls: number
  failed: number
  /** Searches that didn't name what they were for, so that something longer had to be read. */
  detours: number
  /** The introduction, the tools, and every answer as text. */
  read: number
  /** The part of `read` that says how to do things: introduction, tools, lists and descriptions of actions, documents. */
  discovery: number
  /** The structured form of answers, beside their text. */
  structured: number
  /** The calls that failed, and what answers didn't say though they should have. */
  readonly faults: string[]
}

/** The answer of an action, looked at by assertions. */
export type Found = any // oxlint-disable-line no-explicit-any -- what came over the wire

export interface Conversation {
  readonly tally: Tally
  /** `SVC_API.welcome`, with which every conversation begins. */
  welcome(): Promise<Found>
  /** Searches actions for some words, and reads the whole list where that doesn't name the action. Nothing is asked that was read before. */
  find(words: string, action: string): Promise<void>
  /** Reads the actions of a class, or all, which must name these. */
  list(named: readonly string[], ofClass?: string): Promise<void>
  /** Describes actions. The answer must name these arguments. */
  describe(actions: string | readonly string[], named: readonly string[]): Promise<string>
  /** Calls an action, which counts as work. @returns `data`, or the error if the call failed */
  call(action: string, args?: Readonly<Record<string, unknown>>, options?: Readonly<Record<string, unknown>>): Promise<Found>
  /** Notes what the answers didn't say, unless they did. */
  expect(what: string, isSaid: boolean): void
  close(): Promise<void>
}

interface ToolResult {
  readonly isError?: boolean
  readonly structuredContent?: unknown
  readonly content: readonly { readonly type: string; readonly text?: string; readonly data?: string }[]
}

const isHelp = (action: string): boolean => /^SVC_(?:API\.(?:welcome|list|describe|openapi)|Docs\.)/.test(action)

/** True if a text names an action: with its class, or the two apart, as a list that is grouped by class does. */
function names(text: string, action: string): boolean {
  const [ofClass = '', name = ''] = action.split('.')
  const asRow = text.includes(`"class":"${ofClass}","action":"${name}"`)
  if (asRow || new RegExp(`${ofClass}\\.${name}(?![\\w-])`).test(text)) return true
  const grouped = new RegExp(`${ofClass}(?!"?,"action)[^]*?(?=[A-Z]+_[A-Z][a-z]|$)`, 'g')
  return [...text.matchAll(grouped)].some(([group]) => new RegExp(`(?<![\\w-])${name}(?![\\w-])`).test(group))
}

export async function converse(site: TestSite, token = site.token): Promise<Conversation> {
  const client = new Client({ name: 'assistant', version: '1.0.0' })
  const requestInit = { headers: { Authorization: `Bearer ${token}` } }
  await client.connect(new StreamableHTTPClientTransport(new URL(`${site.base}/mcp/`), { requestInit }))
  const { tools } = await client.listTools()
  const before = (client.getInstructions() ?? '').length + JSON.stringify(tools).length
  const tally: Tally = { calls: 0, failed: 0, detours: 0, read: before, discovery: before, structured: 0, faults: [] }

  async function ask(tool: string, args: Record<string, unknown>, helps: boolean): Promise<{ text: string; data: Found }> {
    const result = (await client.callTool({ name: `SVC_API__${tool}`, arguments: args })) as unknown as ToolResult
    const text = result.content.map((part) => part.text ?? part.data ?? '').join('\n')
    tally.calls += 1
    tally.read += text.length
    if (helps) tally.discovery += text.length
    if (result.structuredContent !== undefined) tally.structured += JSON.stringify(result.structuredContent).length
    const answer = JSON.parse(result.content[0]?.text ?? '{}')
    if (result.isError !== true) return { text, data: answer.data }
    tally.failed += 1
    tally.faults.push(`${JSON.stringify(args).slice(0, 200)}: ${text.slice(0, 300)}`)
    return { text, data: answer.error }
  }

  /** What the lists that were read so far name: nobody asks again for what they have just read. */
  let known = ''
  const list = async (args: Record<string, unknown>): Promise<string> => {
    const { text } = await ask('list-actions', args, true)
    known += text
    return text
  }
  const call: Conversation['call'] = async (action, args = {}, options = {}) =>
    (await ask('call-action', { action, arguments: args, ...options }, isHelp(action))).data
  return {
    tally,
    call,
    welcome: () => call('SVC_API.welcome'),
    async find(words, action) {
      if (names(known, action) || names(await list({ search: words }), action)) return
      tally.detours += 1
      assert.ok(names(await list({}), action), `the list of actions names ${action}`)
    },
    async list(named, ofClass) {
      const text = await list(ofClass === undefined ? {} : { class: ofClass })
      for (const action of named) assert.ok(names(text, action), `the list of actions names ${action}`)
    },
    async describe(actions, named) {
      const { text } = await ask('describe-action', { action: actions }, true)
      for (const name of named) assert.ok(text.includes(name), `the description of ${String(actions)} names ${name}`)
      return text
    },
    expect(what, isSaid) {
      if (!isSaid) tally.faults.push(what)
    },
    close: () => client.close(),
  }
}
