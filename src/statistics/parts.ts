// The parts of the counts of a day, each with the most values that a day keeps. The rarest values beyond it are joined.

/** The most values of each part on a day. A year with all of them takes less than 50 MB. */
export const maxValues = {
  /** All views. It has one value, the empty one. */
  all: 1,
  path: 300,
  referrer: 100,
  device: 4,
  language: 30,
  campaign: 40,
  /** AI crawlers by name (`agent-names.ts`). */
  crawler: 60,
  /** Other programs by name. */
  bot: 40,
  download: 40,
  /** Searches that found nothing. */
  search: 40,
} as const

export type Part = keyof typeof maxValues
export const parts = Object.keys(maxValues) as readonly Part[]

/** The value that joins the rare ones of a day, and stands for what is unknown. */
export const joined = ''
