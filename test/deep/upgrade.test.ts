// An upgrade from outside: under load, ended between two steps, and back again.

import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Checkout, type Ended, type Machine, makeRelease, openMachine } from '../installed.ts'
import { keepAsking } from '../keep-asking.ts'

let machine: Machine
let next: Checkout
before(async () => {
  machine = await openMachine()
  next = await makeRelease({ version: '1.1.0', migration: '0900-later' })
})
after(() => machine[Symbol.asyncDispose]())

/** Writes page after page; one that got no answer is sent again under its key. @returns how many were acknowledged */
async function keepWriting(isOver: () => boolean): Promise<number> {
  for (let page = 0; ; page++, await sleep(20)) {
    if (isOver()) return page
    const input = {
      type: 'page',
      title: `Page ${page}`,
      slug: `page-${page}`,
      status: 'published',
      idempotency_key: `key-${page}`,
    }
    for (let done = false; !done;) {
      const answer = await machine.api('SVC_Content.create', input).catch(() => undefined)
      done = answer?.json?.success === true
      if (answer !== undefined && !done && answer.status !== 503) throw new Error(answer.text)
    }
  }
}

test('a dry run prints every step and changes nothing', async () => {
  const before = await readdir(machine.root, { recursive: true })
  const dry = await machine.change(['upgrade', '--from', next.folder, '--dry-run'])
  assert.equal(dry.code, 0, dry.stderr)
  assert.match(dry.stderr, /^Makes a backup and tests it$/m)
  assert.match(dry.stderr, /^Switches \/opt\/postern\/current to 1\.1\.0-/m)
  assert.deepEqual(await readdir(machine.root, { recursive: true }), before)
})

test('an upgrade under load loses no request and no write; one runs at a time; and a rollback is only the link', async () => {
  const old = await machine.current()
  let over = false
  const found: string[] = []
  const asking = Array.from({ length: 4 }, () => keepAsking(machine.port, () => over, found, 5))
  const writing = keepWriting(() => over)
  const both = await Promise.all([1, 2].map(() => machine.change(['upgrade', '--from', next.folder, '--json'])))
  over = true
  await Promise.all(asking)
  const pages = await writing
  const [upgraded, refused] = both.toSorted((a, b) => a.code - b.code) as [Ended, Ended]
  assert.equal(upgraded.code, 0, upgraded.stderr)
  assert.equal(refused.code, 5, refused.stderr)
  assert.match(refused.stderr, /^Another install, upgrade or rollback is running/)
  assert.deepEqual([...new Set(found)], ['200 ok'])
  const told = JSON.parse(upgraded.stdout)
  assert.equal(told.previous, old)
  assert.equal(await machine.current(), told.release)
  assert.match(told.release, /^1\.1\.0-[0-9a-f]{12}$/)
  assert.ok(pages > 1)
  for (let page = 0; page < pages; page++) assert.equal((await machine.get(`/page-${page}`)).status, 200)

  const again = await machine.change(['upgrade', '--from', next.folder])
  assert.deepEqual([again.code, again.stderr], [0, `${told.release} is installed already.\n`])

  // Ended between the switch and the restart, and given again.
  const ended = await machine.change(['rollback', '--restart-command', 'kill -9 $PPID; :'])
  assert.match(ended.stderr, /\nRestarts the service: kill -9 \$PPID; : restart\n$/)
  assert.equal(await machine.current(), old)
  const back = await machine.change(['rollback'])
  assert.equal(back.code, 0, back.stderr)
  assert.equal(await machine.current(), old)
  assert.equal((await machine.get(`/page-${pages - 1}`)).status, 200)
  const further = await machine.change(['rollback'])
  assert.equal(further.code, 4)
  assert.match(further.stderr, /no release before/)
})
