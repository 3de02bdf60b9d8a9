// Pages for people and connections in a real browser, folded and unfolded, on a phone and a desktop: axe finds nothing, and none is wider than its window.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { holdAccessible, noBrowser, openBrowser, openContext } from '../admin/chromium.ts'
import { openVisitor, ownersPassword } from '../admin/visitor.ts'
import { authorizeUrl, exchangeForm, makeProof, postForm, register } from '../doors/oauth/flow.ts'
import { openSite } from '../site.ts'

test('the pages for people and connections fit and are accessible, folded and unfolded', { skip: noBrowser }, async () => {
  await using site = await openSite()
  const owner = openVisitor(site)
  await owner.signIn()
  const id = await register(site, { client_name: 'Claude' })
  const { verifier, challenge } = makeProof()
  const asked = await owner.open(authorizeUrl(site.base, id, { code_challenge: challenge }).href)
  const { location } = await owner.submit(asked.form('/oauth/consent'), { answer: 'allow', scope: 'ask' })
  await postForm(site, '/oauth/token', exchangeForm(new URL(location).searchParams.get('code') ?? '', id, verifier))
  const { item } = await site.call('SVC_Accounts.create', { email: 'bob@example.org', name: 'Bob', role: 'contributor' })
  const [app] = (await site.call('SVC_Apps.list', {})).items
  const [token] = (await site.call('SVC_Tokens.list', {})).items
  const browser = await openBrowser()
  const wrong: string[] = []
  try {
    const base = site.base.replace('127.0.0.1', 'localhost')
    for (const width of [390, 1280]) {
      const context = await openContext(browser, { viewport: { width, height: 844 }, colorScheme: 'dark' })
      const page = await context.newPage()
      await page.goto(`${base}/admin/sign-in`)
      await page.getByLabel('E-mail').fill('owner@example.org')
      await page.getByLabel('Password').fill(ownersPassword)
      await page.getByRole('button', { name: 'Sign in' }).click()
      for (const path of [
        'account',
        'account/authenticator',
        'account/confirm',
        'people',
        `people/person?id=${item.id}`,
        'connect',
        'apps',
        `apps/app?id=${app.id}`,
        'tokens',
        `tokens/token?id=${token.id}`,
      ]) {
        await page.goto(`${base}/admin/${path}`)
        await holdAccessible(page, path).catch((error: unknown) => wrong.push(`${width} ${path}: ${String(error).slice(0, 700)}`))
        await page.evaluate("for (const d of document.querySelectorAll('main details')) d.open = true")
        await holdAccessible(page, path).catch((error: unknown) =>
          wrong.push(`${width} ${path} open: ${String(error).slice(0, 700)}`),
        )
      }
      await context.close()
    }
  } finally {
    await browser.close()
  }
  assert.deepEqual(wrong, [])
})
