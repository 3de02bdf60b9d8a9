// Shows a page in a browser, and takes its picture.

import { setTimeout as sleep } from 'node:timers/promises'
import { Failure } from '../base/failure.ts'
import type { DevTools } from './devtools.ts'
import { answerRequests, type OwnRequests } from './own-requests.ts'
import type { Captured, Look, Picture, Size, TakePicture } from './types.ts'

/** The windows in which pages are shown. */
const heights: Readonly<Record<Picture['width'], number>> = { 390: 844, 1280: 900 }

/** After this time, a page is shown without what has not come. */
const loadMs = 6000

/** The page to show, and how. */
export interface Shot {
  readonly origin: string
  readonly path: string
  readonly look: Look
  readonly how: Picture
}

/** @throws Failure; the error of `look` if there is no page to show */
export async function takeOn(devtools: DevTools, { origin, path, look, how }: Shot): ReturnType<TakePicture> {
  const requests = answerRequests(devtools, origin, look)
  const page = await openPage(devtools, requests, how)
  await load(devtools, requests, page, origin + path)
  await settle(devtools, requests, page)
  const { cssContentSize } = await devtools.send<{ cssContentSize: { height: number } }>('Page.getLayoutMetrics', {}, page)
  const offset = how.offset ?? 0
  if (offset > 0) {
    await scroll(devtools, page, offset)
    await settle(devtools, requests, page)
  }
  return { mime_type: 'image/jpeg', ...(await capture(devtools, page, how)), page_height: Math.ceil(cssContentSize.height) }
}

/** Opens an empty page whose every request is ours to answer. @returns its session */
async function openPage(devtools: DevTools, requests: OwnRequests, { width, dark }: Picture): Promise<string> {
  const { targetId } = await devtools.send<{ targetId: string }>('Target.createTarget', { url: 'about:blank' })
  // Frames with a process of their own are targets, too. They wait until they are prepared.
  devtools.on(({ method, params }) => {
    if (method !== 'Target.attachedToTarget') return
    const { sessionId, targetInfo } = params as { sessionId: string; targetInfo: { targetId: string } }
    // The browser has ended, which others notice, or the frame is gone.
    if (targetInfo.targetId !== targetId) void prepare(devtools, requests, sessionId).catch(() => undefined)
  })
  const { sessionId: page } = await devtools.send<{ sessionId: string }>('Target.attachToTarget', { targetId, flatten: true })
  await prepare(devtools, requests, page)
  const window = { width, height: heights[width], deviceScaleFactor: 1, mobile: width === 390 }
  const features = [{ name: 'prefers-color-scheme', value: dark ? 'dark' : 'light' }]
  await Promise.all([
    devtools.send('Page.enable', {}, page),
    devtools.send('Browser.setDownloadBehavior', { behavior: 'deny' }),
    devtools.send('Emulation.setDeviceMetricsOverride', window, page),
    devtools.send('Emulation.setEmulatedMedia', { features }, page),
  ])
  return page
}

async function prepare(devtools: DevTools, requests: OwnRequests, session: string): Promise<void> {
  const attach = { autoAttach: true, waitForDebuggerOnStart: true, flatten: true }
  await Promise.all([
    requests.watch(session),
    devtools.send('Emulation.setScriptExecutionDisabled', { value: true }, session),
    devtools.send('Target.setAutoAttach', attach, session),
  ])
  await devtools.send('Runtime.runIfWaitingForDebugger', {}, session)
}

/** Waits until the page is loaded, with what it needs, but not for what takes too long. */
async function load(devtools: DevTools, requests: OwnRequests, page: string, url: string): Promise<void> {
  const loaded = devtools.until((done) => {
    devtools.on(({ method, sessionId }) => {
      if (method === 'Page.loadEventFired' && sessionId === page) done()
    })
  })
  loaded.catch(() => undefined)
  const { errorText } = await devtools.send<{ errorText?: string }>('Page.navigate', { url }, page)
  if (errorText !== undefined)
    throw requests.pageError() ?? new Failure('unprocessable', `Chromium shows no page at ${JSON.stringify(url)}: ${errorText}.`)
  await within(loadMs, loaded)
}

/** The time in which a loaded page may still ask for something, such as the fonts and pictures of its style sheets. */
const settleMs = 1000
const lookMs = 25

/** Waits until fonts are loaded and nothing is asked for. */
async function settle(devtools: DevTools, requests: OwnRequests, page: string): Promise<void> {
  const fonts = devtools.send('Runtime.evaluate', { expression: 'document.fonts.ready.then(() => 0)', awaitPromise: true }, page)
  await within(settleMs, fonts)
  for (let ms = 0; ms < settleMs && requests.isBusy(); ms += lookMs) await sleep(lookMs)
}

/** Waits for something, but not for longer. */
async function within(ms: number, done: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const over = new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)))
  await Promise.race([done, over]).finally(() => clearTimeout(timer))
}

const scroll = (devtools: DevTools, page: string, offset: number): Promise<unknown> =>
  devtools.send('Runtime.evaluate', { expression: `scrollTo({ top: ${offset}, behavior: 'instant' })` }, page)

/** The qualities and sizes that are tried after the one that was asked for, until the picture is small enough. */
const smaller: readonly (readonly [quality: number, scale: number])[] = [
  [70, 1],
  [50, 1],
  [35, 1],
  [50, 0.75],
  [40, 0.5],
  [30, 0.35],
]

/** @throws Failure `too_large` if no picture is small enough */
async function capture(devtools: DevTools, page: string, { quality, maxBytes, width }: Picture): Promise<Captured> {
  const { cssVisualViewport: view } = await devtools.send<{ cssVisualViewport: { pageX: number; pageY: number } }>(
    'Page.getLayoutMetrics',
    {},
    page,
  )
  const window = { width, height: heights[width] }
  const area = { x: view.pageX, y: view.pageY, ...window }
  for (const [lower, scale] of [[quality, 1] as const, ...smaller]) {
    const options = { format: 'jpeg', quality: Math.min(quality, lower), ...(scale === 1 ? {} : { clip: { ...area, scale } }) }
    const { data } = await devtools.send<{ data: string }>('Page.captureScreenshot', options, page)
    if (data.length <= maxBytes) return { base64: data, window, size: scaled(window, scale) }
  }
  throw new Failure('too_large', `The picture of this page does not fit into ${maxBytes} bytes, even at a third of its size.`)
}

const scaled = ({ width, height }: Size, scale: number): Size => ({
  width: Math.round(width * scale),
  height: Math.round(height * scale),
})
