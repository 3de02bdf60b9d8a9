// `postern call`: runs any action in this process and prints the answer that `/api/` would give.

import type { Services } from '../actions/call/services.ts'
import { dispatch } from '../actions/call/dispatch.ts'
import { type CallOptions, readOptions } from '../actions/call/options.ts'
import { jsonText } from '../base/json.ts'
import { findActionHelp } from './action-help.ts'
import { readObject, parsePairs, readPairs } from './call-input.ts'
import { type Command, type Io, readWords, UsageError } from './command.ts'
import { exit, exitCodes } from './exit.ts'
import { failureText } from './failure-text.ts'
import { callerFor, originOf, withSite } from './open-site.ts'
import { readAll } from './read-input.ts'

const options = {
  'json-input': { type: 'string' },
  'dry-run': { type: 'boolean' },
  'if-revision': { type: 'string' },
  'idempotency-key': { type: 'string' },
  select: { type: 'string' },
  as: { type: 'string' },
  json: { type: 'boolean' },
} as const

export const call: Command = {
  usage:
    "call CLASS.ACTION [key=value … | --json-input '{…}' | -] [--dry-run] [--if-revision N] [--idempotency-key K] [--select a,b] [--as EMAIL]",
  summary: 'Runs an action and prints the JSON object that /api/ would answer.',
  details: [
    'key=value         An argument. The value is JSON where it parses as JSON, and otherwise text.',
    'key=@FILE         Reads the value from a file; key=@- from standard input. Write @@ for a text that begins with @.',
    '-                 Reads all arguments from standard input, as one JSON object.',
    '--dry-run         Shows what would change, and changes nothing.',
    '--as EMAIL        Runs the action as this account. The default is the oldest admin.',
    'postern call CLASS.ACTION --help describes the action.',
  ],
  help: async ([name], io) => (name?.includes('.') ? findActionHelp(io, name) : undefined),
  async run(args, io) {
    const { values, positionals } = readWords(args, options)
    const [name, ...words] = positionals
    if (name === undefined || !name.includes('.')) throw new UsageError('Which action?', 'postern call SVC_API.list-actions')
    const json = await readJson(io, values['json-input'], words)
    const pairs = await readPairs(json === undefined ? words : [], io)
    const callOptions = readOptions({
      select: values.select,
      dry_run: values['dry-run'],
      if_revision: values['if-revision'] === undefined ? undefined : Number(values['if-revision']),
      idempotency_key: values['idempotency-key'],
    })
    return withSite(io, async (site) => runCall(site, io, { name, pairs, json, callOptions, as: values.as }))
  },
}

/** Reads the arguments if they are given as one object; undefined if they are given as words. */
async function readJson(
  io: Io,
  given: string | undefined,
  words: readonly string[],
): Promise<Record<string, unknown> | undefined> {
  const fromStdin = words.includes('-')
  if (given === undefined && !fromStdin) return undefined
  if (words.length > (fromStdin ? 1 : 0) || (given !== undefined && fromStdin)) {
    throw new UsageError(
      'Give the arguments in one way: as key=value, as --json-input, or on standard input.',
      'postern call SVC_Content.get id=/about',
    )
  }
  return given === undefined ? readObject(await readAll(io), 'Standard input') : readObject(given, '--json-input')
}

interface CallOrder {
  readonly name: string
  readonly pairs: ReadonlyMap<string, string>
  readonly json: Record<string, unknown> | undefined
  readonly callOptions: CallOptions
  readonly as: string | undefined
}

async function runCall(site: Services, io: Io, { name, pairs, json, callOptions, as }: CallOrder): Promise<number> {
  const caller = await callerFor(site, as)
  const input = json ?? parsePairs(pairs, site.registry.find(name))
  const outcome = await dispatch(
    site,
    caller,
    { name, input, options: callOptions },
    { origin: originOf(site.config), jobWaitMs: Infinity },
  )
  if (outcome.ok) {
    io.out(`{"success":true,"data":${outcome.data.text}}\n`)
    return exit.ok
  }
  io.out(`${jsonText({ success: false, error: outcome.failure })}\n`)
  io.err(failureText(outcome.failure))
  return exitCodes[outcome.failure.code]
}
