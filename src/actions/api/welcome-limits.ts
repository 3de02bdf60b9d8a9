// The caller's limits in words and as data, for welcome. They are those of its token and its role together.

import { Type } from 'typebox'
import { JsonText } from '../../base/json.ts'
import { type Caller, limitsOf, type TokenLimits } from '../../identity/caller.ts'
import { lowerLimits } from '../../identity/token-limits.ts'
import type { IdentityServices } from '../call/services.ts'

const texts = (description: string) => Type.Optional(Type.Array(Type.String(), { description }))

export const limitsSchema = Type.Object({
  says: Type.String({ description: 'All of them in words.' }),
  drafts_only: Type.Optional(Type.Boolean()),
  asks_first: texts('Calls of these actions wait until a person approves them: names, or patterns such as `SVC_Content.*`.'),
  own_entries_only: Type.Optional(Type.Boolean()),
  types: texts('The only types of entries that you may write.'),
  classes: texts('The only classes of actions, besides SVC_API and SVC_Docs.'),
  addresses: texts('The only network addresses that you may call from.'),
  calls_per_minute: Type.Optional(Type.Integer()),
  calls_left: Type.Optional(Type.Integer({ description: 'How many of them are left in this minute.' })),
})

/** The member with the count that differs with each call, as it is in a kept text. */
const uncounted = '"calls_left":0'

/** An answer that is kept, except for the calls that are left. No value of its text can have that member in itself. */
export class CountedText {
  readonly #text: readonly string[]
  readonly #quoted: readonly string[]

  constructor(text: string) {
    this.#text = splitAt(text, uncounted)
    this.#quoted = splitAt(JSON.stringify(text), uncounted.replaceAll('"', '\\"'))
  }

  /** Returns the answer with the calls that are left. The text of a caller whose calls are not counted is without the member. */
  with(left: number | undefined): JsonText {
    const [head = '', tail] = this.#text
    const [quotedHead = '', quotedTail] = this.#quoted
    if (tail === undefined) return new JsonText(head, quotedHead)
    return new JsonText(`${head}"calls_left":${left}${tail}`, `${quotedHead}\\"calls_left\\":${left}${quotedTail}`)
  }
}

/** Splits a text at the first place of a part, which is left out. */
function splitAt(text: string, part: string): readonly string[] {
  const at = text.indexOf(part)
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + part.length)]
}

/** The limit and the rest of a caller's calls; undefined for a caller whose calls are not counted. */
export function callsLeft({ rate }: Pick<IdentityServices, 'rate'>, caller: Caller): { limit: number; left: number } | undefined {
  const { limit, remaining } = rate.takeCalls(caller, 0)
  return limit === Number.MAX_SAFE_INTEGER ? undefined : { limit, left: Math.max(0, remaining) }
}

/** @param perMinute the calls that the caller may make; undefined if they are not counted */
export function limitFacts(caller: Caller, perMinute: number | undefined): Record<string, unknown> {
  const [first = {}, ...others] = limitsOf(caller)
  const limits = others.reduce(lowerLimits, first)
  const { drafts_only: drafts, ask, author, types, classes, addresses } = limits
  return {
    says: sentencesOf(caller, limits, perMinute),
    ...(drafts === true && { drafts_only: true }),
    ...(ask && { asks_first: ask }),
    ...(author !== undefined && { own_entries_only: true }),
    ...(types && { types }),
    ...(classes && { classes }),
    ...(addresses && { addresses }),
    ...(perMinute !== undefined && { calls_per_minute: perMinute, calls_left: 0 }),
  }
}

/** The sentences about each limit, in the order in which a reader needs them. */
const sentences: Readonly<Record<Exclude<keyof TokenLimits, 'per_minute'>, (limits: TokenLimits) => string>> = {
  drafts_only: () =>
    'You write drafts. Your edits of published entries wait until a person publishes them, ' +
    'and you may propose a publication with SVC_Proposals.create.',
  ask: ({ ask = [] }) => `A person approves first: ${ask.includes('*') ? 'whatever you change' : ask.join(', ')}.`,
  author: () => 'You write only your own entries.',
  types: ({ types = [] }) => `You write only entries of the types ${types.join(', ')}.`,
  classes: ({ classes = [] }) => `You call only actions of ${[...classes, 'SVC_API', 'SVC_Docs'].join(', ')}.`,
  addresses: ({ addresses = [] }) => `You call from ${addresses.join(', ')} only.`,
}

function sentencesOf(caller: Caller, limits: TokenLimits, perMinute: number | undefined): string {
  const own = Object.entries(sentences).flatMap(([name, say]) => {
    const value = limits[name as keyof TokenLimits]
    return value === undefined || value === false ? [] : [say(limits)]
  })
  const basic = caller.tier === 'any' || caller.tier === 'read' ? ['You only read.'] : []
  const all = [...basic, ...own]
  const rate = perMinute === undefined ? [] : [`At most ${perMinute} calls a minute.`]
  return [...(all.length === 0 ? ['You may do all that your tier allows.'] : all), ...rate].join(' ')
}
