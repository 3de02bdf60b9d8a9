// Two whole sites on one database do their recurring work: each piece runs in one of them, and both know the outcome.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { healthTurn } from '../../src/actions/health/health.ts'
import { scheduledBackups } from '../../src/backup/schedule.ts'
import { writeSchedule } from '../../src/backup/backup-store.ts'
import type { Site } from '../../src/app/compose.ts'
import { type Recurring, startRecurring } from '../../src/jobs/recurring.ts'
import { openTestSite } from '../identity/open-test-site.ts'
import { until } from '../until.ts'

const keep = { daily: 7, weekly: 4, monthly: 6 }

/** The recurring work of a site, which notes what it runs. The backups themselves are left out: making one takes long. */
async function workOf(site: Site, name: string, ran: string[]): Promise<readonly Recurring[]> {
  const backups = { create: async () => void ran.push(`backup ${name}`) as never }
  const health: Recurring = { ...healthTurn(site), afterStartMs: 30_000 }
  const check: Recurring = {
    ...health,
    run: async (signal) => {
      ran.push(`health ${name}`)
      return site.health.check(site, { only: ['release', 'database'] }, signal)
    },
  }
  const own: Recurring = { name: 'plugin made 0', call: 'made', everyMs: 60_000, run: async () => ran.push(`plugin ${name}`) }
  return [check, own, ...(await scheduledBackups({ store: site.store, clock: site.clock, backups }))]
}

for (const engine of ['SQLite', 'PostgreSQL'] as const) {
  test(`recurring jobs, scheduled backups and the health check run once in two processes: ${engine}`, async () => {
    await using at = await openTestSite({}, engine)
    const sites = [at.site, await at.other()]
    const ran: string[] = []
    const timers = sites.map((site, place) => startRecurring(site, () => workOf(site, String(place), ran), 100))
    const isIdle = async () =>
      (await at.site.store.read.selectFrom('job').select('id').where('state', '=', 'running').execute()).length === 0
    const all = async () => {
      await Promise.all(timers.map((timer) => timer.run()))
      await until('what was started ends', isIdle)
    }
    const kinds = () =>
      ran
        .splice(0)
        .map((one) => one.split(' ')[0])
        .sort()
    try {
      await at.site.store.transaction((db) => writeSchedule(db, 'hour', keep, at.clock.at))
      await all()
      assert.deepEqual(kinds(), ['backup'], 'the first is due at once')
      at.clock.at += 60_000
      await all()
      assert.deepEqual(kinds(), ['health', 'plugin'])
      at.clock.at += 3_600_000
      await all()
      assert.deepEqual(kinds(), ['backup', 'plugin'])
      at.clock.at += 24 * 3_600_000
      await all()
      assert.deepEqual(kinds(), ['backup', 'health', 'plugin'])
      at.clock.at += 20_000
      await all()
      assert.deepEqual(kinds(), [])
      for (const site of sites) assert.deepEqual(site.health.latest.map(({ id }) => id).sort(), ['database', 'release'])
    } finally {
      for (const timer of timers) await timer.stop()
    }
  })
}
