import { test } from 'node:test'
import { openSite } from './site.ts'
import { openBrowser, openContext, desktop, phone, signInThere } from './admin/chromium.ts'
test('look', async () => {
  await using site = await openSite()
  await site.call('SVC_Types.create', { slug: 'event', name: 'Events', feed: true,
    fields: [ { name: 'starts', kind: 'datetime', label: 'Starts' }, { name: 'place', kind: 'text', label: 'Place' }, {name:'free',kind:'boolean',label:'Free entry'}, {name:'genre',kind:'choice',options:['Jazz','Folk'],many:true,label:'Genre'} ],
    list: { sort: 'starts', hide_past: 'starts', shows: ['starts', 'place', 'genre'] } })
  for (const n of [1,2,3,4]) await site.call('SVC_Content.create', { type: 'event', title: `Evening of music ${n}`, body: 'A long evening with guests from near and far, until the lights go out.', status: 'published', fields: { starts: `2099-01-0${n}T20:00`, place: n % 2 ? 'Harbour hall, old side' : 'Mill', free: true, genre: ['Jazz', 'Folk'] } })
  await site.call('SVC_Content.create', { type: 'page', title: 'Start', body: '::: latest {type="event"}\n## Soon\n:::', status: 'published' })
  const browser = await openBrowser()
  for (const [name, size] of [['1280', desktop], ['390', phone]] as const) for (const scheme of ['light', 'dark'] as const) {
    const context = await openContext(browser, { ...size, colorScheme: scheme })
    const page = await context.newPage()
    for (const path of ['/event', '/start', '/event/evening-of-music-2']) {
      await page.goto(site.base + path)
      await page.screenshot({ path: `/tmp/look/${path.replaceAll('/', '_')}-${name}-${scheme}.png`, fullPage: true })
    }
    if (scheme === 'light') {
      await signInThere(page, site)
      await page.goto(site.base + '/admin/types/edit?id=event')
      await page.screenshot({ path: `/tmp/look/admin-${name}.png`, fullPage: true })
    }
    await context.close()
  }
  await browser.close()
})
