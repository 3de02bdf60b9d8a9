// Plugins on a site under test: a folder of `test/fixtures/plugins/`, zipped, installed and activated as an owner would by `/api/`.

import { readdirSync, readFileSync } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import { join } from 'node:path'
import yazl from 'yazl'
import { root, type TestSite } from './site.ts'

export const fixtureFolder = (name: string): string => join(root, 'test', 'fixtures', 'plugins', name)

/** A folder as a zip. */
export async function zipOf(folder: string): Promise<Buffer> {
  const zip = new yazl.ZipFile()
  const names = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile())
  for (const one of names) {
    const path = join(one.parentPath, one.name)
    zip.addBuffer(readFileSync(path), path.slice(folder.length + 1))
  }
  zip.end()
  return buffer(zip.outputStream)
}

/** Installs fixture plugins and activates them with the rights that they ask for. */
export async function addPlugins(site: TestSite, ...names: readonly string[]): Promise<void> {
  for (const name of names) {
    const base64 = (await zipOf(fixtureFolder(name))).toString('base64')
    const { item } = await site.call('SVC_Plugins.install', { base64 })
    await site.call('SVC_Plugins.activate', { id: name, may: item.may.map((one: { right: string }) => one.right) })
  }
}

/** Waits until something is so, ten seconds at most. */
export async function until(what: string, isSo: () => Promise<boolean> | boolean): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    if (await isSo()) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`Waited in vain: ${what}`)
}

/** The processes that a service has started, by what they run. */
export function childrenOf(pid: number): readonly string[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim()
  return children === ''
    ? []
    : children
        .split(' ')
        .map((child) => commandOf(child))
        .filter((command) => command !== '')
}

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()
  } catch {
    return '' // It ended meanwhile.
  }
}
