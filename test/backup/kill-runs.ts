// Backups and restores that are ended by `kill -9` at moments spread over their whole run, and what must be so after each.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openSite, root, runPostern, type TestSite } from '../site.ts'

const envOf = (home: string) => ({ PATH: process.env['PATH'] ?? '', POSTERN_HOME: home })

/** Runs the command line and kills it after so long. */
export async function killCommand(
  env: Readonly<Record<string, string>>,
  args: readonly string[],
  afterMs: number,
): Promise<void> {
  const child = spawn(process.execPath, [join(root, 'scripts/postern'), ...args], { env, stdio: 'ignore' })
  const exited = once(child, 'exit')
  const ending = new AbortController()
  await Promise.race([exited, sleep(afterMs, undefined, { signal: ending.signal })])
  ending.abort()
  child.kill('SIGKILL')
  await exited
}

/** How long a whole run takes here and now, in milliseconds. */
export async function timeOf(run: () => Promise<{ code: number; stderr: string }>): Promise<number> {
  const started = performance.now()
  const { code, stderr } = await run()
  assert.equal(code, 0, stderr)
  return performance.now() - started
}

/** A moment in the later two thirds of a run: before it the program only starts. */
export const momentOf = (wholeMs: number): number => wholeMs * (0.33 + 0.67 * Math.random())

/** Kills backups of a running service: the older ones stay as they are, there is no half one, and the next cleans up. */
export async function killBackups(site: TestSite, rounds: number): Promise<void> {
  const folder = join(site.home, 'backups')
  const names = async () => (await readdir(folder)).filter((name) => !name.startsWith('.')).sort()
  const wholeMs = await timeOf(() => site.postern(['backup', '--note', 'stays']))
  const first = await names()
  const hash = async (name: string) =>
    createHash('sha256')
      .update(await readFile(join(folder, name)))
      .digest('hex')
  const hashes = await Promise.all(first.map(hash))
  for (let round = 0; round < rounds; round++) await killCommand(envOf(site.home), ['backup'], momentOf(wholeMs))
  assert.deepEqual(await Promise.all(first.map(hash)), hashes)
  for (const name of await names()) assert.equal((await site.postern(['verify', name])).code, 0, name)
  assert.equal((await site.postern(['backup'])).code, 0)
  assert.ok((await readdir(folder)).every((name) => name === '.lock' || name.endsWith('.tar')))
}

/** Kills restores of one state over another and back: each time a service starts, all of it in one of the two. */
export async function killRestores(rounds: number): Promise<void> {
  await using setUp = await openSite()
  const photo = join(setUp.home, 'user-content/uploads/photo.jpg')
  const save = async (state: number) => {
    await writeFile(photo, Buffer.alloc(2_000_000, state))
    return (await setUp.postern(['backup', '--note', `state ${state}`])).stdout.trim()
  }
  const { item } = await setUp.call('SVC_Content.create', { type: 'page', title: 'State 1', slug: 'state', status: 'published' })
  const files = [await save(1)]
  await setUp.call('SVC_Content.update', { id: item.id, title: 'State 2' })
  files.push(await save(2))
  await setUp.stop()
  const restore = (state: number) => ['restore', files[state - 1] ?? '', '--yes', '--no-save']
  const wholeMs = await timeOf(() => runPostern(envOf(setUp.home), restore(1)))
  for (let round = 0; round < rounds; round++) {
    const moment = momentOf(wholeMs)
    await killCommand(envOf(setUp.home), restore(2 - (round % 2)), moment)
    await using started = await openSite({ home: setUp.home })
    const state = Number(/<title>State (\d)/.exec((await started.send('/state')).text)?.[1])
    assert.deepEqual([...new Set(await readFile(photo))], [state], `after ${moment} of ${wholeMs} ms`)
    assert.equal((await started.send('/readyz')).status, 200)
    assert.ok(!(await readdir(setUp.home)).includes('.restore'))
    // The token was good all along.
    assert.equal((await started.api('SVC_Backup.list', {}, { token: setUp.token })).status, 200)
    await started.stop()
  }
}
