// Imports and exports on a disk that is really full: a small file system in memory, which only root may mount. Each gets one
// sentence, nothing that was there is lost, and the same command goes on once there is room.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, statfs, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import sharp from 'sharp'
import yazl from 'yazl'
import { oldFile, oldItem, oldSite, oldUrl } from '../imports/old-site.ts'
import { fillHome } from '../home-template.ts'
import { postern } from '../postern.ts'

const run = promisify(execFile)
const isRoot = process.getuid?.() === 0
const skip = !isRoot && 'only root mounts a file system'

const count = 20
const megabyte = 1_000_000
let folder: string
let disk: string
let home: string
let old: string

before(async () => {
  if (!isRoot) return
  folder = await mkdtemp(join(tmpdir(), 'postern-full-disk-'))
  disk = join(folder, 'disk')
  home = join(disk, 'home')
  old = join(folder, 'old.zip')
  await mkdir(disk)
  await run('mount', ['-t', 'tmpfs', '-o', 'size=160m', 'tmpfs', disk])
  await fillHome(home)
  await writeFile(old, await oldZip())
})

after(async () => {
  if (!isRoot) return
  await run('umount', [disk])
  await rm(folder, { recursive: true, force: true })
})

/** An export of an old site with pictures of noise, which no compression makes smaller. */
async function oldZip(): Promise<Buffer> {
  const zip = new yazl.ZipFile()
  const items: string[] = []
  for (let id = 1; id <= count; id++) {
    const noise = sharp(randomBytes(400 * 300 * 3), { raw: { width: 400, height: 300, channels: 3 } })
    zip.addBuffer(await noise.png().toBuffer(), `wp-content/uploads/2019/05/p${id}.png`)
    const body = `<p>Words</p><img src="${oldUrl}/wp-content/uploads/2019/05/p${id}.png">`
    items.push(oldFile(1000 + id, `2019/05/p${id}.png`), oldItem({ id, title: `Post ${id}`, slug: `post-${id}`, body }))
  }
  zip.addBuffer(Buffer.from(oldSite(items.join(''))), 'export.xml')
  zip.end()
  const parts: Buffer[] = []
  for await (const part of zip.outputStream) parts.push(part as Buffer)
  return Buffer.concat(parts)
}

const filler = () => join(disk, 'filler')
const freeBytes = async (): Promise<number> => {
  const { bavail, bsize } = await statfs(disk)
  return bavail * bsize
}

/** Runs a command with so many bytes left, and again with room. @returns what it said on the full disk */
async function onFull(left: number, args: readonly string[], between: () => Promise<void> = () => Promise.resolve()) {
  await writeFile(filler(), Buffer.alloc((await freeBytes()) - left))
  const full = await postern({ POSTERN_HOME: home }, args)
  await between()
  await rm(filler())
  const again = await postern({ POSTERN_HOME: home }, args)
  assert.equal(again.code, 0, again.stderr)
  return { full, again }
}

/** Exit code 5 is for what passes. */
function assertTold({ code, stderr }: { readonly code: number; readonly stderr: string }): void {
  const [last = ''] = stderr.trim().split('\n').slice(-1)
  assert.equal(code, 5, stderr)
  assert.match(last, /^The disk [^\n]*is full\./)
}

test('an import that fills the disk says so, and goes on with the same command', { skip, timeout: 120_000 }, async () => {
  const { full, again } = await onFull(3 * megabyte, ['import', '--json', '--media', 'files', old])
  assertTold(full)
  const { counts, losses } = JSON.parse(again.stdout)
  assert.deepEqual([counts['entries.made'], counts['media.made'], losses], [count, count, []])
  const listed = await postern({ POSTERN_HOME: home }, ['call', 'SVC_Media.list', 'limit=100'])
  assert.equal(JSON.parse(listed.stdout).data.items.length, count, 'nothing came twice')
})

test(
  'an export into a folder on a full disk leaves no half file, and is whole afterwards',
  { skip, timeout: 120_000 },
  async () => {
    const out = join(disk, 'out')
    const { full } = await onFull(2 * megabyte, ['export', out], async () => {
      for (const name of await readdir(out, { recursive: true }))
        if (name.endsWith('.png')) await sharp(await readFile(join(out, name))).stats()
      const drafts = (await readdir(out, { recursive: true })).filter((name) => name.endsWith('.tmp'))
      assert.deepEqual(drafts, [])
    })
    assertTold(full)
    const elsewhere = join(folder, 'elsewhere')
    await postern({ POSTERN_HOME: home }, ['export', elsewhere])
    await run('diff', ['-r', out, elsewhere])
  },
)

test('an export to one file on a full disk leaves the file that was there', { skip, timeout: 120_000 }, async () => {
  const to = join(disk, 'site.zip')
  await writeFile(to, 'the export of yesterday')
  const { full } = await onFull(2 * megabyte, ['export', to], async () => {
    assert.equal(await readFile(to, 'utf8'), 'the export of yesterday')
    assert.deepEqual(
      (await readdir(disk)).filter((name) => name.endsWith('.tmp')),
      [],
    )
  })
  assertTold(full)
  assert.equal((await readFile(to, 'latin1')).slice(0, 2), 'PK')
})
