// A plan is a list of steps: what each does in words, how, and how it is taken back. Told without being run, it is a dry run.

import { Failure } from '../failure.ts'

export interface Step {
  /** What it does, as a sentence without its full stop. */
  readonly what: string
  run(): Promise<void>
  /** Takes it back, also where it ended half-way. */
  readonly undo?: { readonly what: string; run(): Promise<void> }
}

/** Hears of each step before it runs. */
export type Tell = (what: string) => void

/**
 * Runs a plan. When a step fails, it and those before it are taken back in reverse.
 * @throws Failure with the code of what failed, `failed` where it had none
 */
export async function runSteps(steps: readonly Step[], tell: Tell): Promise<void> {
  const begun: Step[] = []
  for (const step of steps) {
    begun.unshift(step)
    tell(step.what)
    try {
      await step.run()
    } catch (cause) {
      const undone = await takeBack(begun, tell)
      throw failureOf(
        step,
        cause,
        steps.some(({ undo }) => undo) ? endOf(undone) : 'What is done stays done: give the command again.',
      )
    }
  }
}

/** @returns what could not be taken back, in words */
async function takeBack(begun: readonly Step[], tell: Tell): Promise<readonly string[]> {
  const left: string[] = []
  for (const { undo } of begun) {
    if (!undo) continue
    tell(undo.what)
    try {
      await undo.run()
    } catch (error) {
      left.push(`${undo.what}: ${wordsOf(error)}`)
    }
  }
  return left
}

const endOf = (left: readonly string[]): string =>
  left.length === 0 ? 'What was begun is taken back.' : `This could not be taken back: ${left.join('; ')}`

function failureOf({ what }: Step, cause: unknown, end: string): Failure {
  const reason = wordsOf(cause).replace(/\.?$/, '.')
  const { code, detail } = cause instanceof Failure ? cause : { code: 'failed' as const, detail: {} }
  return new Failure(code, `It failed at this step: ${what}. ${reason} ${end}`, detail, { cause })
}

/** What an error says, whatever was thrown. */
export const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
