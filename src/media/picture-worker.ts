// The process that decodes and encodes images, and cleans drawings. It does one job at a time, and the parent may kill it at any
// moment, because nothing else can stop a decoder. It ends when the parent does.

import sharp, { type Metadata, type Sharp } from 'sharp'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { Failure } from '../base/failure.ts'
import { cleanSvg } from './clean-svg.ts'
import {
  cardRatio,
  cardWidth,
  type Focus,
  type Inspected,
  maxFrames,
  maxPixels,
  pictureWidths,
  type Variant,
} from './picture-recipe.ts'
import { answerJobs } from '../base/worker-queue.ts'
import type { CleanedDrawing, PictureJob, SmallImage } from './picture-process.ts'

sharp.concurrency(1)
sharp.cache(false)
// Only the decoders for accepted kinds of files are enabled. libvips refuses all other formats.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif'].map((name) => `VipsForeignLoad${name}File`),
})

/** An unusable image, with the reason in words for its sender. */
class Unusable extends Error {}

const widest = Math.max(...pictureWidths)

async function openImage(path: string): Promise<{ readonly image: (animated: boolean) => Sharp; readonly metadata: Metadata }> {
  const options = { failOn: 'error', sequentialRead: true, limitInputPixels: maxPixels } as const
  // The header is read without the limit, so that the refusal can name the size.
  const metadata = await sharp(path, { ...options, limitInputPixels: false }).metadata()
  const frames = metadata.pages ?? 1
  const pixels = metadata.width * metadata.height * frames
  if (frames > maxFrames) throw new Unusable(`The animation has ${frames} frames. At most ${maxFrames} are taken: use a video.`)
  if (pixels > maxPixels)
    throw new Unusable(
      `The image has ${metadata.width} × ${metadata.height} pixels${frames > 1 ? ` in ${frames} frames` : ''}. At most ${maxPixels / 1e6} million are taken: make it smaller.`,
    )
  if (metadata.format === 'heif' && metadata.compression !== 'av1')
    throw new Unusable('This image can not be decoded: export it as JPEG.')
  return { image: (animated) => sharp(path, { ...options, animated: animated && frames > 1 }), metadata }
}

const kinds: Readonly<Record<string, string>> = {
  jpeg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  gif: 'image/gif',
  heif: 'image/avif',
}

/** Decodes the whole image, because only that detects a truncated file. */
async function inspect(path: string): Promise<Inspected> {
  const { image, metadata } = await openImage(path)
  const { width, height } = metadata.autoOrient
  const kind = kinds[metadata.format] ?? ''
  // The colours are taken from the first frame, but all frames must be decodable.
  if ((metadata.pages ?? 1) > 1) await image(true).resize(8, 8, { fit: 'fill' }).raw().toBuffer()
  const tiny = image(false).autoOrient().resize(16, 16, { fit: 'inside' })
  const { data, info } = await tiny.raw().toBuffer({ resolveWithObject: true })
  const isClear = info.channels % 2 === 0 && data.some((value, at) => at % info.channels === info.channels - 1 && value < 255)
  const raw = { raw: { width: info.width, height: info.height, channels: info.channels } }
  const webp = isClear ? undefined : await sharp(data, raw).removeAlpha().webp({ quality: 40 }).toBuffer()
  const placeholder = webp ? `data:image/webp;base64,${webp.toString('base64')}` : null
  return { kind, width, height, placeholder }
}

/** Makes all sizes. @param out the path of each file without its ending, to which `-640.webp` is added */
async function make({ path, out, focus, avif }: Extract<PictureJob, { kind: 'make' }>): Promise<readonly Variant[]> {
  const { image, metadata } = await openImage(path)
  const animated = (metadata.pages ?? 1) > 1
  const { width, height } = metadata.autoOrient
  const variants: Variant[] = []
  const note = async (name: string, type: string, size: { width: number; height: number }) => {
    variants.push({ name, ...size, type, bytes: (await stat(`${out}-${name}`)).size })
  }
  const fitting = pictureWidths.filter((one) => one < width)
  const widths = [...fitting, ...(fitting.length < pictureWidths.length ? [width] : [])]
  // All sizes are made from this data, so that the original is decoded once.
  const { data, info } = await image(false)
    .autoOrient()
    .resize({ width: Math.min(width, widest), withoutEnlargement: true })
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
  const base = () => sharp(data, { raw: { width: info.width, height: info.height, channels: info.channels } })
  const clear = info.channels % 2 === 0 && !(await base().stats()).isOpaque
  for (const one of animated ? widths.filter((small, at) => at === 0 || small <= 1280) : widths) {
    const size = { width: one, height: Math.max(1, Math.round((height * one) / width)) }
    const resized = animated
      ? image(true).resize({ width: one })
      : base().resize({ width: one, height: size.height, fit: 'fill' })
    await resized
      .webp(clear && !animated ? { lossless: true, effort: 4 } : { quality: 80, effort: 4 })
      .toFile(`${out}-${one}.webp`)
    await note(`${one}.webp`, 'image/webp', size)
    if (avif && !animated && !clear) {
      await base()
        .resize({ width: one, height: size.height, fit: 'fill' })
        .avif({ quality: 50, effort: 0 })
        .toFile(`${out}-${one}.avif`)
      await note(`${one}.avif`, 'image/avif', size)
    }
  }
  const card = cardOf(info.width, info.height)
  await cropped(base().flatten({ background: '#fff' }), info, card, focus)
    .jpeg({ quality: 80 })
    .toFile(`${out}-${card.width}.jpg`)
  await note(`${card.width}.jpg`, 'image/jpeg', card)
  return variants
}

