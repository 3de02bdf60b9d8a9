// Counts what visitors and programs read. Counts gather in memory and are written in the background, so that a page costs
// microseconds and no query. No cookie is set, and no address is stored: see `visitor-id.ts`.

import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import { repeat } from '../base/repeating.ts'
import type { SettingsReader } from '../settings/settings-reader.ts'
import { dayAround, dayIn } from '../settings/time-zone.ts'
import type { Store } from '../store/core/database.ts'
import { type AgentClass, createAgentClasses } from './agent-class.ts'
import { CallCounts, type CountedCall } from './call-counts.ts'
import { campaignIn, countedPath, languageIn, referrerHost, searchWords } from './clean-values.ts'
import { writeCounts } from './count-store.ts'
import { isCounted, type VisitRequest, type CountedKind } from './counted-request.ts'
import { type CountBatch, DayCounts } from './day-counts.ts'
import { joined, type Part } from './parts.ts'
import { dropSalt, saltOf } from './salt-store.ts'
import { createShownImages } from './shown-images.ts'

export interface Statistics {
  /**
   * Counts a public page that was answered.
   * @param path below the base path
   * @param hasImage true if the page has the image that counts people
   */
  viewed(request: VisitRequest, path: string, hasImage?: boolean): void
  /** Counts a page by the image in it, for sites whose pages a front keeps. */
  shown(request: VisitRequest, path: string): void
  /** Counts a file of the media library that a person takes. */
  downloaded(request: VisitRequest, path: string): void
  /** Counts a search of the public site that found nothing. */
  foundNothing(request: VisitRequest, query: string): void
  /** Counts a call of an action. */
  called(call: CountedCall): void
  /** Writes the counts of this process. It never throws. */
  flush(): Promise<void>
  close(): Promise<void>
}

const flushMs = 30_000
/** The most counts that wait for the day's salt. */
const maxHeld = 1000
/** The wait after a salt could not be read. */
const retryMs = 1000

/** A count that waits for the salt of its day. */
interface Held {
  readonly day: string
  readonly count: (counts: DayCounts) => void
}

type Values = readonly (readonly [part: Part, value: string])[]

