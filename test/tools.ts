// The programs that tests need besides Node. `npm test` leaves out a test that asks for one that is missing (scripts/reporter.mjs).

import { missingTools } from '../scripts/test-tools.mjs'

/** The reason to skip tests that need a program; false if it is on this machine. */
export const lacksTool = (program: string): string | false =>
  missingTools().some((tool) => tool.program === program) && `needs ${program}`

/** Ends the test that runs, which is left out, if a program that it needs is missing. @throws an error that the reporter knows by its code */
export function needTool(program: string): void {
  const lack = lacksTool(program)
  if (lack) throw Object.assign(new Error(lack), { code: 'TEST_TOOL' })
}
