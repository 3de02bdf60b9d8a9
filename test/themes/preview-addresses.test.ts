// Every address that a page of a theme's preview refers to answers: pictures in all their sizes, style sheets, feeds, lists, authors and the search.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import sharp from 'sharp'
import { isDeep } from '../deep-run.ts'
import { openSite, type TestSite } from '../site.ts'
import { until } from '../until.ts'
import { themeIds } from './render-theme.ts'

/** A site with a thing of each kind that themes show. */
async function fill(site: TestSite): Promise<void> {
  const photo = await sharp({ create: { width: 900, height: 600, channels: 3, background: 'teal' } })
    .jpeg()
    .toBuffer()
  const upload = { base64: photo.toString('base64'), filename: 'team.jpg', alt: 'A team' }
  const { item: picture } = await site.call('SVC_Media.upload', { arguments: upload })
  await until(
    'the sizes of the picture',
    async () => (await site.call('SVC_Media.get', { id: picture.id })).item.variants?.length > 0,
  )
  const { items } = await site.call('SVC_Accounts.list', {})
  await site.call('SVC_Accounts.update', { id: items[0].id, public: true, slug: 'owner', bio: 'Bakes.', picture: picture.path })
  await site.call('SVC_Settings.update', { set: { logo: picture.path } })
  await site.call('SVC_Terms.create', { taxonomy: 'tag', name: 'Bread' })
  const body = `![Us](${picture.path})`
  await site.call('SVC_Content.create', { type: 'page', title: 'About', status: 'published', body, cover: picture.path })
  for (let place = 0; place < 25; place++)
    await site.call('SVC_Content.create', {
      type: 'post',
      title: `Loaf ${place}`,
      status: 'published',
      author: items[0].id,
      ...(place === 24 && { body, cover: picture.path, terms: ['tag/bread'] }),
    })
}

const named = /\s(?:href|src|srcset|action|poster|content(?=="https?:))="([^"]+)"/g

/** The addresses below a prefix that a page or style sheet refers to. */
function referred(text: string, prefix: string, from: string): readonly string[] {
  const listed = [...text.matchAll(named)].flatMap(([, value = '']) => value.replaceAll('&amp;', '&').split(', '))
  const inStyles = [...text.matchAll(/url\(["']?([^"')]+)/g)].map(([, value = '']) => value)
  return [...listed, ...inStyles]
    .map((value) => URL.parse(value.split(' ')[0] ?? '', from)?.href.split('#')[0] ?? '')
    .filter((address) => address.startsWith(prefix))
}

for (const basePath of isDeep ? ['', '/blog'] : ['/blog'])
  test(`each address of a preview answers${basePath && ', below a base path too'}`, async () => {
    await using site = await openSite(basePath === '' ? {} : { basePath })
    await fill(site)
    const kinds = new Set<string>()
    const asked = new Set<string>()
    for (const id of themeIds) {
      const { url } = await site.call('SVC_Themes.preview', { id })
      const start = String(url).replace(/\/$/, '')
      const waiting = new Set([`${start}/`, `${start}/search?q=loaf`, `${start}/nowhere`])
      for (const address of waiting) {
        const answer = await fetch(address)
        const type = answer.headers.get('content-type') ?? ''
        const text = /html|css/.test(type) ? await answer.text() : void (await answer.arrayBuffer())
        assert.equal(answer.status, address.endsWith('/nowhere') ? 404 : 200, `${id}: ${address.slice(start.length)}`)
        kinds.add(`${type.split(';')[0]} ${address.slice(start.length).split('/')[1]?.split('?')[0]}`)
        for (const next of text === undefined ? [] : referred(text, start, address)) waiting.add(next)
      }
      for (const address of waiting) asked.add(address)
    }
    for (const kind of ['image/webp media', 'text/css assets', 'text/html search', 'text/html author', 'text/html tag'])
      assert.ok(kinds.has(kind), `themes refer to ${kind}: ${[...kinds].join(', ')}`)
    assert.ok(
      [...asked].some((address) => address.includes('/page/2')),
      'lists have a second page',
    )
    assert.ok(
      [...asked].some((address) => address.endsWith('/feed.xml')),
      'feeds are asked for',
    )
  })
