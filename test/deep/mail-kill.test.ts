// `kill -9` of a service in the middle of its mails, on one machine and on two nodes. No mail is lost. One is sent twice only if the
// relay had taken it and the service died before it could note that, and then with the same `Message-ID`.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openRelay, readable, type Relay, relayInput, type Taken } from '../mail/relay-server.ts'
import { writeRows } from '../rows.ts'
import { openSite, type ProcessSite, type TestSite } from '../site.ts'
import { openTwoNodes } from '../two-nodes.ts'
import { until } from '../until.ts'

const mails = 24

type Caller = Pick<TestSite, 'call'>

/** A form whose submissions go to the owner, one mail for each. */
async function makeForm(site: Caller, relay: Relay): Promise<void> {
  await site.call('SVC_Mail.set-relay', relayInput(relay, { site_url: 'https://example.org', per_minute: 1 }))
  const fields = [{ name: 'message', label: 'Message', kind: 'lines', required: true }]
  await site.call('SVC_Forms.create', { slug: 'write', name: 'Write', fields, receivers: ['owner@example.org'] })
}

/** Queues the mails while the rate lets one of them through, and lets all through from the next look on. */
async function queue(site: Caller, home: string): Promise<void> {
  for (let number = 0; number < mails; number++)
    await site.call('SVC_Forms.submit', { id: 'write', values: { message: `Mail number ${number}.` } })
  await writeRows(home, 'update mail_relay set per_minute = 10000')
}

const numberOf = (mail: Taken): number => Number(/Mail number (\d+)\./.exec(readable(mail))?.[1])
const messageIdOf = ({ source }: Taken): string => /^Message-ID: (<[^>]+>)/im.exec(source)?.[1] ?? assert.fail(source)

/** Each mail came, and those that came twice have one id. @returns the numbers that came twice */
function checkTaken(taken: readonly Taken[]): readonly number[] {
  const byNumber = new Map<number, Taken[]>()
  for (const mail of taken) byNumber.set(numberOf(mail), [...(byNumber.get(numberOf(mail)) ?? []), mail])
  assert.deepEqual(
    [...byNumber.keys()].sort((a, b) => a - b),
    Array.from({ length: mails }, (_, number) => number),
  )
  const ids = [...byNumber.values()].map((same) => new Set(same.map(messageIdOf)))
  assert.deepEqual(
    ids.filter(({ size }) => size !== 1),
    [],
  )
  assert.equal(new Set(ids.flatMap((same) => [...same])).size, mails)
  return [...byNumber].flatMap(([number, same]) => (same.length > 1 ? [number] : []))
}

/** Ends the claims of a process that died, as five minutes do. */
const endClaims = (home: string) => writeRows(home, `update mail set next_at = 0 where state = 'waiting'`)

const waiting = async (site: Caller): Promise<number> =>
  (await site.call('SVC_Mail.list', { where: { state: 'waiting' }, limit: 100 })).items.length

test('kill -9 before and after the relay has taken a mail, again and again', async () => {
  await using first = await openSite({ ownProcess: true })
  let site: ProcessSite = first
  const { home, token } = first
  let kills = 0
  let inTime = 0
  let isOn = false
  const kill = () => {
    kills++
    isOn = false
    process.kill(site.pid, 'SIGKILL')
  }
  await using relay = await openRelay({
    onMailFrom(_address, _session, callback) {
      // Before the text of a mail was sent.
      if (isOn && kills % 2 === 0) kill()
      callback()
    },
  })
  // The relay takes the mail, and the service dies before it reads that.
  relay.answering = (number) => {
    if (isOn && kills % 2 === 1 && number % 3 === 0) {
      inTime++
      kill()
    }
    return undefined
  }
  await makeForm(site, relay)
  await queue(site, home)
  await site.stop('SIGKILL')
  for (let round = 1; ; round++) {
    await endClaims(home)
    isOn = round <= 6
    site = await openSite({ home, bare: true, ownProcess: true })
    const call: Caller['call'] = (name, input) => site.call(name, input, { token })
    const { process: running } = site
    const isDead = () => running.signalCode !== null
    await until('all are sent, or the service died', async () => isDead() || (await waiting({ call }).catch(() => 1)) === 0)
    if (!isDead()) break
  }
  await site.stop('SIGKILL')
  assert.equal(kills, 6)
  const twice = checkTaken(relay.taken)
  assert.ok(twice.length <= inTime, `${twice.join()} came twice, and ${inTime} could`)
  console.log(`${kills} kills: none of ${mails} mails lost, ${twice.length} twice with the same id`)
})

test('two nodes with one queue, and kill -9 of one while both are in the middle of a mail', async () => {
  await using pair = await openTwoNodes({ ownProcess: true })
  const { one, two } = pair
  // Both nodes wait for the answer to a mail when one of them dies.
  const held: (() => void)[] = []
  let isOver = false
  await using relay = await openRelay({
    onRcptTo(_address, _session, callback) {
      const go = () => callback()
      if (isOver) return go()
      held.push(go)
      if (held.length < 2) return
      isOver = true
      process.kill(one.pid, 'SIGKILL')
      for (const release of held) release()
    },
  })
  isOver = true
  await makeForm(one, relay)
  await queue(one, one.home)
  isOver = false
  await until('node two has sent all but what node one had claimed', async () => isOver && (await waiting(two)) <= 1)
  await endClaims(two.home)
  await until('all are sent', async () => (await waiting(two)) === 0)
  assert.deepEqual(checkTaken(relay.taken), [])
  await one.restart()
  assert.equal(await waiting(one), 0)
  console.log(`one of two nodes killed: ${relay.taken.length} of ${mails} mails came, each once`)
})
