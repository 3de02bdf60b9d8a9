// Which backups are kept: the newest of each of the last days, weeks and months that have one. `backups.ts` deletes the others.

/** How many days, weeks and months keep a backup. */
export interface Keep {
  readonly daily: number
  readonly weekly: number
  readonly monthly: number
}

/** Unless the owner says otherwise (OPERATIONS.md section 5). */
export const usualKeep: Keep = { daily: 7, weekly: 4, monthly: 6 }

/** A backup as far as it matters here. `good`: nothing was found wrong with it. */
export interface Kept {
  readonly id: string
  /** UTC milliseconds. */
  readonly createdAt: number
  readonly good: boolean
  /** Made by hand with a note: it stays until somebody deletes it. */
  readonly noted: boolean
}

const dayMs = 86_400_000
/** The first Monday of the count of milliseconds, so that weeks begin on Mondays. */
const mondayMs = 4 * dayMs

/** The day, week and month of a moment, each as something to tell it by. Days are UTC's. */
const periods: Readonly<Record<keyof Keep, (at: number) => string | number>> = {
  daily: (at) => Math.floor(at / dayMs),
  weekly: (at) => Math.floor((at - mondayMs) / (7 * dayMs)),
  monthly: (at) => new Date(at).toISOString().slice(0, 7),
}

/**
 * The ids of those that may go. What is bad keeps nobody else's place and goes when it is a day old; what is younger than a day stays, and
 * so do those with a note, and whatever happens the newest good one.
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
