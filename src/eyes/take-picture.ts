// Takes pictures of public pages with Chromium. Each picture has a browser of its own, which ends with it.

import { setTimeout as sleep } from 'node:timers/promises'
import { Failure, invalid } from '../base/failure.ts'
import type { Log } from '../base/log.ts'
import { type Browser, openBrowser } from './browser.ts'
import { DevTools } from './devtools.ts'
import { takeOn } from './page-picture.ts'
import { callerLeft, createTurns } from './turns.ts'
import type { TakePicture } from './types.ts'

/** The time for one picture, once Chromium has started. */
const usualLimitMs = 10_000

/** The time for the start, which no page makes longer: on a busy machine of one core it takes several seconds. */
const startMs = 15_000

/** @param place the path of Chromium, or of the socket of its unit */
export function createTakePicture(place: string, log: Log, limitMs = usualLimitMs): TakePicture {
  const inTurn = createTurns()
  return async (origin, path, look, how, { caller = '', signal } = {}) => {
    if (!path.startsWith('/')) throw invalid('path', 'A path begins with a slash.', '"/about"')
    const take = async () => {
      const began = performance.now()
      try {
        return await withBrowser(place, { limitMs, signal }, (devtools) => takeOn(devtools, { origin, path, look, how }))
      } catch (error) {
        if (!signal?.aborted) log.warn('no picture of a page', { path, error, ms: Math.round(performance.now() - began) })
        throw error
      }
    }
    return inTurn(caller, take, signal)
  }
}

/** Starts Chromium and ends it again. @returns its name and version @throws Failure `unavailable` if it can't be started */
export async function findChromium(place: string): Promise<string> {
  const { product } = await withBrowser(place, { limitMs: usualLimitMs }, (devtools) =>
    devtools.send<{ product: string }>('Browser.getVersion'),
  )
  return product
}

interface Ends {
  readonly limitMs: number
  readonly signal?: AbortSignal | undefined
}

/** @throws Failure `unprocessable` if the time is up, `unavailable` if the caller has left */
async function withBrowser<T>(place: string, { limitMs, signal }: Ends, use: (devtools: DevTools) => Promise<T>): Promise<T> {
  const { browser, devtools } = await start(place, { endsAt: Date.now() + startMs, failure: tooSlow(), signal })
  const clear = failWith(devtools, { endsAt: Date.now() + limitMs, failure: tooLong(limitMs), signal })
  try {
    return await use(devtools)
  } finally {
    clear()
    await browser.close()
  }
}

interface Limit {
  readonly endsAt: number
  readonly failure: Failure
  readonly signal: AbortSignal | undefined
}

/** Ends the conversation when the time is up or the caller leaves. @returns clears both */
function failWith(devtools: DevTools, { endsAt, failure, signal }: Limit): () => void {
  const leave = (): void => devtools.fail(callerLeft())
  const timer = setTimeout(() => devtools.fail(failure), endsAt - Date.now())
  if (signal?.aborted) leave()
  signal?.addEventListener('abort', leave, { once: true })
  return () => {
    clearTimeout(timer)
    signal?.removeEventListener('abort', leave)
  }
}

const againMs = 300

/** Starts Chromium, and waits until it answers. systemd closes a connection beyond the number that the socket allows at once. */
async function start(place: string, limit: Limit): Promise<{ browser: Browser; devtools: DevTools }> {
  const browser = await openBrowser(place)
  const devtools = new DevTools(browser)
  const clear = failWith(devtools, limit)
  try {
    await devtools.send('Browser.getVersion')
    return { browser, devtools }
  } catch (error) {
    await browser.close()
    if (!browser.isUnit || limit.signal?.aborted || Date.now() + againMs >= limit.endsAt) throw error
  } finally {
    clear()
  }
  await sleep(againMs)
  return start(place, limit)
}

const tooLong = (limitMs: number): Failure =>
  new Failure(
    'unprocessable',
    `The picture of this page was not finished within ${limitMs / 1000} seconds, so Chromium was ended. Make the page lighter, or ask for its outline.`,
  )

const tooSlow = (): Failure =>
  new Failure(
    'unavailable',
    `Chromium did not start within ${startMs / 1000} seconds, so it was ended. The machine is busy; try again in a minute.`,
    { retry_after: 60 },
  )
