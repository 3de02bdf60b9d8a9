// Replaces `node:test` in test files that share a process (file-groups.mjs). It collects the declarations of a file and runs them
// as one test named after the file, with the file's own hooks, before the next file is loaded.

import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { mock, test as runTest } from 'node:test'
import { processorMs } from './tally.mjs'

/** A file that takes longer hangs. */
const timeout = 900_000

let declared

function declare(kind, value) {
  if (declared === undefined)
    throw new Error('In files that share a process, tests and hooks stand at the top level or in a suite.')
  declared[kind].push(value)
}

/** Declares a test without running it. Only the runner knows the forms of its arguments. */
export function test(...args) {
  declare('tests', args)
}

/** Declares a suite: a test whose parts are what the function declares. */
export function describe(name, ...rest) {
  const [options, suite] = rest.length > 1 ? rest : [{}, ...rest]
  const outer = declared
  const inner = noDeclarations()
  declared = inner
  suite()
  declared = outer
  declare('tests', [name, options, (context) => runDeclared(context, inner)])
}

export const before = (hook) => declare('before', hook)
export const after = (hook) => declare('after', hook)
export const beforeEach = (hook) => declare('beforeEach', hook)
export const afterEach = (hook) => declare('afterEach', hook)
export { mock }
export default test

/**
 * Runs the files of a group, one after the other.
 * @param {Readonly<Record<string, () => Promise<unknown>>>} files the function that loads each file, by its path from the root
 */
export function runFiles(files) {
  let used = { wallMs: 0, processorMs: 0 }
  const last = Object.keys(files).at(-1)
  for (const [name, load] of Object.entries(files)) {
    runTest(name, { timeout }, async (context) => {
      try {
        await runDeclared(context, await declarationsOf(load))
      } finally {
        if (name === last) endSoon(files)
        const now = { wallMs: performance.now(), processorMs: processorMs() }
        const own = { wallMs: now.wallMs - used.wallMs, processorMs: now.processorMs - used.processorMs }
        const file = join(process.env.TEST_OUTDIR, name.replace(/\.ts$/, '.js.tally'))
        mkdirSync(dirname(file), { recursive: true })
        writeFileSync(file, JSON.stringify(own))
        used = now
      }
    })
  }
}

/** Ends the process if a test left something open: it says what, for the files' tests have all been told by then. */
function endSoon(files) {
  const end = () => {
    const open = process.getActiveResourcesInfo().join(', ')
    process.stderr.write(`A test left something open (${open}), in one of ${Object.keys(files).join(', ')}\n`)
    process.exit()
  }
  setTimeout(end, 30_000).unref()
}

async function runDeclared(context, { tests, ...hooks }) {
  for (const hook of hooks.beforeEach) context.beforeEach(hook)
  for (const hook of hooks.afterEach) context.afterEach(hook)
  const failed = await runAll(hooks.before, context)
  // Like Node's runner: each test fails with the hook's error.
  for (const [name, ...rest] of tests) await context.test(name, ...(failed ? [() => Promise.reject(failed)] : rest))
  const failedAfter = await runAll(hooks.after, context)
  if (failedAfter && !failed) throw failedAfter
}

/** @returns the error of the first hook that fails */
async function runAll(hooks, context) {
  try {
    for (const hook of hooks) await hook(context)
  } catch (error) {
    return error
  }
}

const noDeclarations = () => ({ tests: [], before: [], after: [], beforeEach: [], afterEach: [] })

async function declarationsOf(load) {
  const found = noDeclarations()
  declared = found
  try {
    await load()
    return found
  } finally {
    declared = undefined
  }
}
