// A machine that has no room for another process is no plugin's fault: whoever calls is told to come back, and nothing is quarantined.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { test } from 'node:test'
import { addPlugins } from '../plugin-site.ts'
import { openSite, type TestSite } from '../site.ts'

const pidOf = (site: TestSite): string => String(site.process.pid)

/** How many files a service may have open from now on. */
const allowFiles = (site: TestSite, most: number): void =>
  void execFileSync('prlimit', ['--pid', pidOf(site), `--nofile=${most}:`])

test('where no file can be opened any more, a call of a plugin is unavailable; the site lives, and the plugin stays active', async () => {
  await using site = await openSite()
  await addPlugins(site, 'useful')
  const open = readdirSync(`/proc/${pidOf(site)}/fd`).length
  // Of the plugin's folder nothing can be read; it can, but no pipe be made; a few pipes can.
  for (const most of [open - 5, open + 1, open + 8]) {
    allowFiles(site, most)
    const { status, json, text } = await site.api('USEFUL_Words.count', { text: 'one two' })
    assert.deepEqual([status, json.error?.code], [503, 'unavailable'], text)
    assert.ok(!text.includes(site.home), text)
  }
  allowFiles(site, 1024)
  assert.equal((await site.call('USEFUL_Words.count', { text: 'one two' })).words, 2)
  assert.equal((await site.call('SVC_Plugins.get', { id: 'useful' })).item.state, 'active')
})
