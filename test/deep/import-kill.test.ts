// An import that is killed in any phase, and taken up by the same command, leaves the site and the report of an undisturbed run. An
// undo that is killed and made again leaves the site as it was.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import sharp from 'sharp'
import { oldFile, oldItem, oldPoint, oldSite, oldUrl } from '../imports/old-site.ts'
import { findAddress } from '../postgres.ts'
import { readRows } from '../rows.ts'
import { inheritedEnvironment, root } from '../run-postern.ts'
import { openSite, type TestSite } from '../site.ts'
import { until } from '../until.ts'

const folder = await mkdtemp(join(tmpdir(), 'postern-import-kill-'))
after(() => rm(folder, { recursive: true, force: true }))
const file = join(folder, 'export.xml')
const media = join(folder, 'uploads')
const ownExport = join(folder, 'own.zip')

const numbers = (count: number): number[] => Array.from({ length: count }, (_none, at) => at)

/** Terms in three slices, entries of two levels in four, comments in three, files that come, one that is none, and some that are gone. */
async function writeFixture(): Promise<void> {
  const terms = numbers(220)
    .map(
      (at) =>
        `<wp:tag><wp:term_id>${900 + at}</wp:term_id><wp:tag_slug>t${at}</wp:tag_slug><wp:tag_name>T ${at}</wp:tag_name></wp:tag>`,
    )
    .join('')
  const comments = (at: number) =>
    numbers(3)
      .map(
        (one) => `<wp:comment><wp:comment_id>${at * 3 + one + 1}</wp:comment_id><wp:comment_author>Bo</wp:comment_author>
<wp:comment_date_gmt>2019-05-05 10:00:00</wp:comment_date_gmt><wp:comment_content>Good ${one}</wp:comment_content><wp:comment_approved>1</wp:comment_approved></wp:comment>`,
      )
      .join('')
  const posts = numbers(220).map((at) =>
    oldItem({
      id: 1000 + at,
      title: `Post ${at}`,
      slug: `post-${at}`,
      terms: `<category domain="post_tag" nicename="t${at}">T ${at}</category>`,
      body: `<p>See <a href="${oldUrl}/2019/05/post-${at + 1}/">next</a></p><img src="${oldUrl}/wp-content/uploads/${at % 12}.png" alt="${at}">`,
      more: at < 150 ? comments(at) : '',
    }),
  )
  const page = (id: number, parent = 0) =>
    oldItem({
      id,
      title: `Page ${id}`,
      slug: `page-${id}`,
      type: 'page',
      parent,
      link: `/${parent === 0 ? '' : `page-${parent}/`}page-${id}/`,
    })
  const pages = [page(1), page(2, 1), page(3, 1)]
  const files = numbers(12).map((at) => oldFile(2000 + at, `${at}.png`))
  await writeFile(file, oldSite([...posts, ...pages, ...files, oldPoint(3000, 1, 1), oldPoint(3001, 2, 2)].join(''), terms))
  await mkdir(media, { recursive: true })
  for (const at of numbers(3)) {
    const create = { width: 20 + at, height: 20, channels: 3, background: '#963' } as const
    await writeFile(join(media, `${at}.png`), await sharp({ create }).png().toBuffer())
  }
  await writeFile(join(media, '3.png'), '<!doctype html><script>1</script>')
}

const environmentOf = async (site: TestSite): Promise<Record<string, string>> => {
  const url = await findAddress(site.home)
  return { ...inheritedEnvironment(), POSTERN_HOME: site.home, ...(url !== undefined && { POSTERN_DATABASE_URL: url }) }
}

const importArgs = ['import', '--json', '--media', media, file]

/** Starts the import and kills it at a moment. @returns false if it had ended before */
async function killAt(site: TestSite, args: readonly string[], isMoment: (said: string) => Promise<boolean>): Promise<boolean> {
  const child = spawn(process.execPath, [join(root, 'scripts/postern'), ...args], { env: await environmentOf(site) })
  let said = ''
  child.stderr.on('data', (part: Buffer) => void (said += part.toString()))
  child.stdout.resume()
  let code: number | null | undefined
  const ended = new Promise<void>((resolve) => child.on('close', (given) => ((code = given), resolve())))
  await until('the moment of the kill', async () => code !== undefined || (await isMoment(said)))
  child.kill('SIGKILL')
  await ended
  return code === null
}

async function importWhole(site: TestSite) {
  const { code, stdout, stderr } = await site.postern([...importArgs, '--addresses', join(folder, 'addresses.csv')])
  assert.equal(code, 0, stderr)
  return JSON.parse(stdout)
}

/** Everything of a site that has no id of its own: the files of its export, kept people, and the report. */
async function stateOf(site: TestSite, name: string, report?: Readonly<Record<string, unknown>>) {
  const to = join(folder, name)
  const { code, stderr } = await site.postern(['export', to])
  assert.equal(code, 0, stderr)
  const files: Record<string, string> = {}
  for (const path of (await readdir(to, { recursive: true })).sort())
    files[path] = await readFile(join(to, path), 'latin1').catch(() => 'folder')
  // The points of a menu have ids of their own.
  files['menus.yaml'] = files['menus.yaml']?.replaceAll(/\bid: \S+/g, '') ?? ''
  await rm(to, { recursive: true })
  const rows = await readRows(site.home)
  const people = ['import_comment', 'import_member'].map((table) =>
    (rows[table] ?? [])
      .map(({ id: _id, run_id: _run, entry_id: entry, ...row }) => JSON.stringify({ ...row, isAt: entry !== null }))
      .sort(),
  )
  if (!report) return { files, people }
  const { counts, losses, links, conflicts, clashes, constructs, settings } = report
  const addresses = (await readFile(join(folder, 'addresses.csv'), 'utf8'))
    .replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, '')
    .split('\n')
    .sort()
  return { files, people, addresses, counts, losses, links, conflicts, clashes, constructs, settings }
}

