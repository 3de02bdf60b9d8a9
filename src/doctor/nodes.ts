// The nodes of a site on several machines. The doctor asks each at its own address, without the web server in front.

import type { Doctor, DoctorAnswer, Question } from './doctor.ts'

/** A node, and its answer. */
export interface AskedNode {
  /** `10.0.0.2:8080` */
  readonly node: string
  readonly asked: DoctorAnswer
}

/** The number of rounds. The quickest one says most about a clock. */
const rounds = 3
/** Other rows also repeat questions, with smaller numbers. */
const firstRound = 30

const readiness = (node: string, round: number): Question => ({ path: '/readyz', node, round: firstRound + round })

/** Asks each node if it is ready. */
export function askNodes(doctor: Doctor): Promise<readonly AskedNode[]> {
  const { nodes = [] } = doctor.options
  return Promise.all(nodes.map(async (node) => ({ node, asked: await doctor.ask(readiness(node, 0)) })))
}

/** True if Postern answered: `/readyz` begins with one of these sentences. */
export const isPostern = ({ text }: DoctorAnswer): boolean => /^(?:ready|The service is stopping|The database accepts)/.test(text)

/** The difference between the clock of a node and that of this machine. */
export interface NodeClock {
  readonly node: string
  /** Milliseconds; positive if the node is ahead. */
  readonly aheadMs: number
  /** The uncertainty in milliseconds, in both directions. */
  readonly orMs: number
}

/** The clocks of the nodes that report their time. */
export async function readClocks(doctor: Doctor, asked: readonly AskedNode[]): Promise<readonly NodeClock[]> {
  const clocks = await Promise.all(
    asked.map(async ({ node }) => {
      const found: NodeClock[] = []
      // One after the other: questions that wait for each other would measure the wait.
      for (let round = 0; round < rounds; round++) {
        const clock = clockIn(node, await doctor.ask(readiness(node, round)))
        if (clock) found.push(clock)
      }
      return found.sort((a, b) => a.orMs - b.orMs)[0]
    }),
  )
  return clocks.filter((clock) => clock !== undefined)
}

/**
 * Reads a node's clock. If it is minutes off, the node can't read the probe, but its answer still has the header `Date`, in whole
 * seconds.
 */
function clockIn(node: string, { seen, headers, sentAt, cameAt }: DoctorAnswer): NodeClock | undefined {
  const middle = (sentAt + cameAt) / 2
  const half = (cameAt - sentAt) / 2
  if (seen?.by) return { node, aheadMs: seen.by.at - middle, orMs: half }
  const date = Date.parse(headers['date'] ?? '')
  return Number.isNaN(date) ? undefined : { node, aheadMs: date + 500 - middle, orMs: half + 500 }
}
