// What the tests of plugins' actions share: one site for a file, packages in a call, and none left after each test.

import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { zipOfFixture } from './packages.ts'
import type { Answer, TestSite } from './site.ts'

type Input = Readonly<Record<string, unknown>>
type Zip = Uint8Array | Promise<Uint8Array>

export const base64 = (zip: Uint8Array): string => Buffer.from(zip).toString('base64')

/** The rights of the fixture `useful`. */
export const usefulRights = ['call:SVC_Content.*']

/** The actions of plugins on a site. */
export function pluginCalls(site: () => TestSite) {
  const send = async (action: string, zip: Zip, more: Input): Promise<Answer> =>
    site().api(action, { base64: base64(await zip), ...more })
  const pluginsFolder = () => join(site().home, 'user-content', 'plugins')
  return {
    pluginsFolder,
    /** What lies in the folder of plugins, hidden ones too. */
    placed: () => readdir(pluginsFolder()),
    install: (zip: Zip, more: Input = {}) => send('SVC_Plugins.install', zip, more),
    update: (zip: Zip, more: Input = {}) => send('SVC_Plugins.update', zip, more),
    get: async (id: string) => (await site().call('SVC_Plugins.get', { id })).item,
    activateUseful: () => site().call('SVC_Plugins.activate', { id: 'useful', may: usefulRights }),
    async installUseful() {
      const answer = await send('SVC_Plugins.install', zipOfFixture('useful'), {})
      assert.equal(answer.status, 200, answer.text)
      return answer.json.data
    },
    async deleteAll() {
      const { items } = await site().call('SVC_Plugins.list')
      for (const { id, bundled } of items as { id: string; bundled: boolean }[])
        if (!bundled) await site().call('SVC_Plugins.delete', { id, expect: 1 })
      await site().api('SVC_Plugins.deactivate', { id: 'legacy-bridge' })
    },
  }
}
