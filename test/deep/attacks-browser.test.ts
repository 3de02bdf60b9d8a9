// Attacks 146 and 152 in a real browser: a theme's script on the front page, with the cookies of the owner, who is signed in. It gets no byte of the
// admin and no hold on a window with it. An app's pop-up on the consent page still ends as the app expects.

import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import type { Browser, BrowserContext } from 'playwright-core'
import { noBrowser, openBrowser, openContext, signInThere } from '../admin/chromium.ts'
import { authorizeUrl, register } from '../doors/oauth/flow.ts'
import { ownersPassword } from '../admin/visitor.ts'
import { openSite, type TestSite } from '../site.ts'

let browser: Browser
let site: TestSite
/** Another site: the attacker's, and that of an app. */
let other: Server
let elsewhere: string
let context: BrowserContext
let consent: string

before(async () => {
  if (noBrowser !== false) return
  browser = await openBrowser()
  site = await openSite()
  other = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
    const to = searchParams.get('to') ?? ''
    if (pathname === '/go') response.writeHead(302, { location: to }).end()
    else response.writeHead(200, { 'content-type': 'text/html' }).end(pagesElsewhere[pathname]?.(to) ?? '')
  })
  await new Promise<void>((resolve) => other.listen(0, 'localhost', resolve))
  elsewhere = `http://localhost:${(other.address() as AddressInfo).port}`
  await site.call('SVC_Themes.create', { slug: 'hostile', from: 'default' })
  await site.call('SVC_Themes.write', { id: 'hostile', file: 'assets/attack.js', text: script })
  const file = 'partials/footer.liquid'
  await site.call('SVC_Themes.write', { id: 'hostile', file, text: `<script src="{{ 'attack.js' | asset }}"></script>` })
  await site.call('SVC_Themes.activate', { id: 'hostile' })
  const clientId = await register(site, { redirect_uris: [`${elsewhere}/callback`] })
  consent = authorizeUrl(site.base, clientId, { redirect_uri: `${elsewhere}/callback` }).href
  context = await openContext(browser, {})
  await signInThere(await context.newPage(), site)
})
after(async () => {
  if (noBrowser !== false) return
  await browser.close()
  other.close()
  await site[Symbol.asyncDispose]()
})

const pagesElsewhere: Readonly<Record<string, (to: string) => string>> = {
  // Opens the consent page, and gives way to the public page, which looks for the window by its name.
  '/relay': (to) =>
    `<title>relay</title><script>open(${JSON.stringify(to)}, 'held'); setTimeout(() => location.assign(name), 1500)</script>`,
  '/app': (to) =>
    `<title>app</title><button onclick='window.open(${JSON.stringify(to)})'>Connect</button>
     <script>addEventListener('message', ({ data }) => { document.title = 'got ' + data })</script>`,
  '/callback': () =>
    `<script>opener.postMessage(new URL(location.href).searchParams.has('code') ? 'a code' : 'none', '*'); close()</script>`,
}

/** Runs in the browser as a file of the theme: `attack(name, about)` tries one way, and answers what it got. */
const script = `
const rest = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
const wait = async (look) => { for (let n = 0; n < 100; n++) { const seen = look(); if (seen !== undefined) return seen; await rest(100) } return 'nothing' }
const textOf = (page) => page?.documentElement?.outerHTML ?? 'nothing'
const element = (tag, attributes) => {
  const made = Object.assign(document.createElement(tag), attributes)
  const done = new Promise((resolve) => { made.onload = () => resolve('load'); made.onerror = () => resolve('error'); setTimeout(() => resolve('nothing'), 3000) })
  document.body.append(made)
  return done.then((how) => { try { return how + ' ' + textOf(made.contentDocument) } catch (error) { return how + ' ' + error.name } })
}
const read = async (path, options) => { const answer = await fetch(path, options); return answer.status + ' ' + (await answer.text()) }
/** A window may have left us at once, or as soon as it has the page. */
const held = async (opened) => {
  if (!opened) return 'no window'
  await wait(() => (opened.closed ? true : undefined))
  try { return opened.closed + ' ' + textOf(opened.document) } catch (error) { return opened.closed + ' ' + error.name }
}
const blobOf = (source) => URL.createObjectURL(new Blob(['<title>blob</title><script src="' + source + '"></scr' + 'ipt>'], { type: 'text/html' }))
const ways = {
  fetch: ({ path }) => read(path, {}),
  'fetch as a page': ({ path }) => read(path, { headers: { accept: 'text/html', 'sec-fetch-dest': 'document' } }),
  'fetch no-cors': ({ path }) => read(path, { mode: 'no-cors' }),
  'fetch from a cache': ({ path }) => read(path, { cache: 'force-cache' }),
  'fetch a form': ({ path }) => read(path, { method: 'POST', body: new URLSearchParams({ do: 'save' }) }),
  'fetch after prefetch': async ({ path }) => { await element('link', { rel: 'prefetch', href: path }); return read(path, { cache: 'force-cache' }) },
  request: ({ path }) => new Promise((resolve) => { const one = new XMLHttpRequest(); one.onloadend = () => resolve(one.status + ' ' + one.responseText); one.open('GET', path); one.send() }),
  frame: ({ path }) => element('iframe', { src: path }),
  object: ({ path }) => element('object', { data: path }),
  embed: ({ path }) => element('embed', { src: path }),
  script: ({ path }) => element('script', { src: path }),
  image: ({ path }) => element('img', { src: path }),
  style: ({ path }) => element('link', { rel: 'stylesheet', href: path }),
  worker: ({ path }) => new Promise((resolve) => { const one = new Worker(path); one.onerror = () => resolve('error'); one.onmessage = () => resolve('message'); setTimeout(() => resolve('nothing'), 2000) }),
  window: async ({ path }) => held(open(path)),
  'window that was blank': async ({ path }) => { const opened = open('about:blank'); opened.location = path; return held(opened) },
  'window by way of another site': async ({ path, elsewhere }) => held(open(elsewhere + '/go?to=' + encodeURIComponent(new URL(path, location.href)))),
  'window of a frame': async ({ path }) => { const frame = document.createElement('iframe'); document.body.append(frame); return held(frame.contentWindow.open(path)) },
  'window of a blob': async ({ path }) => {
    const channel = new BroadcastChannel('blob')
    const said = new Promise((resolve) => { channel.onmessage = ({ data }) => resolve(data); setTimeout(() => resolve('nothing'), 15000) })
    localStorage.setItem('path', new URL(path, location.href).href)
    open(blobOf(document.currentScriptUrl))
    return said
  },
}
document.currentScriptUrl = document.currentScript.src
globalThis.attack = async (name, about) => { try { return String(await ways[name](about)) } catch (error) { return 'failed ' + error } }
globalThis.ways = Object.keys(ways)
globalThis.serviceWorker = () => navigator.serviceWorker.register(document.currentScriptUrl).then(() => 'registered', (error) => 'failed ' + error)
if (location.protocol === 'blob:') held(open(localStorage.getItem('path'))).then((seen) => new BroadcastChannel('blob').postMessage(seen))
`

