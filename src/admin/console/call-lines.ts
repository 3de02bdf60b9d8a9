// The same call as a shell command, and as the message of an MCP client.

import type { Call } from '../../actions/call/call.ts'

/** The arguments of a call in a request, with the options next to them. */
function requestOf({ input, options }: Call): Readonly<Record<string, unknown>> {
  const { select, dryRun, ifRevision, idempotencyKey } = options
  const given = { select, dry_run: dryRun, if_revision: ifRevision, idempotency_key: idempotencyKey }
  const set = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined && value !== false))
  return { arguments: input, ...set }
}

/** The call as a curl command, with a token in the variable `TOKEN`. @param base address of the site, without a slash at the end */
export function curlLine(base: string, call: Call): string {
  const body = JSON.stringify({ action: call.name, ...requestOf(call) })
  return `curl -H "Authorization: Bearer $TOKEN" ${base}/api/ -d ${quoted(body)}`
}

/** The call as the arguments of the tool `call-action`. */
export const toolCall = (call: Call): string =>
  JSON.stringify({ name: 'call-action', arguments: { action: call.name, ...requestOf(call) } }, undefined, 2)

/** Returns a text in single quotes for a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`
