// A plan is a list of steps. Each step has a description, does something, and can undo it. Printing the steps without running
// them is a dry run.

import { errorMessage } from '../base/error-message.ts'
import { Failure } from '../base/failure.ts'

export interface Step {
  /** The work of the step, as a sentence without a full stop. */
  readonly what: string
  run(): Promise<void>
  /** Undoes the step, even if only part of it was done. */
  readonly undo?: { readonly what: string; run(): Promise<void> }
}

/** Called with each step before it runs. */
export type Tell = (what: string) => void

/**
 * Runs a plan. If a step fails, this step and those before it are undone in reverse order.
 * @throws Failure with the code of the error, or `failed` if it has none
 */
export async function runSteps(steps: readonly Step[], tell: Tell): Promise<void> {
  const begun: Step[] = []
  for (const step of steps) {
    begun.unshift(step)
    tell(step.what)
    try {
      await step.run()
    } catch (cause) {
      const undone = await undoSteps(begun, tell)
      throw failureOf(
        step,
        cause,
        steps.some(({ undo }) => undo) ? endOf(undone) : 'The steps before it stay done. Run the command again.',
      )
    }
  }
}

/** Undoes steps. @returns a text for each that could not be undone */
async function undoSteps(begun: readonly Step[], tell: Tell): Promise<readonly string[]> {
  const left: string[] = []
  for (const { undo } of begun) {
    if (!undo) continue
    tell(undo.what)
    try {
      await undo.run()
    } catch (error) {
      left.push(`${undo.what}: ${errorMessage(error)}`)
    }
  }
  return left
}

const endOf = (left: readonly string[]): string =>
  left.length === 0 ? 'All steps were undone.' : `These steps could not be undone: ${left.join('; ')}`

function failureOf({ what }: Step, cause: unknown, end: string): Failure {
  const reason = errorMessage(cause).replace(/\.?$/, '.')
  const { code, detail } = cause instanceof Failure ? cause : { code: 'failed' as const, detail: {} }
  return new Failure(code, `It failed at this step: ${what}. ${reason} ${end}`, detail, { cause })
}
