// Stacks of bundles in terms of the sources. Node's own --enable-source-maps reads the map of each bundle in each process, even
// if nothing fails.

import { existsSync, readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { fileURLToPath } from 'node:url'

const maps = new Map()

/** @returns the stack of an error, with the places in bundles replaced by those in the sources */
export function sourceStack(stack) {
  return stack.replaceAll(/((?:file:\/\/)?\/[^\s():]+\.js):(\d+):(\d+)/g, (whole, bundle, line, column) => {
    const file = bundle.startsWith('file:') ? fileURLToPath(bundle) : bundle
    const found = mapOf(file)?.findEntry(Number(line) - 1, Number(column) - 1)
    return found?.originalSource
      ? `${fileURLToPath(found.originalSource)}:${found.originalLine + 1}:${found.originalColumn + 1}`
      : whole
  })
}

function mapOf(file) {
  if (!maps.has(file)) maps.set(file, readMap(file))
  return maps.get(file)
}

/** The map next to a bundle, with the URLs of its sources; undefined for any other file. */
function readMap(file) {
  const beside = `${file}.map`
  if (!existsSync(beside)) return undefined
  const map = JSON.parse(readFileSync(beside, 'utf8'))
  return new SourceMap({ ...map, sources: map.sources.map((source) => String(new URL(source, `file://${file}`))) })
}