let wanted: Awaited<ReturnType<typeof stateOf>>
let empty: Awaited<ReturnType<typeof stateOf>>

before(async () => {
  await writeFixture()
  await using site = await openSite()
  empty = await stateOf(site, 'empty')
  wanted = await stateOf(site, 'whole', await importWhole(site))
  const { code, stderr } = await site.postern(['export', ownExport])
  assert.equal(code, 0, stderr)
})

for (const { phase, note, delayMs = 0 } of [
  { phase: 'plan', note: 'reading the import' },
  { phase: 'authors', note: 'authors' },
  { phase: 'terms', note: 'terms' },
  { phase: 'files', note: 'pictures and files' },
  { phase: 'entries', note: 'pages and posts' },
  { phase: 'entries below others', note: 'pages and posts', delayMs: 400 },
  { phase: 'menus', note: 'menus and redirects' },
  { phase: 'comments', note: 'comments and members' },
  { phase: 'fetch', note: 'pictures from the old site' },
  { phase: 'fetch, later', note: 'pictures from the old site', delayMs: 700 },
  { phase: 'texts', note: 'pictures in texts' },
  { phase: 'report', note: 'pictures in texts', delayMs: 15 },
])
  test(`an import that is killed in the phase ${phase} goes on to the same site and report`, async () => {
    await using site = await openSite()
    const isMoment = async (said: string) => {
      if (!said.includes(`${note}: `)) return false
      await sleep(delayMs)
      return true
    }
    const isKilled = await killAt(site, importArgs, isMoment)
    const [run] = (await readRows(site.home))['import_run'] ?? []
    if (phase !== 'report') assert.ok(isKilled && run?.['state'] !== 'done', 'the import was killed while it ran')
    // Where the run had come to its end, the command makes a second run, with a report of its own.
    const second = await importWhole(site)
    const { files, people, ...report } = await stateOf(site, 'killed', second)
    assert.deepEqual({ files, people }, { files: wanted.files, people: wanted.people })
    if (run?.['state'] !== 'done') assert.deepEqual({ files, people, ...report }, wanted)
  })

test('an import that is killed again and again goes on to the same site and report', async () => {
  await using site = await openSite()
  for (const note of ['authors', 'pages and posts', 'comments and members', 'pictures from the old site'])
    await killAt(site, importArgs, (said) => Promise.resolve(said.includes(`${note}: `)))
  assert.deepEqual(await stateOf(site, 'killed', await importWhole(site)), wanted)
})

test('an undo of an import that is killed twice takes all of it back when it is made again', async () => {
  await using site = await openSite()
  const { activity_id: id } = await importWhole(site)
  const undo = ['call', 'SVC_Activity.undo', `ids=["${id}"]`]
  const undone = async () =>
    ((await readRows(site.home))['activity'] ?? []).filter((row) => row['part_of'] !== null && row['undone_by'] !== null).length
  for (const parts of [1, 4]) assert.ok(await killAt(site, undo, async () => (await undone()) >= parts), 'killed while it ran')
  const { code, stdout } = await site.postern(undo)
  assert.equal(code, 0, stdout)
  assert.deepEqual(await stateOf(site, 'undone'), empty)
})

test('an import of an own export that is killed twice goes on to the same site, and undos take it back', async () => {
  await using site = await openSite()
  const args = ['import', '--json', ownExport]
  for (const least of [20, 60]) {
    const isMoment = (said: string) => Promise.resolve(Number(/.*changes: (\d+)/s.exec(said)?.[1] ?? 0) >= least)
    assert.ok(await killAt(site, args, isMoment), 'killed while it ran')
  }
  const { code, stdout, stderr } = await site.postern(args)
  assert.equal(code, 0, stderr + JSON.stringify(JSON.parse(stdout).failed).slice(0, 2000))
  const { files, people } = await stateOf(site, 'own')
  assert.deepEqual({ files, people }, { files: wanted.files, people: wanted.people })
  const runs = ((await readRows(site.home))['activity'] ?? []).filter((row) => row['call'] === 'SVC_Import.run')
  const ids = runs.map(({ id }) => id as string).toSorted()
  assert.deepEqual([ids.length, ids.at(-1)], [3, JSON.parse(stdout).activity_id])
  for (const id of ids.toReversed()) {
    const undo = await site.postern(['call', 'SVC_Activity.undo', `ids=["${id}"]`])
    assert.equal(undo.code, 0, undo.stdout)
  }
  const undone = (await stateOf(site, 'own undone')).files
  const stays = new Set(['authors.yaml', 'imported-comments.csv', '.postern-export'])
  const withoutPeople = (all: typeof undone) => Object.entries(all).filter(([name]) => !stays.has(name))
  assert.match(undone['authors.yaml'] ?? '', /slug: anna/)
  assert.deepEqual(withoutPeople(undone), withoutPeople(empty.files))
})
