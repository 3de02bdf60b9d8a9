// Plugins on a site under test: fixtures installed and activated as an owner would by `/api/`, and a look at the processes they run in.

import { readFileSync } from 'node:fs'
import { zipOfFixture } from './packages.ts'
import { base64 } from './plugin-calls.ts'
import type { TestSite } from './site.ts'

export { until } from './until.ts'

/** Installs fixture plugins and activates them with the rights that they ask for. */
export async function addPlugins(site: TestSite, ...names: readonly string[]): Promise<void> {
  for (const name of names) {
    await site.call('SVC_Plugins.install', { base64: base64(await zipOfFixture(name)) })
    await activate(site, name)
  }
}

/** Activates an installed plugin with the rights that it asks for. */
export async function activate(site: TestSite, id: string): Promise<void> {
  const { item } = await site.call('SVC_Plugins.get', { id })
  await site.call('SVC_Plugins.activate', { id, may: item.may.map((one: { right: string }) => one.right) })
}

/** The processes that a service has started: the number of each, and what it runs. */
export function childrenOf(pid: number): readonly string[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim()
  if (children === '') return []
  return children
    .split(' ')
    .map(commandOf)
    .filter((command) => command !== '')
}

function commandOf(pid: string): string {
  try {
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()
    return command === '' ? '' : `${pid} ${command}`
  } catch {
    return '' // It ended meanwhile.
  }
}
