// Reads intervals such as "15 minutes".

const units: Readonly<Record<string, number>> = { second: 1000, minute: 60_000, hour: 3_600_000, day: 86_400_000 }

/**
 * Converts an interval, a whole number and a unit, to milliseconds. It is at least 30 seconds.
 * @throws Error with a message for the plugin's author
 */
export function readInterval(text: unknown): number {
  const [, count = '', unit = ''] = /^(\d{1,6}) (second|minute|hour|day)s?$/.exec(String(text)) ?? []
  const ms = Number(count) * (units[unit] ?? Number.NaN)
  if (Number.isNaN(ms))
    throw new Error(`${JSON.stringify(text)} is no interval. Write "30 seconds", "15 minutes", "6 hours" or "1 day".`)
  if (ms < 30_000) throw new Error(`${JSON.stringify(text)} is too often: 30 seconds is the least.`)
  return ms
}
