// Metrics of the service as a whole, measured when `/metrics` is read. `answered.ts` counts requests; caches count their own hits
// and misses.

import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks'
import type { ContentServices, ProgramServices, StoreServices } from '../actions/call/services.ts'
import { findGood } from '../backup/backup-store.ts'
import type { Metrics, GaugeReading } from '../base/metrics.ts'
import type { PoolNumbers } from '../store/core/database.ts'

/** Adds the metrics of a running site. @param connections the number of open connections */
export function measureSite(site: ContentServices & ProgramServices & StoreServices, connections: () => number): void {
  const { metrics, config, renderer, store } = site
  const labels = { release: config.POSTERN_COMPAT, node: process.versions.node }
  metrics.ask('gauge', 'postern_build_info', 'The running release, in the labels.', () => [[labels, 1]])
  metrics.ask('gauge', 'postern_http_connections', 'Open connections.', connections)
  metrics.ask('gauge', 'postern_render_queue', 'Texts that wait to be rendered.', () => renderer.waiting)
  const backupHelp = 'When the newest good backup was made, since 1970; nothing as long as there is none.'
  const backupAt = async () => {
    const backup = await findGood(store.read)
    return backup && backup.created_at / 1000
  }
  metrics.ask('gauge', 'postern_backup_timestamp_seconds', backupHelp, backupAt, 'site')
  measureDatabase(site)
  measureProcess(metrics)
  measureEventLoop(metrics)
}

/** Metrics of the database pools, with the pool as a label. */
const poolMeasures: readonly (readonly [
  kind: 'counter' | 'gauge',
  name: string,
  help: string,
  of: (pool: PoolNumbers) => number,
])[] = [
  ['gauge', 'postern_database_queue', 'Queries and transactions that wait for a connection.', (pool) => pool.waiting],
  ['counter', 'postern_database_waits_total', 'Those that had to wait.', (pool) => pool.waits],
  ['counter', 'postern_database_wait_seconds_total', 'How long they waited, together.', (pool) => pool.waitedMs / 1000],
  ['counter', 'postern_database_refused_total', 'Those that waited in vain.', (pool) => pool.refused],
]

function measureDatabase({ metrics, store }: ProgramServices & StoreServices): void {
  const { waits } = store
  for (const [kind, name, help, of] of poolMeasures) {
    metrics.ask(kind, name, help, () => Object.entries(waits).map(([pool, numbers]) => [{ pool }, of(numbers)] as const))
  }
  const lockHelp = 'How long write transactions took to get the lock that processes share.'
  metrics.ask('counter', 'postern_database_lock_seconds_total', lockHelp, () => waits.write.beginMs / 1000)
  const bytes = async () => {
    const { database, log } = await store.measureFiles()
    return [[{ file: 'database' }, database] as const, [{ file: 'wal' }, log] as const]
  }
  metrics.ask('gauge', 'postern_database_bytes', 'The database file and its write-ahead log.', bytes, 'site')
}

/** Measures the process, with the metric names that the libraries of Prometheus use. */
function measureProcess(metrics: Metrics): void {
  const startSeconds = Math.round(Date.now() / 1000 - process.uptime())
  metrics.ask('gauge', 'process_start_time_seconds', 'When the process started, since 1970.', () => startSeconds)
  metrics.ask('gauge', 'process_resident_memory_bytes', 'Memory the process has.', () => process.memoryUsage.rss())
  metrics.ask('counter', 'process_cpu_seconds_total', 'Processor time used, all threads.', () => {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1e6
  })
  metrics.ask('gauge', 'nodejs_heap_used_bytes', 'Memory of the values in use.', () => process.memoryUsage().heapUsed)
}

/** Measures the event loop from the first read on, because measuring wakes an idle process fifty times a second. */
function measureEventLoop(metrics: Metrics): void {
  let watched: IntervalHistogram | undefined
  const help = 'How late the event loop was since the last look; nothing at the first one.'
  metrics.ask('gauge', eventLoopMetric, help, () => {
    const delays = watched
    if (delays) return readDelays(delays)
    watched = monitorEventLoopDelay({ resolution: resolutionMs })
    watched.enable()
    return undefined
  })
}

/** The metric of the event loop. Its values cover the time since the last read. */
export const eventLoopMetric = 'postern_event_loop_delay_seconds'

const resolutionMs = 20

/** Reads the delays. Node's values include the resolution, which is not a delay. */
function readDelays(delays: IntervalHistogram): GaugeReading {
  const late = (percent: number) => Math.max(0, delays.percentile(percent) / 1e9 - resolutionMs / 1000)
  const found = [50, 99, 100].map((percent) => [{ quantile: String(percent / 100) }, late(percent)] as const)
  delays.reset()
  return found
}
