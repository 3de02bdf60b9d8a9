// The numbers for `/metrics` of all processes on this machine. Each process writes its own numbers into a file once a second. A
// process that gets a request reads all files, and labels each number with its process.

import { readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Log } from '../base/log.ts'
import { type Metrics, metricsText, type MetricReading } from '../base/metrics.ts'
import { unlessMissing } from '../base/missing.ts'
import { repeat } from '../base/repeating.ts'
import type { Processes } from './processes.ts'

export interface Numbers {
  /** Returns the metrics of all processes, in the text format 0.0.4. */
  text(): Promise<string>
  stop(): Promise<void>
}

export interface NumbersParts {
  readonly processes: Pick<Processes, 'name' | 'folder'>
  readonly metrics: Metrics
  readonly log: Log
  /** Metrics that reset with each reading, such as peaks. They are read less often, so that a scrape does not miss a peak. */
  readonly sinceLastLook: ReadonlySet<string>
}

const everyMs = 1000
const peaksMs = 10_000
/** The age of a file at which its process has ended or hangs. */
const deadMs = 10_000

const fileForm = /^metrics-(\d+)\.json$/
const fileOf = (name: string): string => `metrics-${name}.json`

/** Creates the numbers of this process, combined with those of the others if the site has several processes. */
export function createNumbers({ processes, metrics, log, sinceLastLook }: NumbersParts): Numbers {
  const { name, folder } = processes
  if (name === undefined || folder === undefined) return { text: () => metrics.text(), stop: async () => undefined }
  const draft = join(folder, `.${fileOf(name)}.tmp`)
  let peaks: readonly MetricReading[] = []
  let peaksAt = -Infinity

  const readOwn = async (): Promise<readonly MetricReading[]> => {
    const now = performance.now()
    const isDue = now - peaksAt >= peaksMs
    const readings = await metrics.read(isDue ? undefined : sinceLastLook)
    if (!isDue) return [...readings, ...peaks]
    peaksAt = now
    peaks = readings.filter((one) => sinceLastLook.has(one.name))
    return readings
  }
  const write = async () => {
    const own = (await readOwn()).filter(({ of }) => of === 'process')
    // The file is not synced to disk, because it is useless after a power cut.
    await writeFile(draft, JSON.stringify(own), { mode: 0o600 })
    await rename(draft, join(folder, fileOf(name)))
  }
  const writing = repeat(everyMs, write, (error) => log.warn('numbers of this process not written', { error }))

  return {
    async text() {
      const others = await readOthers(folder, name)
      return metricsText(merge([[name, await readOwn()], ...others]))
    },
    async stop() {
      await writing.stop()
      await rm(join(folder, fileOf(name)), { force: true })
    },
  }
}

type Named = readonly [process: string, readings: readonly MetricReading[]]

/** Returns the readings of the other living processes, by name. Files of dead processes are deleted. */
async function readOthers(folder: string, own: string): Promise<readonly Named[]> {
  const found: Named[] = []
  for (const file of (await readdir(folder)).sort()) {
    const name = fileForm.exec(file)?.[1]
    if (name === undefined || name === own) continue
    const path = join(folder, file)
    const stats = await unlessMissing(stat(path))
    if (!stats) continue
    if (Math.abs(Date.now() - stats.mtimeMs) > deadMs) {
      await rm(path, { force: true })
      continue
    }
    const text = await unlessMissing(readFile(path, 'utf8'))
    if (text !== undefined) found.push([name, JSON.parse(text) as readonly MetricReading[]])
  }
  return found
}

/**
 * Returns one reading per metric. Numbers of a process get its name as a label, so that a restart is visible; numbers of the site
 * are the same in every process.
 */
function merge(all: readonly Named[]): readonly MetricReading[] {
  const byName = new Map<string, MetricReading>()
  for (const [process, readings] of all) {
    for (const reading of readings) {
      const samples =
        reading.of === 'site'
          ? reading.samples
          : reading.samples.map(([name, labels, value]) => [name, { ...labels, process }, value] as const)
      const known = byName.get(reading.name)
      byName.set(reading.name, { ...reading, samples: [...(known?.samples ?? []), ...samples] })
    }
  }
  return [...byName.values()]
}
