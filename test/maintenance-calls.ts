// What the tests of maintenance share: the words on the closed site, and a call over `/mcp/`.

import type { Answer, SendOptions, TestSite } from './site.ts'

export const words = 'New shelves. <b>Back</b> at noon.'
export const shownWords = 'New shelves. &lt;b&gt;Back&lt;/b&gt; at noon.'
export const call = 'SVC_Settings.maintenance'

/** An action's call as a JSON-RPC message. */
export const callMessage = (action: string, input: unknown = {}, id = 7) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name: 'SVC_API__call-action', arguments: { action, arguments: input } },
})

/** Sends a message as a client does. */
export const postMcp = (site: TestSite, body: unknown, more: SendOptions = {}): Promise<Answer> =>
  site.send('/mcp/', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body), ...more })
