// One site with two processes on one socket: what one has written the other shows at once, and what must happen once happens once.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTwoWorkers, type Side, type TwoWorkers } from '../two-workers.ts'

let pair: TwoWorkers
before(async () => {
  pair = await openTwoWorkers()
})
after(() => pair[Symbol.asyncDispose]())

const rounds = 40

/** Writes at one process and reads at once at the other, in turn. @returns how many reads were fresh */
async function countFresh(
  write: (at: Side, round: number) => Promise<unknown>,
  isFresh: (at: Side, round: number) => Promise<boolean>,
) {
  let fresh = 0
  for (let round = 0; round < rounds; round++) {
    const [writer, reader] = round % 2 === 0 ? [pair.one, pair.two] : [pair.two, pair.one]
    await write(writer, round)
    if (await isFresh(reader, round)) fresh += 1
  }
  return fresh
}

test('an entry, the page of it and a list with it are fresh in the other process at once', async () => {
  const { item } = await pair.one.call('SVC_Content.create', {
    type: 'page',
    title: 'Shared',
    slug: 'shared',
    status: 'published',
  })
  const write = (at: Side, round: number) =>
    at.call('SVC_Content.update', { id: item.id, title: `Title ${round}.`, body: `Body ${round}.` })
  assert.equal(
    await countFresh(
      write,
      async (at, round) => (await at.call('SVC_Content.get', { id: '/shared' })).item.body === `Body ${round}.`,
    ),
    rounds,
  )
  assert.equal(await countFresh(write, async (at, round) => (await at.send('/shared')).text.includes(`Body ${round}.`)), rounds)
  const isListed = async (at: Side, round: number) =>
    ((await at.call('SVC_Content.list', { where: { slug: 'shared' } })).items as { title: string }[]).some(
      ({ title }) => title === `Title ${round}.`,
    )
  assert.equal(await countFresh(write, isListed), rounds)
})