interface Size {
  readonly width: number
  readonly height: number
}

/** The largest card that fits into an image. */
function cardOf(width: number, height: number): Size {
  const fitted = Math.max(1, Math.min(cardWidth, width, Math.round(height * cardRatio)))
  return { width: fitted, height: Math.max(1, Math.round(fitted / cardRatio)) }
}

/** Crops a card around the focus, or around the part that libvips finds interesting. */
function cropped(image: Sharp, from: Size, card: Size, focus: Focus | null): Sharp {
  if (!focus) return image.resize({ ...card, fit: 'cover', position: 'attention' })
  return image.extract(areaOf(from, card, focus)).resize({ ...card, fit: 'fill' })
}

/** The largest area of this shape around the focus. */
function areaOf(from: Size, shape: Size, focus: Focus): Size & { readonly left: number; readonly top: number } {
  const scale = Math.min(from.width / shape.width, from.height / shape.height)
  const size = {
    width: Math.max(1, Math.min(from.width, Math.floor(shape.width * scale))),
    height: Math.max(1, Math.min(from.height, Math.floor(shape.height * scale))),
  }
  const start = (length: number, part: number, at: number) =>
    Math.min(Math.max(0, Math.round(length * at - part / 2)), length - part)
  return { left: start(from.width, size.width, focus.x), top: start(from.height, size.height, focus.y), ...size }
}

/** Writes the part of a picture around its focus, in the format of the original or as WebP. */
async function crop({ path, out, ratio, focus }: Extract<PictureJob, { kind: 'crop' }>): Promise<void> {
  const { image, metadata } = await openImage(path)
  const { width, height } = metadata.autoOrient
  const part = image(false)
    .autoOrient()
    .extract(areaOf({ width, height }, { width: ratio, height: 1 }, focus))
  // Colours stay as they are: the profile of the original goes along.
  const kept = part.keepIccProfile()
  if (metadata.format === 'jpeg') await kept.jpeg({ quality: 92 }).toFile(out)
  else if (metadata.format === 'png') await kept.png().toFile(out)
  else await kept.webp({ quality: 92 }).toFile(out)
}

/** Makes a JPEG of at most `maxBytes` bytes for a model. */
async function look({ path, maxBytes }: Extract<PictureJob, { kind: 'look' }>): Promise<SmallImage> {
  const { image } = await openImage(path)
  for (const side of [1024, 768, 512, 320, 160]) {
    const picture = image(false).autoOrient().resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
    const data = await picture.flatten({ background: '#fff' }).jpeg({ quality: 65 }).toBuffer()
    if (data.length <= maxBytes) return { base64: data.toString('base64'), mimeType: 'image/jpeg' }
  }
  throw new Unusable('This image can not be made small enough to look at.')
}

/** Writes the cleaned drawing to a file. */
async function clean({ path, out }: Extract<PictureJob, { kind: 'clean' }>): Promise<CleanedDrawing> {
  const { svg, ...about } = await cleanSvg(await readFile(path, 'utf8'))
  await writeFile(out, svg, { mode: 0o600 })
  return about
}

function run(job: PictureJob): Promise<unknown> {
  if (job.kind === 'inspect') return inspect(job.path)
  if (job.kind === 'make') return make(job)
  if (job.kind === 'crop') return crop(job)
  return job.kind === 'look' ? look(job) : clean(job)
}

answerJobs(run, (error) => error instanceof Unusable || error instanceof Failure)
process.on('disconnect', () => process.exit(0))
