// `postern call`: any action, in this process, with the answer that `/api/` would give.

import type { Services } from '../actions/services.ts'
import { dispatch } from '../actions/dispatch.ts'
import { type CallOptions, parseOptions } from '../actions/options.ts'
import { jsonText } from '../json.ts'
import { parseObject, parsePairs } from './call-input.ts'
import { type Command, type Io, parseWords, UsageError } from './command.ts'
import { exit, exitCodes } from './exit.ts'
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
  summary: 'Calls an action and prints the same JSON object as /api/.',
  details: [
    'key=value         An argument; the value is JSON where it parses as such, else text.',
    '-                 The arguments are a JSON object on standard input.',
    '--dry-run         Does everything but keep it, and shows the difference.',
    '--as EMAIL        As this account; the oldest admin unless given.',
  ],
  async run(args, io) {
    const { values, positionals } = parseWords(args, options)
    const [name, ...words] = positionals
    if (name === undefined || !name.includes('.')) throw new UsageError('Which action?', 'postern call SVC_API.list-actions')
    const json = await readJson(io, values['json-input'], words)
    const callOptions = parseOptions({
      select: values.select,
      dry_run: values['dry-run'],
      if_revision: values['if-revision'] === undefined ? undefined : Number(values['if-revision']),
      idempotency_key: values['idempotency-key'],
    })
    return withSite(io, async (site) =>
      runCall(site, io, { name, words: json === undefined ? words : [], json, callOptions, as: values.as }),
    )
  },
}

/** The arguments as one object, where they are given so. */
async function readJson(
  io: Io,
  given: string | undefined,
  words: readonly string[],
): Promise<Record<string, unknown> | undefined> {
  const fromStdin = words.includes('-')
  if (given === undefined && !fromStdin) return undefined
  if (words.length > (fromStdin ? 1 : 0) || (given !== undefined && fromStdin)) {
    throw new UsageError(
      'Arguments come as key=value, as --json-input or from standard input: one of these.',
      'postern call SVC_Content.get id=/about',
    )
  }
  return given === undefined ? parseObject(await readAll(io), 'Standard input') : parseObject(given, '--json-input')
}

interface Asked {
  readonly name: string
  readonly words: readonly string[]
  readonly json: Record<string, unknown> | undefined
  readonly callOptions: CallOptions
  readonly as: string | undefined
}

async function runCall(site: Services, io: Io, { name, words, json, callOptions, as }: Asked): Promise<number> {
  const caller = await callerFor(site, as)
  const input = json ?? parsePairs(words, site.registry.find(name))
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
  io.err(`${outcome.failure.message}\n`)
  return exitCodes[outcome.failure.code]
}