export function createStatistics(
  store: Pick<Store, 'read' | 'transaction'>,
  settings: Pick<SettingsReader, 'values'>,
  clock: Clock,
  log: Log,
): Statistics {
  const classOf = createAgentClasses()
  const images = createShownImages(clock)
  const calls = new CallCounts()
  const dayNow = createDays(settings, clock)
  let counts: DayCounts | undefined
  let held: Held[] = []
  let unwritten: CountBatch[] = []
  let turning: Promise<void> | undefined
  let retryAt = 0

  /** Begins the day: writes what is left of the one before, gets the salt, and counts what waited for it. */
  const turn = async () => {
    while (held.length > 0 || counts?.day !== dayNow()) {
      const day = held[0]?.day ?? dayNow()
      if (counts?.day !== day) {
        await write()
        counts = new DayCounts(day, await saltOf(store, day))
      }
      const waiting = held
      held = waiting.filter((one) => one.day !== day)
      for (const one of waiting) if (one.day === day) one.count(counts)
    }
  }
  const turnOnce = (): Promise<void> =>
    (turning ??= turn()
      .catch((error: unknown) => {
        retryAt = clock.now() + retryMs
        log.warn('statistics not begun', { error })
      })
      .finally(() => (turning = undefined)))
  const add = (count: Held['count']): void => {
    const day = dayNow()
    if (counts?.day === day && held.length === 0) return count(counts)
    if (held.length < maxHeld) held.push({ day, count })
    if (clock.now() >= retryAt) void turnOnce()
  }
  const write = async () => {
    if (counts && !counts.isEmpty) unwritten.push(counts.take())
    const batches = unwritten
    unwritten = []
    for (const batch of batches) {
      try {
        await writeCounts(store, batch)
      } catch (error) {
        log.warn('statistics not written', { error })
        if (counts?.day === batch.day && counts.salt === batch.salt) counts.giveBack(batch)
        // Counts of a day that is over wait for the next write, if few do.
        else if (unwritten.length < 3) unwritten.push(batch)
      }
    }
    await calls.write(store).catch((error: unknown) => log.warn('calls not counted', { error }))
  }
  const tick = async () => {
    if (!settings.values.statistics) {
      await write()
      counts = undefined
      held = []
      return dropSalt(store)
    }
    await turnOnce()
    await write()
  }
  const ticking = repeat(flushMs, tick, (error) => log.warn('statistics not written', { error }))

  /** The class of a visitor whose request counts. */
  const visitorOf = (request: VisitRequest, wanted: CountedKind): AgentClass | undefined => {
    const { values } = settings
    if (!values.statistics || !isCounted(request, wanted, values)) return undefined
    const found = classOf(request.header('user-agent'))
    return found.kind === 'own' ? undefined : found
  }
  const countPerson = (request: VisitRequest, values: Values, ofVisitor: Values): void => {
    const view = { address: request.client, agent: request.header('user-agent') ?? '', values, ofVisitor }
    add((day) => day.person(view))
  }
  const countProgram = (visitor: AgentClass): void => {
    if (visitor.kind === 'crawler' || visitor.kind === 'bot') add((day) => day.view(visitor.kind, visitor.name))
  }

  return {
    viewed(request, path, hasImage = false) {
      const visitor = visitorOf(request, 'document')
      if (!visitor) return
      if (visitor.kind !== 'person') return countProgram(visitor)
      const referrer = referrerOf(request)
      const came: Values = referrer === undefined ? [] : [['referrer', referrer]]
      // The image doesn't know where a visitor came from.
      if (hasImage) return came.length > 0 ? countPerson(request, came, []) : undefined
      countPerson(request, [['path', countedPath(path)], ...came, ...campaignOf(request)], onceOf(visitor, request))
    },
    shown(request, path) {
      const visitor = visitorOf(request, 'image')
      if (visitor?.kind !== 'person' || !images.isNew(request, path)) return
      countPerson(request, [['path', countedPath(path)], ...campaignOfPage(request.header('referer'))], onceOf(visitor, request))
    },
    downloaded(request, path) {
      if (visitorOf(request, 'download')?.kind === 'person') countPerson(request, [['download', countedPath(path)]], [])
    },
    foundNothing(request, query) {
      if (visitorOf(request, 'document')?.kind === 'person') countPerson(request, [['search', searchWords(query)]], [])
    },
    called(call) {
      if (settings.values.statistics) calls.add(dayNow(), call)
    },
    flush: () => ticking.run(),
    async close() {
      await ticking.stop()
      if (held.length > 0) await turnOnce()
      await write()
    },
  }
}

/** The values that count a visitor once a day. */
const onceOf = ({ device }: Extract<AgentClass, { kind: 'person' }>, request: VisitRequest): Values => [
  ['all', joined],
  ['device', device],
  ['language', languageIn(request.header('accept-language'))],
]

/** Most visitors come from another page of the site, which is seen without parsing. */
function referrerOf(request: VisitRequest): string | undefined {
  const referrer = request.header('referer')
  if (referrer === undefined || referrer.startsWith(`${request.scheme}://${request.host}/`)) return undefined
  return referrerHost(referrer, request.host)
}

/** A query is parsed only if there is a campaign in it. */
function campaignOf(request: { readonly target: string; readonly query: URLSearchParams }): Values {
  const campaign = request.target.includes('utm_') ? campaignIn(request.query) : undefined
  return campaign === undefined ? [] : [['campaign', campaign]]
}

/** The campaign in the address of the page that an image is in. */
function campaignOfPage(page: string | undefined): Values {
  if (page === undefined || !page.includes('utm_') || page.length > 2000 || !URL.canParse(page)) return []
  return campaignOf({ target: page, query: new URL(page).searchParams })
}

/** Returns the present day in the site's time zone. The day is computed once, since that takes longer than all other counting. */
function createDays(settings: Pick<SettingsReader, 'values'>, clock: Clock): () => string {
  let known = { start: 0, end: -1, day: '', zone: '' }
  return () => {
    const now = clock.now()
    const zone = settings.values.time_zone
    if (now < known.start || now > known.end || zone !== known.zone)
      known = { ...dayAround(now, zone), day: dayIn(now, zone), zone }
    return known.day
  }
}
