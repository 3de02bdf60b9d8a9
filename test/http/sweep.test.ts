// Deadlines that share one timer: each that isn't called off runs out once, whatever else comes and goes.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSweep } from '../../src/http/sweep.ts'

test('each deadline runs out once, unless it was called off, which may be done twice', async () => {
  const sweep = createSweep(0.001)
  const alive = setInterval(() => undefined, 1000) // A sweep keeps no process alive.
  const ends = Array.from({ length: 100 }, () => 0)
  const watched = ends.map((_none, at) =>
    sweep.watch((at % 4) / 1000, () => {
      ends[at] = (ends[at] ?? 0) + 1
      // One that runs out ends itself again, and another that had time left.
      for (const other of [watched[at], late.pop()]) if (other) sweep.unwatch(other)
    }),
  )
  let lateEnds = 0
  const late = ends.map(() => sweep.watch(0.02, () => void lateEnds++))
  const calledOff = [0, 1, 2, 50, 97, 98, 99]
  for (const at of [...calledOff, ...calledOff]) sweep.unwatch(watched[at] ?? assert.fail())
  const last = new Promise<void>((done) => void sweep.watch(0.03, done))
  sweep.start()
  await last
  sweep.stop()
  clearInterval(alive)
  assert.deepEqual(
    ends,
    ends.map((_none, at) => (calledOff.includes(at) ? 0 : 1)),
  )
  assert.equal(lateEnds, calledOff.length)
})
