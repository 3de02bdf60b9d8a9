// Decides which backups to retain: the newest one of each of the last days, weeks and months that have a backup. `backups.ts`
// deletes the others.

/** The number of days, weeks and months to retain a backup for. */
export interface Keep {
  readonly daily: number
  readonly weekly: number
  readonly monthly: number
}

/** The default numbers. */
export const usualKeep: Keep = { daily: 7, weekly: 4, monthly: 6 }

/** The facts about a backup that retention depends on. */
export interface Kept {
  readonly id: string
  /** UTC milliseconds. */
  readonly createdAt: number
  /** True if no test has found an error. */
  readonly good: boolean
  /** True if it has a note. Such a backup stays until someone deletes it. */
  readonly noted: boolean
}

const dayMs = 86_400_000
/** The first Monday after 1 January 1970, so that weeks begin on Mondays. */
const mondayMs = 4 * dayMs

/** An identifier of the day, week or month that contains a time. Days are in UTC. */
const periods: Readonly<Record<keyof Keep, (at: number) => string | number>> = {
  daily: (at) => Math.floor(at / dayMs),
  weekly: (at) => Math.floor((at - mondayMs) / (7 * dayMs)),
  monthly: (at) => new Date(at).toISOString().slice(0, 7),
}

/**
 * The ids of the backups to delete. The newest good backup always stays, and so do all that have a note or are younger than a
 * day. A bad backup never represents its day, week or month, and is deleted when it is a day old.
 * @param now UTC milliseconds
 */
export function chooseForgotten(backups: readonly Kept[], keep: Keep, now: number): readonly string[] {
  const newestFirst = backups.toSorted((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1))
  const good = newestFirst.filter((one) => one.good)
  const stay = new Set<string>(good.slice(0, 1).map(({ id }) => id))
  for (const [period, of] of Object.entries(periods) as [keyof Keep, (typeof periods)[keyof Keep]][]) {
    const newestOf = new Map<string | number, string>()
    for (const { id, createdAt } of good) if (!newestOf.has(of(createdAt))) newestOf.set(of(createdAt), id)
    for (const id of [...newestOf.values()].slice(0, keep[period])) stay.add(id)
  }
  return newestFirst.filter(({ id, createdAt, noted }) => !stay.has(id) && !noted && now - createdAt >= dayMs).map(({ id }) => id)
}
