// Metrics of the running process, in the text format of Prometheus. Code on the path of a request adds to a cell that it looked
// up once; expensive figures are measured when the metrics are read. The door decides who may read them. The
// package prom-client is not used: it adds 4.7 MB, and takes ten times as long to count.

import type { Log } from './log.ts'

/** Labels. Values never come from a request, because each combination stays in memory as long as the process lives. */
export type Labels = Readonly<Record<string, string>>

export interface Cell {
  value: number
}

export interface Series {
  observe(value: number): void
}

/** A measurement: a number, or a number per combination of labels. Undefined leaves the metric out. */
export type GaugeReading = number | undefined | Iterable<readonly [labels: Labels, value: number]>

/** Events that any code can count by name: `plugin_restarts` becomes `postern_plugin_restarts_total`. */
const events = {
  plugin_restarts: 'Processes of plugins that ended by themselves, or were ended for taking too long.',
} as const

export interface Metrics {
  /** A counter; the same name returns the same counter. It returns the cell of the labels, which frequent users store. */
  counter(name: string, help: string): (labels?: Labels) => Cell
  /** A histogram with these upper bounds, in ascending order. */
  histogram(name: string, help: string, bounds: readonly number[]): (labels?: Labels) => Series
  /**
   * A metric that is measured at each read. If the measurement throws, the metric is left out and the error is logged.
   * @param of the subject of the metric, if that is not this process alone
   */
  ask(kind: 'counter' | 'gauge', name: string, help: string, read: () => GaugeReading | Promise<GaugeReading>, of?: About): void
  count(event: keyof typeof events, labels?: Labels): void
  /** Reads the metrics. @param skip names of metrics to leave out */
  read(skip?: ReadonlySet<string>): Promise<readonly MetricReading[]>
  /** All metrics, in the text format 0.0.4. */
  text(): Promise<string>
}

/** The subject of a metric: one process, or the whole site, so that all processes measure the same. */
export type About = 'process' | 'site'

type Sample = readonly [name: string, labels: Labels, value: number]

/** A metric with its values at the time of reading. */
export interface MetricReading {
  readonly name: string
  readonly kind: 'counter' | 'gauge' | 'histogram'
  readonly help: string
  readonly of: About
  readonly samples: readonly Sample[]
}

interface Family extends Pick<MetricReading, 'kind' | 'help' | 'of'> {
  readonly samples: () => readonly Sample[] | Promise<readonly Sample[]>
}

/** Creates an empty registry. */
export function createMetrics(log: Pick<Log, 'warn'>): Metrics {
  const families = new Map<string, Family>()
  const counters = new Map<string, (labels?: Labels) => Cell>()

  const counter: Metrics['counter'] = (name, help) => {
    const known = counters.get(name)
    if (known) return known
    const { get, all } = bySeries<Cell>(() => ({ value: 0 }))
    const samples = () => all().map(([labels, { value }]): Sample => [name, labels, value])
    families.set(name, { kind: 'counter', help, of: 'process', samples })
    counters.set(name, get)
    return get
  }
  const byEvent = Object.entries(events).map(([event, help]) => [event, counter(`postern_${event}_total`, help)] as const)
  const eventCells = Object.fromEntries(byEvent) as Record<keyof typeof events, (labels?: Labels) => Cell>

  const samplesOf = async (name: string, { samples }: Family): Promise<readonly Sample[]> => {
    try {
      return await samples()
    } catch (error) {
      log.warn('metric not read', { name, error })
      return []
    }
  }

  const read: Metrics['read'] = async (skip) => {
    const readings: MetricReading[] = []
    for (const [name, family] of families) {
      if (skip?.has(name)) continue
      const { kind, help, of } = family
      readings.push({ name, kind, help, of, samples: await samplesOf(name, family) })
    }
    return readings
  }

  return {
    counter,
    histogram(name, help, bounds) {
      const { get, all } = bySeries((): Buckets => new Buckets(bounds))
      const samples = () => all().flatMap(([labels, one]) => one.samples(name, labels))
      families.set(name, { kind: 'histogram', help, of: 'process', samples })
      return get
    },
    ask(kind, name, help, read, of = 'process') {
      families.set(name, { kind, help, of, samples: async () => readingSamples(name, await read()) })
    },
    count(event, labels) {
      eventCells[event](labels).value += 1
    },
    read,
    text: async () => metricsText(await read()),
  }
}

/** Readings in the text format 0.0.4. A metric without samples is left out. */
export function metricsText(readings: readonly MetricReading[]): string {
  const parts = readings
    .filter(({ samples }) => samples.length > 0)
    .flatMap(({ name, kind, help, samples }) => [`# HELP ${name} ${help}\n# TYPE ${name} ${kind}\n`, ...samples.map(sampleLine)])
  return parts.join('')
}

export interface CacheCounts {
  readonly hits: Cell
  readonly misses: Cell
}

/** The counters for a cache of this name. */
export function cacheCounts(metrics: Pick<Metrics, 'counter'>, cache: string): CacheCounts {
  return {
    hits: metrics.counter('postern_cache_hits_total', 'Questions that a cache answered.')({ cache }),
    misses: metrics.counter('postern_cache_misses_total', 'Questions that a cache had to find the answer to.')({ cache }),
  }
}

/** One value per combination of labels, made on first use. */
function bySeries<T>(make: () => T) {
  const known = new Map<string, readonly [Labels, T]>()
  return {
    get(labels: Labels = {}): T {
      const key = labelText(labels)
      const [, found] = known.get(key) ?? []
      if (found !== undefined) return found
      const made = make()
      known.set(key, [labels, made])
      return made
    },
    all: () => [...known.values()],
  }
}

class Buckets implements Series {
  readonly #bounds: readonly number[]
  readonly #counts: number[]
  #sum = 0
  #count = 0

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds
    this.#counts = bounds.map(() => 0)
  }

  observe(value: number): void {
    this.#sum += value
    this.#count += 1
    const at = this.#bounds.findIndex((bound) => value <= bound)
    if (at >= 0) this.#counts[at] = (this.#counts[at] ?? 0) + 1
  }

  samples(name: string, labels: Labels): Sample[] {
    let below = 0
    const buckets = this.#bounds.map((bound, at): Sample => {
      below += this.#counts[at] ?? 0
      return [`${name}_bucket`, { ...labels, le: String(bound) }, below]
    })
    return [
      ...buckets,
      [`${name}_bucket`, { ...labels, le: '+Inf' }, this.#count],
      [`${name}_sum`, labels, this.#sum],
      [`${name}_count`, labels, this.#count],
    ]
  }
}

function readingSamples(name: string, reading: GaugeReading): Sample[] {
  if (reading === undefined) return []
  return typeof reading === 'number' ? [[name, {}, reading]] : [...reading].map(([labels, value]) => [name, labels, value])
}

const sampleLine = ([name, labels, value]: Sample): string => `${name}${labelText(labels)} ${value}\n`

function labelText(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${value.replace(/[\\"\n]/g, escapeLabel)}"`)
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`
}

const escapeLabel = (c: string): string => (c === '\n' ? '\\n' : `\\${c}`)
