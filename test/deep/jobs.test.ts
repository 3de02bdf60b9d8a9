// Fourteen jobs of an assistant that knows nothing of the site, the thirteenth in two forms, each in a conversation of its own over the official client. The table
// at the end says what each took. The limits are a tenth above what was measured: an answer that grows is seen.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openSite } from '../site.ts'
import { bakery, identity, look, menus, newType } from './jobs/building.ts'
import { converse, type Tally } from './jobs/conversation.ts'
import { back, links, move, post, typo, wines } from './jobs/editing.ts'
import type { Job } from './jobs/job.ts'
import { asking, drafting, people, report } from './jobs/looking-after.ts'

const jobs: readonly Job[] = [
  bakery,
  typo,
  post,
  move,
  newType,
  look,
  wines,
  links,
  back,
  people,
  menus,
  identity,
  asking,
  report,
  drafting,
]

const tallies = new Map<Job, Tally>()
const tokens = (characters: number): number => Math.ceil(characters / 4)

for (const [at, job] of jobs.entries()) {
  test(`job ${at + 1}, ${job.name}: is done`, async () => {
    await using site = await openSite()
    await job.given?.(site)
    const chat = await converse(site, await job.token?.(site))
    try {
      await job.walk(chat, site)
    } finally {
      tallies.set(job, chat.tally)
      await chat.close()
    }
    await job.outcome(site)
  })

  test(
    `job ${at + 1}, ${job.name}: reads at most ${job.tokens} tokens, and no call fails`,
    job.todo === undefined ? {} : { todo: job.todo },
    () => {
      const tally = tallies.get(job)
      assert.ok(tally, 'the job was done')
      assert.deepEqual(tally.faults, [])
      assert.ok(tokens(tally.read) <= job.tokens, `${tokens(tally.read)} tokens were read`)
    },
  )
}

after(() => {
  process.stdout.write(
    'job                                            calls  failed  detours  tokens  discovery  as structured too\n',
  )
  const row = (cells: readonly unknown[]): void => {
    const [name, ...numbers] = cells.map(String)
    const widths = [7, 8, 9, 8, 11, 19]
    const line = numbers.map((cell, at) => cell.padStart(widths[at] ?? 8)).join('')
    process.stdout.write(`${(name ?? '').slice(0, 44).padEnd(45)}${line}\n`)
  }
  for (const [at, job] of jobs.entries()) {
    const tally = tallies.get(job)
    if (!tally) continue
    const { calls, failed, detours, read, discovery, structured } = tally
    const share = `${Math.round((100 * discovery) / read)} %`
    row([`${at + 1} ${job.name}`, calls, failed, detours, tokens(read), share, tokens(read + structured)])
  }
  const total = (of: keyof Omit<Tally, 'faults'>): number => [...tallies.values()].reduce((sum, tally) => sum + tally[of], 0)
  const share = `${Math.round((100 * total('discovery')) / total('read'))} %`
  row([
    'all',
    total('calls'),
    total('failed'),
    total('detours'),
    tokens(total('read')),
    share,
    tokens(total('read') + total('structured')),
  ])
})
