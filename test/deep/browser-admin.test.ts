// The admin in a real browser, with script and without, on a desktop and a phone, light and dark: first visit, consent, Connected Apps,
// tokens, settings, sign-out and back in. axe finds nothing on any page, and none is wider than its window.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { holdAccessible, noBrowser, openBrowser, openContext, picture } from '../admin/chromium.ts'
import { isDeep } from '../deep-run.ts'
import { ownersPassword, setUpLinkOf } from '../admin/visitor.ts'
import { authorizeUrl, makeProof, postForm, register } from '../doors/oauth/flow.ts'
import { openSite, type TestSite } from '../site.ts'

let browser: Browser
before(async () => {
  if (noBrowser === false) browser = await openBrowser()
})
after(async () => {
  if (noBrowser === false) await browser.close()
})

const views = [
  { name: 'desktop, light, script', width: 1280, height: 900, colorScheme: 'light', javaScriptEnabled: true },
  { name: 'phone, dark, script', width: 390, height: 844, colorScheme: 'dark', javaScriptEnabled: true },
  { name: 'desktop, dark, script', width: 1280, height: 900, colorScheme: 'dark', javaScriptEnabled: true },
  { name: 'phone, light, script', width: 390, height: 844, colorScheme: 'light', javaScriptEnabled: true },
  { name: 'desktop, no script', width: 1280, height: 900, colorScheme: 'light', javaScriptEnabled: false },
  { name: 'phone, no script', width: 390, height: 844, colorScheme: 'light', javaScriptEnabled: false },
] as const
type View = (typeof views)[number]

const password = 'a horse, a battery and a staple'

/** The view in which most can go wrong; a deep run looks at all of them. What the pages do without script is asked without a browser too. */
const usual: readonly string[] = ['phone, dark, script']

for (const view of views.filter(({ name }) => isDeep || usual.includes(name))) {
  test(`a person walks through the admin: ${view.name}`, { skip: noBrowser }, async () => {
    await using site = await openSite({ bare: true })
    await using app = await listenForCode()
    const context = await contextOf(view)
    try {
      const page = await context.newPage()
      const look = (what: string) => lookAt(page, view, what)
      await setUp(page, site, look)
      await page.goto(`${site.base}/admin/tokens`)
      await look('tokens-empty')
      await makeToken(page, view, look)
      await connect(page, site, app, look)
      await changeSettings(page, site, look)
      await changePassword(page, site, look)
    } catch (error) {
      throw new Error(`${String(error)}\nThe service said: ${site.words.join('')}${site.log.join('\n')}`, { cause: error })
    } finally {
      await context.close()
    }
  })
}

