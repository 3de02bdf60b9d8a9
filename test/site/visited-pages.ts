// The public pages of a site in this process, without a socket: as visitors get them, and how many of them were made.

import type { Services } from '../../src/actions/call/services.ts'
import { HttpFailure } from '../../src/http/failure.ts'
import type { Reply } from '../../src/http/reply.ts'
import type { Request } from '../../src/http/request.ts'
import { cacheCounts } from '../../src/base/metrics.ts'
import { createPages, siteFailure } from '../../src/site/routes.ts'

export interface VisitedPages {
  /** The status, the headers and the text at a path, which may have a query. */
  visit(target: string, accept?: string): Promise<string>
  /** How many pages were made since the last call. */
  made(): number
}

export function openPages(site: Services): VisitedPages {
  const { handler } = createPages(site)
  const { misses } = cacheCounts(site.metrics, 'pages')
  let seen = misses.value
  return {
    async visit(target, accept) {
      const request = requestOf(target, accept)
      try {
        return await textOf(await handler(request, {}))
      } catch (error) {
        if (error instanceof HttpFailure) return textOf(siteFailure(site, error, request))
        throw error
      }
    },
    made() {
      const count = misses.value - seen
      seen = misses.value
      return count
    },
  }
}

function requestOf(target: string, accept = 'text/html'): Request {
  const [path = '', query = ''] = target.split('?')
  const headers: Readonly<Record<string, string>> = { accept, host: 'example.org' }
  const parts: Partial<Request> = {
    method: 'GET',
    target,
    path: decodeURIComponent(path),
    rawPath: path,
    basePath: '',
    query: new URLSearchParams(query),
    header: (name) => headers[name],
    client: '192.0.2.7',
    scheme: 'https',
    host: 'example.org',
    id: 'test',
    signal: new AbortController().signal,
  }
  return parts as Request
}

async function textOf({ status, headers, body }: Reply): Promise<string> {
  const chunks: Uint8Array[] = []
  if (body && 'bytes' in body) chunks.push(body.bytes)
  if (body && 'stream' in body) for await (const chunk of body.stream) chunks.push(chunk)
  const { 'content-security-policy': _csp, ...shown } = headers
  return `${status} ${JSON.stringify(shown)}\n${Buffer.concat(chunks).toString()}`
}
