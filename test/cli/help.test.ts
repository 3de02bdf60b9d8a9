// What the command line tells about itself: help of every command, group and action, and the version.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { callName } from '../../src/actions/call/action.ts'
import { allActions } from '../../src/actions/all.ts'
import { exampleCommand } from '../../src/cli/action-help.ts'
import { parsePairs, readPairs } from '../../src/cli/call-input.ts'
import type { Io } from '../../src/cli/command.ts'
import { commands } from '../../src/cli/commands.ts'
import { runCommand } from '../../src/cli/run.ts'
import { runPostern } from '../run-postern.ts'

/** Runs a command in this process. No home is there, and no test here needs one. */
async function run(...words: string[]): Promise<{ code: number; out: string; err: string }> {
  const said = { out: '', err: '' }
  const io: Io = {
    env: { POSTERN_HOME: '/nowhere' },
    stdin: Readable.from([]),
    out: (text) => void (said.out += text),
    err: (text) => void (said.err += text),
  }
  return { code: await runCommand(words, io), ...said }
}

for (const [name, { usage, summary }] of Object.entries(commands))
  for (const words of [
    [...name.split(' '), '--help'],
    [...name.split(' '), '-h'],
    ['help', ...name.split(' ')],
  ])
    test(`postern ${words.join(' ')} prints its usage and summary, and exits 0`, async () => {
      const { code, out, err } = await run(...words)
      assert.deepEqual([code, err], [0, ''])
      assert.ok(out.startsWith(`postern ${usage}\n\n  ${summary}\n`), out)
    })

for (const group of new Set(Object.keys(commands).flatMap((name) => (name.includes(' ') ? [name.split(' ')[0] ?? ''] : []))))
  test(`postern ${group} --help lists the commands that begin so, and exits 0`, async () => {
    const { code, out } = await run(group, '--help')
    const missing = Object.keys(commands).filter((name) => name.startsWith(`${group} `) && !out.includes(`  ${name} `))
    assert.deepEqual([code, missing], [0, []])
  })

test('postern help names every command', async () => {
  const { code, out } = await run('help')
  assert.deepEqual([code, Object.keys(commands).filter((name) => !out.includes(`\n  ${name} `))], [0, []])
})

for (const action of allActions())
  test(`postern call ${callName(action)} --help shows it, and each example is a command that means its input`, async () => {
    const { code, out } = await run('call', callName(action), '--help')
    assert.deepEqual([code, out.includes(`  ${action.summary}\n`)], [0, true])
    const untold = Object.keys(action.input.properties).filter((key) => !out.includes(`\n  ${key} `))
    assert.deepEqual(untold, [])
    for (const { input } of action.examples) {
      const command = exampleCommand(action, input)
      assert.ok(out.includes(`\n  ${command}\n`))
      const typed = execFileSync('sh', ['-c', `printf '%s\\0' ${command}`], { encoding: 'utf8' })
        .split('\0')
        .slice(3, -1)
      const io = { env: {}, stdin: Readable.from([]), out: assert.fail, err: assert.fail }
      assert.deepEqual(parsePairs(await readPairs(typed, io), action), { ...input })
    }
  })

test('postern help call SVC_Content.get is its --help', async () => {
  const action = 'SVC_Content.get'
  assert.deepEqual(await run('help', 'call', action), await run('call', action, '--help'))
})

test('postern --version prints the version, alone on standard output', async () => {
  const { code, stdout, stderr } = await runPostern({ PATH: process.env['PATH'] ?? '' }, ['--version'])
  assert.equal(code, 0)
  assert.match(stdout, /^\d+\.\d+\.\d+(?: \(commit [0-9a-f]{12}(?:-dirty)?\))?\n$/)
  assert.equal(stderr, `Node ${process.versions.node}\n`)
})
