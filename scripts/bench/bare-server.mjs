// The server that Postern is compared with: `node:http` alone. It reads a request body, parses it, and sends a fixed answer. It
// runs as a child process. Each message `{status, type, body}` sets the answer from then on.

import { createServer } from 'node:http'

const formType = 'application/x-www-form-urlencoded'
let answer = { status: 200, type: 'text/plain', body: '', length: 0 }

process.on('message', ({ status, type, body }) => {
  answer = { status, type, body, length: Buffer.byteLength(body) }
  process.send({ ready: true })
})
process.on('disconnect', () => process.exit())

const parse = (type, text) => (type === formType ? new URLSearchParams(text) : JSON.parse(text))

const server = createServer((request, response) => {
  const chunks = []
  request.on('data', (chunk) => chunks.push(chunk))
  request.on('end', () => {
    if (chunks.length > 0) parse(request.headers['content-type'], Buffer.concat(chunks).toString())
    response.writeHead(answer.status, { 'content-type': answer.type, 'content-length': answer.length })
    response.end(answer.body)
  })
})
server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }))
