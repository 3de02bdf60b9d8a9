// The process for images, with real images: what it makes of them, and how it is ended when it hangs.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import sharp from 'sharp'
import { Failure } from '../../src/base/failure.ts'
import { createPictures, type Pictures } from '../../src/media/picture-process.ts'
import type { Focus } from '../../src/media/picture-recipe.ts'
import { quiet } from '../store/on-each-database.ts'
import { until } from '../until.ts'

let folder: string
let pictures: Pictures
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'postern-pictures-'))
  pictures = createPictures({ log: quiet, timeoutMs: 30_000 })
})
after(async () => {
  await pictures.close()
  await rm(folder, { recursive: true, force: true })
})

/** An image whose first half is red and whose second half is blue, side by side or one above the other. */
async function halves(name: string, direction: 'across' | 'down', orientation?: number): Promise<string> {
  const [width, height] = direction === 'across' ? [400, 100] : [100, 400]
  const half = { width: direction === 'across' ? 200 : 100, height: direction === 'across' ? 100 : 200 }
  const blue = await sharp({ create: { ...half, channels: 3, background: '#00f' } })
    .png()
    .toBuffer()
  const path = join(folder, name)
  const image = sharp({ create: { width, height, channels: 3, background: '#f00' } })
    .composite([{ input: blue, gravity: 'southeast' }])
    .jpeg()
  await (orientation === undefined ? image : image.withMetadata({ orientation })).toFile(path)
  return path
}

async function cardOf(path: string, focus: Focus): Promise<{ readonly red: number; readonly blue: number }> {
  const out = `${path}-${focus.x}-${focus.y}`
  const made = await pictures.make(path, out, { focus, avif: false })
  const card = made.find(({ type }) => type === 'image/jpeg')
  const { channels } = await sharp(`${out}-${card?.name}`).stats()
  return { red: Math.round(channels[0]?.mean ?? -1), blue: Math.round(channels[2]?.mean ?? -1) }
}
const isRed = ({ red, blue }: { red: number; blue: number }) => red > 240 && blue < 15
const isBlue = ({ red, blue }: { red: number; blue: number }) => red < 15 && blue > 240

for (const direction of ['across', 'down'] as const)
  test(`a card is cut out around the focus point, ${direction} the image`, async () => {
    const path = await halves(`${direction}.jpg`, direction)
    const at = (share: number): Focus => (direction === 'across' ? { x: share, y: 0.5 } : { x: 0.5, y: share })
    assert.deepEqual([isRed(await cardOf(path, at(0.1))), isBlue(await cardOf(path, at(0.9)))], [true, true])
    const middle = await cardOf(path, at(0.5))
    assert.ok(Math.abs(middle.red - middle.blue) < 15, JSON.stringify(middle))
  })

test('the focus point is that of the upright image', async () => {
  // Turned by a quarter, what lies at the left comes to the top.
  const path = await halves('turned.jpg', 'across', 6)
  assert.ok(isRed(await cardOf(path, { x: 0.5, y: 0.1 })))
  assert.ok(isBlue(await cardOf(path, { x: 0.5, y: 0.9 })))
})

test('with AVIF switched on, each size is there as AVIF too; an image with transparency stays lossless WebP', async () => {
  const photo = await halves('avif.jpg', 'across')
  const made = await pictures.make(photo, join(folder, 'avif'), { focus: null, avif: true })
  assert.deepEqual(
    made.map(({ name, type }) => [name, type]),
    [
      ['320.webp', 'image/webp'],
      ['320.avif', 'image/avif'],
      ['400.webp', 'image/webp'],
      ['400.avif', 'image/avif'],
      ['191.jpg', 'image/jpeg'],
    ],
  )
  const { format, compression, width } = await sharp(join(folder, 'avif-320.avif')).metadata()
  assert.deepEqual([format, compression, width], ['heif', 'av1', 320])
  const clear = join(folder, 'clear.png')
  await sharp({ create: { width: 50, height: 50, channels: 4, background: { r: 9, g: 9, b: 9, alpha: 0.5 } } }).toFile(clear)
  const graphic = await pictures.make(clear, join(folder, 'clear'), { focus: null, avif: true })
  assert.deepEqual(
    graphic.map(({ type }) => type),
    ['image/webp', 'image/jpeg'],
  )
})

test('attack 106: an image that hangs in the decoder is ended with its process, and the next one is read by another', async () => {
  const hanging = join(folder, 'hanging.jpg')
  // Nobody ever writes into this pipe, so whoever opens it waits for ever.
  await promisify(execFile)('mkfifo', [hanging])
  const hasty = createPictures({ log: quiet, timeoutMs: 1500 })
  const inspected = hasty.inspect(hanging)
  const { pid = 0 } = hasty
  assert.ok(pid > 0)
  await assert.rejects(inspected, (error) => error instanceof Failure && /more than 1\.5 seconds/.test(error.message))
  await until('the process is gone', async () => !isAlive(pid))
  const upright = await halves('next.jpg', 'across')
  // A busy machine may take long to start the next process.
  await until('the next image is read', async () => (await hasty.inspect(upright).catch(() => undefined))?.width === 400)
  await hasty.close()
  assert.deepEqual(
    (await readdir(folder)).filter((name) => name.startsWith('hanging')),
    ['hanging.jpg'],
  )
})

test('a call that ends stops the work on its image, and one that waits is never begun', async () => {
  const hanging = join(folder, 'waiting.jpg')
  await promisify(execFile)('mkfifo', [hanging])
  const hasty = createPictures({ log: quiet, timeoutMs: 60_000 })
  const [first, second] = [new AbortController(), new AbortController()]
  const running = hasty.inspect(hanging, first.signal)
  const behind = hasty.inspect(hanging, second.signal)
  const { pid = 0 } = hasty
  second.abort(new Error('nobody waits any more'))
  first.abort(new Error('the caller left'))
  await assert.rejects(running, /the caller left/)
  await assert.rejects(behind, /nobody waits any more/)
  await until('the process is gone', async () => !isAlive(pid))
  assert.equal((await hasty.inspect(await halves('after.jpg', 'across'))).width, 400)
  await hasty.close()
})

test('attack 147: a drawing is cleaned by the process for images, which is ended when that takes too long', async () => {
  const path = join(folder, 'drawing')
  await writeFile(path, '<svg width="4" height="2"><script>x</script><g/></svg>')
  assert.deepEqual(await pictures.clean(path, `${path}.svg`), { width: 4, height: 2, changed: true })
  assert.match(await readFile(`${path}.svg`, 'utf8'), /^<svg[^>]*><g><\/g><\/svg>$|^<svg[^>]*><g *\/><\/svg>$/)
  await writeFile(path, '<p>no drawing</p>')
  const failed = (form: RegExp) => (error: unknown) =>
    error instanceof Failure && error.code === 'unprocessable' && form.test(error.message)
  await assert.rejects(pictures.clean(path, `${path}.svg`), failed(/no drawing in it/))
  const hanging = join(folder, 'hanging.svg')
  await promisify(execFile)('mkfifo', [hanging])
  const hasty = createPictures({ log: quiet, timeoutMs: 1500 })
  await assert.rejects(hasty.clean(hanging, `${hanging}.svg`), failed(/more than 1\.5 seconds/))
  await hasty.close()
})

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