test('where a browser has no clipboard for the page, the Copy button copies all the same', { skip: noBrowser }, async () => {
  await using site = await openSite()
  const context = await openContext(browser, {})
  try {
    const page = await context.newPage()
    // As on a page that came over http from another machine.
    await page.addInitScript("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    await page.goto(`${site.base}/admin/`)
    await page.getByLabel('E-mail').fill('owner@example.org')
    await page.getByLabel('Password').fill(ownersPassword)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('button', { name: 'Copy the address' }).click()
    await page.getByRole('button', { name: 'Copied the address' }).waitFor()
    await page.goto(`${site.base}/admin/tokens`)
    assert.equal(await pasted(page, 'Name'), `${site.base}/mcp/`)
  } finally {
    await context.close()
  }
})

function contextOf({ width, height, colorScheme, javaScriptEnabled }: View): Promise<BrowserContext> {
  return openContext(browser, { viewport: { width, height }, colorScheme, javaScriptEnabled, bypassCSP: false })
}

/** A picture, and where script may run what axe says. */
async function lookAt(page: Page, view: View, what: string): Promise<void> {
  await picture(page, `${view.name.replace(/[ ,]+/g, '-')}-${what}`)
  if (view.javaScriptEnabled) await holdAccessible(page, `${what}, ${view.name}`)
}

type Look = (what: string) => Promise<void>

async function setUp(page: Page, site: TestSite, look: Look): Promise<void> {
  await page.goto(`${site.base}/admin/`)
  await look('first-visit-without-code')
  await page.goto(await setUpLinkOf(site))
  await look('set-up')
  await page.getByLabel('Your name').fill('Ada Lovelace')
  await page.getByLabel('E-mail').fill('ada@example.org')
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Create account', exact: true }).click()
  await look('start')
  await page.getByRole('link', { name: 'Later' }).click()
  assert.equal(await page.getByRole('heading', { level: 1 }).textContent(), 'My site')
  await look('home')
}

async function makeToken(page: Page, view: View, look: Look): Promise<void> {
  await page.getByLabel('Name', { exact: true }).fill('Nightly export')
  await page.getByLabel('Run the whole site').check()
  await page.getByText('Limits', { exact: true }).click()
  await page.getByLabel('Calls per minute').fill('500')
  await look('token-form')
  await page.getByRole('button', { name: 'Create' }).click()
  const token = (await page.locator('.secret code').textContent()) ?? ''
  assert.match(token, /^pst_[\w-]{43}$/)
  await look('token-shown')
  if (view.javaScriptEnabled) await copyToken(page, look)
  else assert.equal(await page.getByRole('button', { name: /Copy/ }).count(), 0, 'a button that can do nothing is not there')
  await page.getByRole('link', { name: 'I have copied it' }).click()
  await look('tokens')
  if (view.javaScriptEnabled) assert.equal(await pasted(page, 'Name'), token)
}

/** By keyboard; what happened is told to screen readers too. */
async function copyToken(page: Page, look: Look): Promise<void> {
  const button = page.getByRole('button', { name: 'Copy the token' })
  await button.focus()
  await page.keyboard.press('Enter')
  await page.getByRole('status').filter({ hasText: 'Copied' }).waitFor({ state: 'attached' })
  assert.equal(await button.count(), 0, 'the button says Copied')
  assert.equal(await page.getByRole('button', { name: 'Copied the token' }).count(), 1)
  await look('token-copied')
}

async function pasted(page: Page, label: string): Promise<string> {
  const field = page.getByLabel(label, { exact: true })
  await field.fill('')
  await field.focus()
  await page.keyboard.press('Control+V')
  return field.inputValue()
}

async function connect(page: Page, site: TestSite, app: App, look: Look): Promise<void> {
  const { verifier, challenge } = makeProof()
  const id = await register(site, { redirect_uris: [app.redirectUri], client_name: 'Claude' })
  const asked = authorizeUrl(site.base, id, { redirect_uri: app.redirectUri, code_challenge: challenge })
  await page.goto(`${site.base}/admin/`)
  // On a phone it is in the menu.
  const menu = page.getByRole('button', { name: 'Menu' })
  if (await menu.isVisible()) await menu.click()
  await look('menu')
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.goto(asked.href)
  await look('sign-in-for-app')
  await page.getByLabel('E-mail').fill('ada@example.org')
  await page.getByLabel('Password').fill('not that one')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await look('sign-in-wrong')
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await look('consent')
  const [host, name] = await Promise.all([sizeOf(page, '.consent h1 strong'), sizeOf(page, '.consent bdi')])
  assert.ok(host > name, `the host has ${host}px, the name ${name}px`)
  await page.getByLabel('Read and write').check()
  await page.getByRole('button', { name: 'Connect' }).click()
  const code = (await app.arrived).get('code') ?? ''
  assert.equal(new URL(page.url()).origin, new URL(app.redirectUri).origin, 'the policy let the browser go to the app')
  const form = { grant_type: 'authorization_code', code, client_id: id, redirect_uri: app.redirectUri, code_verifier: verifier }
  const issued = await postForm(site, '/oauth/token', form)
  assert.equal(issued.status, 200, issued.text)
  const made = await site.call(
    'SVC_Content.create',
    { type: 'page', title: 'By the app', status: 'published' },
    { token: issued.json.access_token },
  )
  assert.ok(made.item.id)
  await page.goto(`${site.base}/admin/apps`)
  await look('apps')
  await page.getByText('Remove Claude…').click()
  await page.getByRole('button', { name: 'Remove Claude' }).click()
  await look('apps-removed')
  assert.equal((await site.api('SVC_API.welcome', {}, { token: issued.json.access_token })).json.data.you.token, null)
}

/** Computed, so that it holds without script in the page too. */
async function sizeOf(page: Page, selector: string): Promise<number> {
  const box = await page.locator(selector).boundingBox()
  const lines = await page.locator(selector).count()
  return (box?.height ?? 0) / lines
}

async function changeSettings(page: Page, site: TestSite, look: Look): Promise<void> {
  await page.goto(`${site.base}/admin/settings`)
  await look('settings')
  await page.getByLabel('Name', { exact: true }).fill('The Corner Shop')
  await page.getByLabel('Time Zone').selectOption('Europe/Berlin')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved.').waitFor()
  await page.getByRole('link', { name: 'Writing and reading' }).click()
  await page.getByLabel('Posts per page').fill('0')
  await page.getByRole('button', { name: 'Save' }).click()
  await look('settings-fault')
  await page.getByLabel('Posts per page').fill('12')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved.').waitFor()
  await page.goto(`${site.base}/admin/`)
  assert.match((await page.locator('time').first().getAttribute('title')) ?? '', /CET|CEST|GMT\+[12]/)
  await look('home-busy')
}

async function changePassword(page: Page, site: TestSite, look: Look): Promise<void> {
  await page.goto(`${site.base}/admin/account`)
  await page.getByLabel('Current password').fill('wrong wrong wrong')
  await page.getByLabel('New password').fill('another good password')
  await page.getByRole('button', { name: 'Change password' }).click()
  await look('password-wrong')
  await page.getByLabel('Current password').fill(password)
  await page.getByLabel('New password').fill('another good password')
  await page.getByRole('button', { name: 'Change password' }).click()
  await page.getByText('Your password was changed').waitFor()
  await look('account')
  await page.goto(`${site.base}/admin/nothing-here`)
  await look('missing')
}

interface App extends AsyncDisposable {
  readonly redirectUri: string
  /** The query with which the browser came back. */
  readonly arrived: Promise<URLSearchParams>
}

/** The app's own address, where the browser is sent with the code. */
async function listenForCode(): Promise<App> {
  const server = createServer()
  const arrived = new Promise<URLSearchParams>((resolve) => {
    server.on('request', (request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
      if (pathname === '/callback') resolve(searchParams)
      response.end('You can close this window.')
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    redirectUri: `http://localhost:${(server.address() as AddressInfo).port}/callback`,
    arrived,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}
