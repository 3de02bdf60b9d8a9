// The long form of attack 120 for backups: many moments instead of a few.

import { test } from 'node:test'
import { killBackups, killRestores } from '../backup/kill-runs.ts'
import { openSite } from '../site.ts'

test('attack 120: thirty backups killed at any moment', async () => {
  await using site = await openSite()
  await killBackups(site, 30)
})

test('attack 120: sixty restores killed at any moment', () => killRestores(60))
