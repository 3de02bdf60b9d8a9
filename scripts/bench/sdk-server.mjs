// The other server that Postern is compared with: the official SDK's server behind Express, stateless as in the SDK's own
// example, with one tool and no authentication. Each message `{value}` sets the tool's answer from then on.

import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { createMcpExpressApp } from '@modelcontextprotocol/sdk/server/express.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { z } from 'zod'

let value = {}

process.on('message', (message) => {
  value = message.value
  process.send({ ready: true })
})
process.on('disconnect', () => process.exit())

const inputSchema = { action: z.string(), arguments: z.record(z.string(), z.unknown()).optional() }

function makeServer() {
  const server = new McpServer({ name: 'bench', version: '1.0.0' })
  server.registerTool('SVC_API__call-action', { description: 'Executes one action.', inputSchema }, () => ({
    content: [{ type: 'text', text: JSON.stringify(value) }],
    structuredContent: value,
  }))
  return server
}

const app = createMcpExpressApp()
app.post('/mcp/', async (request, response) => {
  const server = makeServer()
  // Plain JSON is the faster of the SDK's two response formats.
  const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined, enableJsonResponse: true })
  await server.connect(transport)
  response.on('close', () => void Promise.all([transport.close(), server.close()]))
  await transport.handleRequest(request, response, request.body)
})
const listener = app.listen(0, '127.0.0.1', () => process.send({ port: listener.address().port }))
