// Steps of a call, which run in order until one of them answers.

import type { JsonText } from '../../base/json.ts'
import type { Soon } from '../../base/soon.ts'

/** A step returns the answer, after which no step follows, or nothing. If it throws, the call fails. */
export type CallStep<S> = (state: S) => Soon<JsonText | void>

/** Steps whose last one answers. */
export type Answering<S> = readonly [...CallStep<S>[], (state: S) => Soon<JsonText>]

/** Runs the steps in order. The result is a promise only if a step returns one. */
export function walk<S>(steps: Answering<S>, state: S): Soon<JsonText>
export function walk<S>(steps: readonly CallStep<S>[], state: S): Soon<JsonText | void>
export function walk<S>(steps: readonly CallStep<S>[], state: S): Soon<JsonText | void> {
  let passed = 0
  for (const step of steps) {
    passed++
    const done = step(state)
    if (done instanceof Promise) return passed === steps.length ? done : walkRest(done, steps.slice(passed), state)
    if (done) return done
  }
}

async function walkRest<S>(running: Promise<JsonText | void>, rest: readonly CallStep<S>[], state: S): Promise<JsonText | void> {
  let answer = await running
  for (const step of rest) {
    if (answer) return answer
    const done = step(state)
    answer = done instanceof Promise ? await done : done
  }
  return answer
}
