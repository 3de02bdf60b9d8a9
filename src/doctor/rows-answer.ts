// Rows of the doctor about answers. No server on the way may cache, replace, buffer or cut them.

import type { DoctorAnswer, Doctor } from './doctor.ts'
import { broken, firstOf, type Row, type Verdict, warning } from './finding.ts'
import { allPassed, doorFile, doorLocation, proxyFile, siteFile } from './front-lines.ts'
import {
  apiWithToken,
  findReplaced,
  isChallenge,
  isForeign,
  isHtml,
  issuer,
  mcpWithToken,
  objectOf,
  postApi,
  postMcp,
  resource,
  describe,
} from './questions.ts'

const discovery: Row = {
  id: 'discovery',
  source: 'a discovery document is 404 in HTML, 403, a file from disk, or another program’s page',
  async run(doctor) {
    const asked = await doctor.askAll([resource, issuer])
    const names = ['resource', 'issuer']
    return firstOf(asked, (one, index) => documentFault(doctor, one, names[index] ?? ''))
  },
}

/** @param member a member that the document always has */
function documentFault({ base }: Doctor, asked: DoctorAnswer, member: string): Verdict | undefined {
  const { status, headers } = asked
  const fromDisk = status === 200 && (/octet-stream/.test(headers['content-type'] ?? '') || headers['accept-ranges'] === 'bytes')
  const refused = [403, 404].includes(status) && isHtml(asked)
  const another = status === 200 && objectOf(asked)?.[member] === undefined
  if (!isForeign(asked) || asked.kept || isChallenge(asked) || (!fromDisk && !refused && !another)) return undefined
  const line = { nginx: doorLocation(base), file: siteFile(base), ...allPassed(base) }
  if (fromDisk)
    return broken(`${asked.what} is a file on disk, not the site's document: ${describe(asked)}.`, {
      ...line,
      nginx: `Delete the file, and: ${line.nginx}`,
    })
  if (another) return broken(`${asked.what} is answered by another program: ${describe(asked)}.`, line)
  if (status === 403) {
    const fix = {
      ...line,
      nginx: 'location ~ /\\.(?!well-known)   instead of "location ~ /\\."',
      apache: '<LocationMatch "/\\.(?!well-known)">   instead of a rule for all hidden files',
    }
    return broken(`${asked.what} is refused with 403 by a rule for hidden files: ${describe(asked)}.`, fix)
  }
  return broken(`${asked.what} is looked for on disk instead of being passed to Postern: ${describe(asked)}.`, line)
}

const discoveryCached: Row = {
  id: 'discovery-cached',
  source: 'a discovery document has an ETag, a Last-Modified or an Age, or comes from a cache',
  async run(doctor) {
    await doctor.ask(resource)
    const asked = await doctor.ask({ ...resource, round: 2 })
    const { headers } = asked
    const marks = ['etag', 'last-modified', 'age'].filter((name) => headers[name] !== undefined)
    const hit = ['x-cache', 'cf-cache-status', 'x-cache-status', 'x-proxy-cache'].find((name) =>
      /\bhit\b/i.test(headers[name] ?? ''),
    )
    if (asked.status !== 200 || !objectOf(asked) || (marks.length === 0 && hit === undefined && !asked.kept)) return []
    const why = asked.kept
      ? 'the answer was made for an earlier request'
      : `it has ${[...marks, ...(hit ? [`${hit}: ${headers[hit]}`] : [])].join(', ')}`
    return [
      warning(`${asked.what} comes from a cache: ${why}. Clients may get an outdated address.`, {
        nginx: 'proxy_cache off;',
        file: proxyFile,
        apache: 'CacheDisable /.well-known',
        caddy: 'Remove: cache',
        edge: 'Cache rule: bypass /.well-known/*',
      }),
    ]
  },
}

