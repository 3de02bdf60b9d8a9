// README's lines as a person would type them: every block marked `sh`, in order, in one shell, against a fresh site.
// Blocks marked otherwise (`bash`, `json`, `nginx`, …) are for other places and aren't run.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { databaseSettings } from '../postgres.ts'
import { openSite, root } from '../site.ts'
import { lacksTool } from '../tools.ts'

/** `curl` ends each answer with a line that can be split at, and fails on a status that tells of one. */
const prelude = `set -euo pipefail
curl() { command curl --silent --show-error --fail-with-body --max-time 300 "$@"; printf '\\n%s\\n' "$end"; }
`
const end = '--- end of an answer ---'

const blocks = [...readFileSync(join(root, 'README.md'), 'utf8').matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(
  ([, lines = '']) => lines,
)

test('every runnable line of README works, in order, on a fresh site', { skip: lacksTool('curl') }, async () => {
  assert.ok(blocks.length >= 5)
  await using site = await openSite({ bare: true })
  const script = prelude + blocks.join('\n').replaceAll('http://127.0.0.1:8080', site.address)
  const answers = (await runShell(script, site.home)).split(`\n${end}\n`).filter((answer) => answer.trim() !== '')
  // What a command printed before a `curl` stands on lines of its own above its answer.
  const lastLines = answers.map((answer) => answer.trimEnd().split('\n').at(-1) ?? '')
  const objects = lastLines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line))
  assert.deepEqual(
    objects.filter(({ success }) => success !== true),
    [],
  )
  assert.ok(objects.length >= 7)

  const welcome = objects.find(({ data }) => data.you !== undefined)
  assert.equal(welcome.data.you.tier, 'admin')
  assert.ok(
    answers.some((answer) => answer.includes('We bake <strong>bread</strong>.')),
    'the published page is shown',
  )
  assert.ok(
    answers.some((answer) => answer.includes('We bake **bread**. Call 555 0100.')),
    'and as Markdown',
  )

  const edits = objects.filter(({ data }) => data.changed?.includes('body'))
  assert.deepEqual(
    edits.map(({ data }) => [data.activity_id === null, data.diff !== undefined]),
    [
      [true, true],
      [false, true],
    ],
  )
  const { item } = await site.call('SVC_Content.get', { id: '/about' }, { token: null })
  assert.match(item.body, /555 0199/)
})

test('README’s way back works: an activity id from the list is undone', async () => {
  await using site = await openSite()
  await site.call('SVC_Content.create', { type: 'page', title: 'About', body: 'Call 555 0100.' })
  await site.call('SVC_Content.update', { id: '/about', body: 'Call 555 0199.' })
  const { items } = await site.call('SVC_Activity.list', { limit: 3 })
  await site.call('SVC_Activity.undo', { ids: [items[0].id] })
  const { item } = await site.call('SVC_Content.get', { id: '/about' })
  assert.equal(item.body, 'Call 555 0100.')
})

async function runShell(script: string, home: string): Promise<string> {
  const settings = await databaseSettings(home)
  return new Promise((resolve, reject) => {
    const env = { ...process.env, ...settings, POSTERN_HOME: home, end }
    const child = execFile('bash', ['-c', script], { cwd: root, env, timeout: 600_000 }, (error, stdout, stderr) => {
      if (error) reject(new Error(`README's lines failed: ${stderr}\n${stdout}`))
      else resolve(stdout)
    })
    child.stdin?.end('correct horse battery staple\n')
  })
}
