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

const jobs: readonly (readonly [number: string, job: Job])[] = [
  ['1', bakery],
  ['2', typo],
  ['3', post],
  ['4', move],
  ['5', newType],
  ['6', look],
  ['7', wines],
  ['8', links],
  ['9', back],
  ['10', people],
  ['11', menus],
  ['12', identity],
  ['13', asking],
  ['13b', drafting],
  ['14', report],
]

const tallies = new Map<Job, Tally>()
const tokens = (characters: number): number => Math.ceil(characters / 4)

for (const [number, job] of jobs) {
  test(`job ${number}, ${job.name}: is done`, async () => {
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
    `job ${number}, ${job.name}: reads at most ${job.tokens} tokens, and no call fails`,
    job.todo === undefined ? {} : { todo: job.todo },
    () => {
      const tally = tallies.get(job)
      assert.ok(tally, 'the job was done')
      assert.deepEqual(tally.faults, [])
      assert.ok(tokens(tally.read) <= job.tokens, `${tokens(tally.read)} tokens were read`)
    },
  )
}

const columns = ['calls', 'was', 'failed', 'was', 'detours', 'tokens', 'was', 'discovery', 'with structured']

function writeRow(name: string, cells: readonly (string | number)[]): void {
  const line = cells.map((cell, at) => String(cell).padStart(Math.max((columns[at] ?? '').length, 6) + 3)).join('')
  process.stdout.write(`${name.slice(0, 44).padEnd(44)}${line}\n`)
}

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0)
const share = (part: number, whole: number): string => `${Math.round((100 * part) / whole)} %`

after(() => {
  const done = jobs.flatMap(([number, job]) => {
    const tally = tallies.get(job)
    return tally ? [{ number, job, tally }] : []
  })
  writeRow('job', columns)
  for (const { number, job, tally } of done) {
    const { calls, failed, detours, read, discovery, structured } = tally
    const { before } = job
    const seen = [tokens(read), before.tokens, share(discovery, read), tokens(read + structured)]
    writeRow(`${number} ${job.name}`, [calls, before.calls, failed, before.failed, detours, ...seen])
  }
  const of = (key: 'calls' | 'failed' | 'detours' | 'read' | 'discovery' | 'structured') =>
    sum(done.map(({ tally }) => tally[key]))
  const was = (key: keyof Job['before']) => sum(done.map(({ job }) => job.before[key]))
  const seen = [tokens(of('read')), was('tokens'), share(of('discovery'), of('read')), tokens(of('read') + of('structured'))]
  writeRow('all', [of('calls'), was('calls'), of('failed'), was('failed'), of('detours'), ...seen])
})
