// `npm run coverage`, over one file: the report names sources, though what runs are bundles, and counts what child processes ran.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { inheritedEnvironment, root } from '../run-postern.ts'

test('coverage tells lines, branches and functions of src/ by source, child processes included', async () => {
  const args = [
    'scripts/coverage.mjs',
    'test/doors/rest/read-call.test.ts',
    'test/cli/nginx.test.ts',
    '--grep',
    'call:|--json gives',
  ]
  const { stdout } = await promisify(execFile)(process.execPath, args, {
    cwd: root,
    env: inheritedEnvironment(),
    maxBuffer: 2 ** 24,
  })
  assert.match(stdout, /^File +\| % Stmts \| % Branch \| % Funcs \| % Lines \|/m)
  const linesOf = (file: string): number => {
    const row = stdout.split('\n').find((line) => line.startsWith(` `) && line.trim().startsWith(`${file} `))
    return Number(row?.split('|')[4])
  }
  assert.ok(linesOf('read-call.ts') > 50, 'what a test ran itself')
  assert.ok(linesOf('nginx-files.ts') > 50, 'what a process ran that a test started')
  assert.equal(linesOf('backup-worker.ts'), 0, 'what nothing ran is listed too')
})
