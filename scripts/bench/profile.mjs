// A summary of a V8 profile: the functions in which a service spent most of its time, with their source files.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { root } from '../ready.mjs'

const shown = 40

/** Summarises the newest profile in a folder: one line per function, with its own time in percent of the time that was not idle. */
export function costs(folder) {
  const file = readdirSync(folder)
    .filter((name) => name.endsWith('.cpuprofile'))
    .sort()
    .at(-1)
  if (!file) return `There is no profile in ${folder}.\n`
  const { nodes, samples, timeDeltas } = JSON.parse(readFileSync(join(folder, file), 'utf8'))
  const micros = new Map()
  for (const [place, id] of samples.entries()) micros.set(id, (micros.get(id) ?? 0) + timeDeltas[place])
  const own = new Map()
  for (const { id, callFrame } of nodes) {
    if (['(idle)', '(root)'].includes(callFrame.functionName)) continue
    const name = nameOf(callFrame)
    own.set(name, (own.get(name) ?? 0) + (micros.get(id) ?? 0))
  }
  const all = [...own.values()].reduce((sum, one) => sum + one, 0)
  const lines = [...own]
    .sort(([, a], [, b]) => b - a)
    .slice(0, shown)
    .map(([name, time]) => `${((100 * time) / all).toFixed(1).padStart(6)} %  ${name}`)
  return `\nOwn time, of ${(all / 1e6).toFixed(1)} s (${join(folder, file)}):\n${lines.join('\n')}\n`
}

const maps = new Map()

function nameOf({ functionName, url, lineNumber, columnNumber }) {
  const name = functionName || '(anonymous)'
  if (!url.startsWith('file:')) return url ? `${name} ${url}` : name
  const file = fileURLToPath(url)
  if (!maps.has(file)) maps.set(file, readMap(`${file}.map`))
  const entry = maps.get(file)?.findEntry(lineNumber, columnNumber)
  const place = entry?.originalSource
    ? `${entry.originalSource.replace(/^(?:\.\.\/)+/, '')}:${entry.originalLine + 1}`
    : `${relative(root, file)}:${lineNumber + 1}`
  return `${name} ${place}`
}

const readMap = (file) => (existsSync(file) ? new SourceMap(JSON.parse(readFileSync(file, 'utf8'))) : undefined)
