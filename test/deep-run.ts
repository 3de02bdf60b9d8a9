// `npm run test:deep`: every site and command is a process of its own, and nothing is left out for its time.

import { test, type TestContext } from 'node:test'

/** Whether this is a deep run. */
export const isDeep = process.env['TEST_CASES'] === 'new'

/** Declares a test that takes too many seconds for each run: a deep run has it, beside the quick ones of its file. */
export function deepTest(name: string, run: Run): void
export function deepTest(name: string, options: { readonly skip: string | false }, run: Run): void
export function deepTest(name: string, ...rest: [Run] | [{ readonly skip: string | false }, Run]): void {
  if (!isDeep) return
  const [options, run] = rest.length === 1 ? [{}, ...rest] : rest
  void test(name, options, run)
}

type Run = (context: TestContext) => Promise<void>
