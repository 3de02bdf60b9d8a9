// A plan: told or run, and taken back in reverse from the step that failed.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Failure } from '../../src/base/failure.ts'
import { runSteps, type Step } from '../../src/install/step.ts'

/** A step that notes what happens to it; `fails` says when. */
function stepOf(name: string, happened: string[], fails?: 'run' | 'undo'): Step {
  const note = (what: string, failing: boolean) => {
    happened.push(what)
    if (failing) throw new Error(`${what} broke`)
  }
  return {
    what: name,
    run: async () => note(name, fails === 'run'),
    undo: { what: `undo ${name}`, run: async () => note(`undo ${name}`, fails === 'undo') },
  }
}

test('steps run in order, each told before', async () => {
  const happened: string[] = []
  const told: string[] = []
  await runSteps([stepOf('one', happened), stepOf('two', happened)], (what) => told.push(what))
  assert.deepEqual(happened, ['one', 'two'])
  assert.deepEqual(told, ['one', 'two'])
})

test('a step that fails is taken back too, and then those before it in reverse', async () => {
  const happened: string[] = []
  const steps = [
    stepOf('one', happened),
    { what: 'plain', run: async () => undefined },
    stepOf('two', happened, 'run'),
    stepOf('three', happened),
  ]
  await assert.rejects(
    runSteps(steps, () => undefined),
    (error) => error instanceof Failure && error.message === 'It failed at this step: two. two broke. All steps were undone.',
  )
  assert.deepEqual(happened, ['one', 'two', 'undo two', 'undo one'])
})

test('what can’t be taken back is told, and keeps nothing else from being so', async () => {
  const happened: string[] = []
  const steps = [stepOf('one', happened), stepOf('two', happened, 'undo'), stepOf('three', happened, 'run')]
  await assert.rejects(
    runSteps(steps, () => undefined),
    /These steps could not be undone: undo two: undo two broke$/,
  )
  assert.deepEqual(happened.slice(3), ['undo three', 'undo two', 'undo one'])
})

test('of a plan that takes nothing back none of that is said', async () => {
  const steps = ['one', 'two'].map((name) => ({
    what: name,
    run: () => (name === 'one' ? Promise.resolve() : Promise.reject(new Error('broke'))),
  }))
  await assert.rejects(
    runSteps(steps, () => undefined),
    /^Failure: It failed at this step: two\. broke\. The steps before it stay done\. Run the command again\.$/,
  )
})

test('the failure keeps the code and the hint of what failed', async () => {
  const failing: Step = {
    what: 'It',
    run: () => Promise.reject(new Failure('unavailable', 'Not now.', { hint: 'later' })),
  }
  await assert.rejects(
    runSteps([failing], () => undefined),
    (error) => error instanceof Failure && error.code === 'unavailable' && error.detail.hint === 'later',
  )
})
