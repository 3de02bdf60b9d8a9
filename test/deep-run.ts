// `npm run test:deep`: every site and command is a process of its own, and nothing is left out for its time.

import { test } from 'node:test'

/** Whether this is a deep run. */
export const isDeep = process.env['TEST_CASES'] === 'new'

/** Declares a test that takes too many seconds for each run: a deep run has it, beside the quick ones of its file. */
export function deepTest(name: string, run: () => Promise<void>): void {
  if (isDeep) void test(name, run)
}