const errorsReplaced: Row = {
  id: 'errors-replaced',
  source: 'an error of Postern’s comes back with another body',
  async run(doctor) {
    const one = await findReplaced(doctor)
    if (!one) return []
    return [
      broken(`${one.what} came back with ${describe(one)}: the web server replaces Postern's errors by its own page.`, {
        nginx: 'proxy_intercept_errors off;',
        file: proxyFile,
        apache: 'ProxyErrorOverride Off',
        caddy: 'Remove handle_response and handle_errors',
      }),
    ]
  },
}

const uncleanAnswer: Row = {
  id: 'unclean-answer',
  source: 'Postern answers with text before the JSON, a page, or 500',
  needs: 'seen',
  async run(doctor) {
    // The output of plugins appears in the answers to calls with a token, and not in a challenge.
    const calls = [resource, postMcp, postApi, ...(doctor.options.token === undefined ? [] : [mcpWithToken, apiWithToken])]
    const asked = await doctor.askAll(calls)
    return firstOf(asked, (one) => {
      const unclean = one.seen && (one.status === 500 || (one.status === 200 && !objectOf(one) && one.text !== ''))
      if (!unclean) return undefined
      const message = `${one.what} came back with ${describe(one)}, which is not JSON: a plugin writes into answers or failed, or the site shows a maintenance page.`
      const fix =
        'scripts/postern plugin deactivate ID   for the plugin that user-content/logs/postern-errors.log names. If it names none: unset POSTERN_COMPAT'
      return broken(message, fix, one.text.slice(0, 80))
    })
  },
}

/** True if fewer than three of the five events arrived separately. A buffer lets the first one pass with the headers. */
const isBunched = (arrivals: readonly number[]): boolean =>
  arrivals.filter((at, index) => index === 0 || at - (arrivals[index - 1] ?? 0) > 50).length < 3

const eventsRow: Row = {
  id: 'events',
  source: 'five events 200 ms apart arrive together, or compressed',
  needs: 'seen',
  async run(doctor) {
    const headers = { accept: 'text/event-stream', 'accept-encoding': 'gzip' }
    const fix = {
      nginx: 'proxy_buffering off; gzip off;   and no proxy_ignore_headers X-Accel-Buffering',
      file: doorFile,
      apache: 'ProxyPass / http://127.0.0.1:8080/ nocanon flushpackets=on   and no DEFLATE on the doors',
      caddy: 'flush_interval -1   and no encode on the doors',
    }
    // On a busy machine events may arrive together by chance. A web server that buffers causes this every time.
    for (let round = 0; round < 3; round++) {
      const asked = await doctor.ask({ path: '/mcp/', headers, wish: 'events', round })
      if (!asked.seen) return []
      const encoding = asked.headers['content-encoding']
      if (encoding !== undefined)
        return [broken(`An event stream comes back compressed (${encoding}), so events arrive late and in groups.`, fix)]
      if (!isBunched(asked.arrivals)) return []
    }
    return [broken('Five events that were sent 200 ms apart arrived together: the web server buffers streams.', fix)]
  },
}

const streamCut: Row = {
  id: 'stream-cut',
  source: 'a quiet stream is cut off, mostly after 60 or 100 s',
  needs: 'seen',
  slow: true,
  async run(doctor) {
    const headers = { accept: 'text/event-stream' }
    const asked = await doctor.ask({ path: '/mcp/', headers, wish: 'quiet', timeoutMs: 130_000 })
    if (!asked.seen || (!asked.cut && asked.text.includes('data: 2'))) return []
    const message = 'A stream that carried only a comment every 15 s was cut off before its end.'
    return [
      warning(message, {
        nginx: 'proxy_read_timeout 300s;',
        file: proxyFile,
        apache: 'ProxyTimeout 300',
        caddy: 'Leave read_timeout out of transport http',
      }),
    ]
  },
}

export const answerRows: readonly Row[] = [discovery, discoveryCached, errorsReplaced, uncleanAnswer, eventsRow, streamCut]
