// Parses the messages of a plugin's process. A message has exactly one of these forms, or it is invalid.

import { Failure, type Code, type FailureDetail } from '../base/failure.ts'
import { isObject } from '../base/json.ts'
import { maskSecrets } from '../base/mask.ts'
import type { PluginFailureCode } from './api.ts'
import { plainLine } from './plain-line.ts'

/**
 * The codes of `postern.Failure`. If a plugin passes on a failure with another code from a call, its code becomes `unprocessable`.
 */
export const pluginFailureCodes = [
  'invalid',
  'not_found',
  'conflict',
  'exists',
  'in_use',
  'too_large',
  'unprocessable',
  'refused',
  'unreachable',
  'unavailable',
] as const satisfies readonly PluginFailureCode[]

export type FromPlugin =
  | { readonly kind: 'ready' }
  | { readonly kind: 'activated'; readonly registered: unknown }
  | { readonly kind: 'result'; readonly run: number; readonly value: unknown }
  | { readonly kind: 'failure'; readonly run: number; readonly failure: Failure }
  | { readonly kind: 'fatal'; readonly reason: 'load' | 'threw' | 'memory'; readonly message: string; readonly trace: string }
  | { readonly kind: 'log'; readonly level: 'info' | 'warn' | 'error'; readonly message: string; readonly fields: Members }
  | { readonly kind: 'print'; readonly run: number | undefined; readonly text: string }
  | ({ readonly kind: 'ask'; readonly ask: number; readonly during: number | undefined } & Question)

type Question =
  | {
      readonly what: 'call'
      readonly class: string
      readonly action: string
      readonly input: Members
      readonly options: Members
    }
  | { readonly what: 'fetch'; readonly url: string; readonly init: Members }

type Members = Readonly<Record<string, unknown>>

/** Reads a message from parsed JSON; undefined if it is invalid. */
export function readMessage(value: unknown): FromPlugin | undefined {
  if (!isObject(value)) return undefined
  const { kind } = value
  return typeof kind === 'string' && Object.hasOwn(readers, kind) ? readers[kind as FromPlugin['kind']](value) : undefined
}

const readers: { readonly [Kind in FromPlugin['kind']]: (from: Members) => Extract<FromPlugin, { kind: Kind }> | undefined } = {
  ready: () => ({ kind: 'ready' }),
  activated: ({ registered }) => ({ kind: 'activated', registered }),
  result: ({ run, value }) => (isCount(run) ? { kind: 'result', run, value } : undefined),
  failure({ run, failure }) {
    const parsed = readFailure(failure)
    return isCount(run) && parsed !== undefined ? { kind: 'failure', run, failure: parsed } : undefined
  },
  fatal: ({ reason, message, trace }) =>
    isOneOf(reason, ['load', 'threw', 'memory']) && typeof message === 'string' && typeof trace === 'string'
      ? { kind: 'fatal', reason, message: maskSecrets(message), trace: trace.slice(0, maxTextChars).toWellFormed() }
      : undefined,
  log: ({ level, message, fields }) =>
    isOneOf(level, ['info', 'warn', 'error']) && typeof message === 'string' && isObject(fields)
      ? { kind: 'log', level, message, fields }
      : undefined,
  print: ({ run, text }) =>
    (isCount(run) || run === null) && typeof text === 'string' ? { kind: 'print', run: run ?? undefined, text } : undefined,
  ask(from) {
    const { ask, during } = from
    const question = readQuestion(from)
    if (!isCount(ask) || !(isCount(during) || during === null) || question === undefined) return undefined
    return { kind: 'ask', ask, during: during ?? undefined, ...question }
  },
}

function readQuestion({ what, class: className, action, input, options, url, init }: Members): Question | undefined {
  if (what === 'fetch') return typeof url === 'string' && isObject(init) ? { what, url, init } : undefined
  const isCall = what === 'call' && typeof className === 'string' && typeof action === 'string'
  return isCall && isObject(input) && isObject(options) ? { what, class: className, action, input, options } : undefined
}

function readFailure(value: unknown): Failure | undefined {
  if (!isObject(value) || typeof value['code'] !== 'string' || typeof value['message'] !== 'string') return undefined
  const { code, message, field, expected, hint } = value
  const detail: FailureDetail = {
    ...(typeof field === 'string' ? { field: plainLine(field, maxTextChars) } : {}),
    ...(expected === undefined ? {} : { expected }),
    ...(typeof hint === 'string' ? { hint: plainLine(hint, maxTextChars) } : {}),
  }
  const known: readonly string[] = pluginFailureCodes
  return new Failure(known.includes(code) ? (code as Code) : 'unprocessable', plainLine(message, maxTextChars), detail)
}

/** The longest text of a failure or a stack. */
const maxTextChars = 2000

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0

function isOneOf<const Word extends string>(value: unknown, words: readonly Word[]): value is Word {
  return (words as readonly unknown[]).includes(value)
}
