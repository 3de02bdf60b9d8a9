// Steps that a call passes one after another, until one of them answers.

import type { JsonText } from '../json.ts'
import type { Soon } from '../soon.ts'

/** A step returns the answer, after which no step follows, or nothing. Where it throws, the call fails. */
export type CallStep<S> = (state: S) => Soon<JsonText | void>

/** Steps of which the last one answers. */
export type Answering<S> = readonly [...CallStep<S>[], (state: S) => Soon<JsonText>]

/** Passes the steps in order. The result is not a promise where no step returns one. */
export function walk<S>(steps: Answering<S>, state: S): Soon<JsonText>
export function walk<S>(steps: readonly CallStep<S>[], state: S): Soon<JsonText | void>
export function walk<S>(steps: readonly CallStep<S>[], state: S): Soon<JsonText | void> {
  let passed = 0
  for (const step of steps) {
    passed++
    const done = step(state)
    if (done instanceof Promise) return passed === steps.length ? done : goOn(done, steps.slice(passed), state)
    if (done) return done
  }
}

async function goOn<S>(running: Promise<JsonText | void>, rest: readonly CallStep<S>[], state: S): Promise<JsonText | void> {
  let answer = await running
  for (const step of rest) {
    if (answer) return answer
    const done = step(state)
    answer = done instanceof Promise ? await done : done
  }
  return answer
}
