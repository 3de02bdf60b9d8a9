// Rows of the doctor about a site on several machines. Each node must be reachable and ready, and have the site's key, and the
// same release and time as the others. The rows run if the command names nodes.

import { askNodes, isPostern, readClocks } from './nodes.ts'
import { broken, type Row, unknown, type Verdict, warning } from './finding.ts'
import { describe } from './questions.ts'

const common = { first: true, nodes: true } as const

const nodeReachable: Row = {
  ...common,
  id: 'node-reachable',
  source: 'a node does not answer, or another program answers there, or the node is not ready',
  async run(doctor) {
    return (await askNodes(doctor)).flatMap(({ node, asked }): readonly Verdict[] => {
      const { fault, status, text } = asked
      if (fault) {
        const fix = `systemctl status postern.socket postern   on that machine   (and ListenStream= of postern.socket, and the firewall)`
        return [broken(`The node ${node} does not answer: ${fault.message}.`, fix, fault.message)]
      }
      if (!isPostern(asked)) {
        const fix = 'The port of ListenStream= in postern.socket on that machine, in --upstream and in --node must be the same'
        return [broken(`Something else than Postern answers at ${node}: ${describe(asked)}.`, fix, describe(asked))]
      }
      if (status === 200) return []
      return [
        broken(
          `The node ${node} is not ready: ${text.trim()}`,
          /is a standby/.test(text) ? hostsFix : 'journalctl -u postern -n 50   on that machine',
          describe(asked),
        ),
      ]
    })
  },
}

const hostsFix =
  'POSTERN_DATABASE_URL on that machine must name all hosts: postgres://postern@db1.example.org,db2.example.org/postern; then: systemctl restart postern'

const nodeKey: Row = {
  ...common,
  id: 'node-key',
  source: 'a node has another site.key, so it refuses sign-ins, links and cursors of the others',
  async run(doctor) {
    if (doctor.options.key === undefined) return [unknown(takesKey)]
    const clocks = await readClocks(doctor, await askNodes(doctor))
    return (await askNodes(doctor))
      .filter(({ asked }) => isPostern(asked) && asked.seen === undefined)
      .map(({ node }) => {
        // A probe is valid for minutes. If a clock is wrong by more than that, any key looks like a different one.
        const { aheadMs = 0 } = clocks.find((clock) => clock.node === node) ?? {}
        if (Math.abs(aheadMs) > probeMs)
          return unknown(`Whether ${node} has the site's key can't be known while its clock is off: see node-clock.`)
        return broken(
          `The node ${node} can't read what this site's key has sealed: its site.key is another one.`,
          'Copy data/site.key of the home to that machine (mode 600, owner postern), then run there: systemctl restart postern',
        )
      })
  },
}

const nodeRelease: Row = {
  ...common,
  id: 'node-release',
  source: 'the nodes run different releases',
  async run(doctor) {
    const releases = (await askNodes(doctor)).flatMap(({ node, asked: { seen } }) =>
      // Earlier releases don't report their name.
      seen === undefined ? [] : [{ node, release: seen.by?.release ?? 'an older release' }],
    )
    if (new Set(releases.map(({ release }) => release)).size < 2) return []
    const list = releases.map(({ node, release }) => `${node} runs ${release}`).join(', ')
    return [
      warning(
        `The nodes run different releases: ${list}. That is right only during an upgrade.`,
        'sudo scripts/postern upgrade   on the machine with the older release',
        list,
      ),
    ]
  },
}

const maxApartMs = 1000

const nodeClock: Row = {
  ...common,
  id: 'node-clock',
  source: 'the clocks of two nodes are more than a second apart',
  async run(doctor) {
    const clocks = [...(await readClocks(doctor, await askNodes(doctor)))].sort((a, b) => a.aheadMs - b.aheadMs)
    const [slow, fast] = [clocks[0], clocks.at(-1)]
    // The least possible difference between the two clocks.
    if (!slow || !fast || fast.aheadMs - slow.aheadMs - slow.orMs - fast.orMs <= maxApartMs) return []
    const seconds = ((fast.aheadMs - slow.aheadMs) / 1000).toFixed(1)
    return [
      warning(
        `The clock of ${fast.node} is ${seconds} s ahead of that of ${slow.node}. Sign-in codes and schedules of one are early or late at the other.`,
        'sudo timedatectl set-ntp true   on both machines',
        clocks.map(({ node, aheadMs }) => `${node}: ${Math.round(aheadMs)} ms from this machine`).join(', '),
      ),
    ]
  },
}

/** The least time before and after its creation during which a probe of the doctor is valid. */
const probeMs = 240_000

const takesKey = 'This row needs the site’s key: run postern doctor on a machine of the site, or with a token of scope admin.'

export const nodeRows: readonly Row[] = [nodeReachable, nodeKey, nodeRelease, nodeClock]