interface Attacker {
  attack(name: string, about: { path: string; elsewhere: string }): Promise<string>
  serviceWorker(): Promise<string>
  readonly ways: readonly string[]
}

/** Words of the pages that are attacked, and of their forms. */
const secret = /csrf|Site title|The connection lasts|Sign out/

test('attack 152: a theme’s script gets no page of the admin and no hold on a window with one', { skip: noBrowser }, async () => {
  const page = await context.newPage()
  await page.goto(site.base)
  const ways = await page.evaluate(() => (globalThis as unknown as Attacker).ways)
  assert.ok(ways.length > 15)
  // The pages are there for the owner.
  const own = await context.newPage()
  for (const path of ['/admin/settings', consent]) {
    await own.goto(new URL(path, site.base).href)
    assert.match(await own.content(), secret)
  }
  await own.close()
  for (const path of ['/admin/settings', consent])
    for (const way of ways) {
      const about = { path, elsewhere }
      const got = await page.evaluate(([name, more]) => (globalThis as unknown as Attacker).attack(name, more), [
        way,
        about,
      ] as const)
      assert.doesNotMatch(got, secret, `${way} ${path}`)
      if (way.startsWith('fetch') || way === 'request') assert.match(got, /^403 /, `${way} ${path}`)
      if (way.startsWith('window')) assert.match(got, /^true (?:SecurityError|nothing)/, `${way} ${path}`)
      for (const opened of context.pages()) if (opened !== page) await opened.close()
    }
  for (const path of ['/admin/content/links?q=a', '/admin/connect/arrivals?since=1']) {
    const got = await page.evaluate(
      (one) => (globalThis as unknown as Attacker).attack('fetch', { path: one, elsewhere: '' }),
      path,
    )
    assert.match(got, /^403 /)
  }
  assert.match(await page.evaluate(() => (globalThis as unknown as Attacker).serviceWorker()), /^failed/)
  assert.deepEqual((await site.call('SVC_Apps.list')).items, [], 'nobody pressed the button')
  await page.close()
})

test('attack 152: a window that another site opened is not found by its name either', { skip: noBrowser }, async () => {
  const page = await context.newPage()
  await page.goto(elsewhere)
  await page.evaluate(`window.name = ${JSON.stringify(site.base)}`)
  await page.goto(`${elsewhere}/relay?to=${encodeURIComponent(consent)}`)
  await page.waitForURL(`${site.base}/`)
  const found: string = await page.evaluate("window.open('', 'held')?.document.documentElement.outerHTML ?? ''")
  assert.doesNotMatch(found, secret)
  for (const one of context.pages()) if (one !== page) await one.close()
  await page.close()
})

for (const signedIn of [true, false])
  test(`an app’s pop-up ends as the app expects${signedIn ? '' : ', after a sign-in in it'}`, { skip: noBrowser }, async () => {
    const own = signedIn ? context : await openContext(browser, {})
    const page = await own.newPage()
    await page.goto(`${elsewhere}/app?to=${encodeURIComponent(consent)}`)
    const opening = page.waitForEvent('popup')
    await page.getByRole('button', { name: 'Connect' }).click()
    const popUp = await opening
    if (!signedIn) {
      await popUp.getByLabel('E-mail').fill('owner@example.org')
      await popUp.getByLabel('Password').fill(ownersPassword)
      await popUp.getByRole('button', { name: 'Sign in' }).click()
    }
    const closing = popUp.waitForEvent('close')
    await popUp.getByRole('button', { name: 'Connect' }).click()
    await closing
    await page.waitForFunction("document.title === 'got a code'")
    if (!signedIn) await own.close()
    else await page.close()
  })
