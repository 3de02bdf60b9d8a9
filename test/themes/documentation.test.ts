// The theme for documentation on a site: its tree of pages stays when the owner makes a main menu, which stands in the header.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openSite, type TestSite } from '../site.ts'

let site: TestSite
before(async () => {
  site = await openSite()
  await site.call('SVC_Themes.activate', { id: 'documentation' })
  const create = (title: string, more = {}) =>
    site.call('SVC_Content.create', { type: 'page', title, status: 'published', body: 'Words.', ...more })
  await create('Guide')
  await create('Install', { parent: '/guide' })
})
after(() => site[Symbol.asyncDispose]())

/** The addresses in the navigations of the page with a class, without the base. */
async function linksOf(name: string): Promise<readonly string[]> {
  const html = await (await fetch(`${site.base}/guide/install`)).text()
  const nav = new RegExp(`<nav class="${name}"[^]*?</nav>`).exec(html)?.[0] ?? ''
  return [...nav.matchAll(/href="([^"]*)"/g)].map(([, url = '']) => url.replace(site.base, ''))
}

test('without a menu the tree has the pages, and the header does not repeat them', async () => {
  assert.deepEqual(await linksOf('tree'), ['/guide', '/guide/install'])
  assert.deepEqual(await linksOf('links'), [])
})

test('a main menu stands in the header, and the tree stays; a menu for the tree takes its place', async () => {
  const items = [{ label: 'Shop', url: '/shop', items: [{ label: 'Books', url: '/shop/books' }] }]
  await site.call('SVC_Menus.create', { slug: 'main', name: 'Main', location: 'main', items })
  assert.deepEqual(await linksOf('tree'), ['/guide', '/guide/install'])
  assert.deepEqual(await linksOf('links'), ['/shop', '/shop/books'])
  await site.call('SVC_Menus.create', { slug: 'tree', name: 'Tree', location: 'tree', items: [{ entry: '/guide/install' }] })
  assert.deepEqual(await linksOf('tree'), ['/guide/install'])
  assert.deepEqual(await linksOf('links'), ['/shop', '/shop/books'])
})

test('editions are a switch in the header that names the one with the page, and without two of them there is none', async () => {
  const header = async (path: string): Promise<string> => {
    const html = await (await fetch(site.base + path)).text()
    return /<nav class="languages editions"[^]*?<\/nav>/.exec(html)?.[0] ?? ''
  }
  assert.equal(await header('/guide/install'), '')
  const items = [{ label: '2.0', entry: '/guide' }]
  const { item } = await site.call('SVC_Menus.create', { slug: 'editions', name: 'Editions', location: 'editions', items })
  assert.equal(await header('/guide/install'), '', 'one edition is no choice')
  await site.call('SVC_Content.create', { type: 'page', title: 'Old', status: 'published', body: 'Words.' })
  await site.call('SVC_Menus.update', { id: item.id, items: [...items, { label: '1.4', entry: '/old' }] })
  assert.match(await header('/guide/install'), /<summary>2\.0<\/summary>[^]*\/guide" aria-current="true">2\.0<[^]*\/old">1\.4</)
  assert.match(await header('/old'), /<summary>1\.4<\/summary>[^]*\/old" aria-current="page">1\.4</)
  assert.match(await header('/'), /<summary>Edition<\/summary>/)
})
