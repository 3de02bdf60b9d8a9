// The same call as a line for a shell, and as the message of an MCP client.

import type { Call } from '../../actions/call.ts'

/** What a call looks like in a request: arguments and options beside each other. */
function requestOf({ input, options }: Call): Readonly<Record<string, unknown>> {
  const { select, dryRun, ifRevision, idempotencyKey } = options
  const given = { select, dry_run: dryRun, if_revision: ifRevision, idempotency_key: idempotencyKey }
  const set = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined && value !== false))
  return { arguments: input, ...set }
}

/** The call for curl, with a token in the variable `TOKEN`. @param base address of the site, without a slash at the end */
export function curlLine(base: string, call: Call): string {
  const body = JSON.stringify({ action: call.name, ...requestOf(call) })
  return `curl -H "Authorization: Bearer $TOKEN" ${base}/api/ -d ${quoted(body)}`
}

/** The call as the arguments of the tool `call-action`. */
export const toolCall = (call: Call): string =>
  JSON.stringify({ name: 'call-action', arguments: { action: call.name, ...requestOf(call) } }, undefined, 2)

/** A text in single quotes for a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`
