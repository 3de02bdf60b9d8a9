// Sites that the tests of a file share: one for each kind, opened when the first test asks, gone after the last.

import { after } from 'node:test'
import { openSite, type SiteOptions, type TestSite } from './site.ts'

/**
 * Gives the site of these options. What a test leaves on it is there for those that follow.
 * @param prepare what each is furnished with, once
 */
export function shareSites(prepare?: (site: TestSite) => Promise<void>): (options?: SiteOptions) => Promise<TestSite> {
  const sites = new Map<string, Promise<TestSite>>()
  const open = async (options: SiteOptions): Promise<TestSite> => {
    const site = await openSite(options)
    await prepare?.(site)
    return site
  }
  after(async () => {
    for (const site of sites.values()) await (await site)[Symbol.asyncDispose]()
  })
  return (options = {}) => {
    const kind = JSON.stringify(options)
    const site = sites.get(kind) ?? open(options)
    sites.set(kind, site)
    return site
  }
}
