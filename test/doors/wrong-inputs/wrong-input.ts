// A wrong input, as models and people make it, and what helps whoever made it.

/** A request on the wire: the status and the body are looked at. */
export interface Request {
  readonly path: string
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** Whose token is sent: the owner's unless given. */
  readonly as?: 'nobody' | 'stranger' | 'reader' | 'drafter'
}

export interface WrongInput {
  readonly what: string
  readonly send: Request
  /** The words of a refusal that helps: all of them stand in it. None if only taking it would help. */
  readonly says?: readonly RegExp[]
  /** What the answer holds if the input is taken and its outcome is right. */
  readonly taken?: RegExp
}

type Fields = Readonly<Record<string, unknown>>

const json = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }

/** A message to `/mcp/`. */
export const rpc = (method: string, params: unknown): Request => ({
  path: '/mcp/',
  method: 'POST',
  headers: json,
  body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
})

/** A tool of `/mcp/`, by any name. */
export const tool = (name: string, args: unknown): Request => rpc('tools/call', { name, arguments: args })

/** The tool that calls actions, with what stands beside `action`. */
export const calling = (args: Fields): Request => tool('SVC_API__call-action', args)

/** An action over MCP, with its own arguments. */
export const mcp = (action: string, args: unknown = {}): Request => calling({ action, arguments: args })

/** A body to `/api/`. */
export const api = (body: unknown): Request => ({ path: '/api/', method: 'POST', headers: json, body: JSON.stringify(body) })
