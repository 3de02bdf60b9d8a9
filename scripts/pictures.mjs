// Takes the pictures of README.md and src/docs/pictures/ of a site that scripts/example-site.mjs filled:
// `node scripts/pictures.mjs BASE TOKEN EMAIL PASSWORD [NAME…]`, such as `admin-editor`. It switches the theme of the site.

import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'
import sharp from 'sharp'

const [base, token, email, password, ...names] = process.argv.slice(2)
if (!base || !token || !email || !password) throw new Error('Usage: node scripts/pictures.mjs BASE TOKEN EMAIL PASSWORD')

const folder = fileURLToPath(new URL('../src/docs/pictures', import.meta.url))
const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium'

/** Themes, each with the page that shows it best. */
const themes = [
  ['default', '/'],
  ['business', '/'],
  ['documentation', '/walks/the-ridge'],
  ['magazine', '/'],
  ['portfolio', '/'],
  ['restaurant', '/mill-kitchen'],
]

/** Names of pictures, each with its page. */
const adminPages = [
  ['home', '/admin/'],
  ['content', '/admin/content'],
  ['editor', '/admin/content/edit?id=/mill-kitchen'],
  ['media', '/admin/media'],
  ['theme', '/admin/themes/edit?id=default'],
  ['activity', '/admin/activity'],
  ['approvals', '/admin/approvals'],
  ['connect', '/admin/connect'],
]

/** True for a picture that was asked for by its name, or if none was. */
const isAsked = (name) => names.length === 0 || names.includes(name)

const sizes = { desktop: { width: 1280, height: 844 }, phone: { width: 390, height: 844 } }
const gap = 24

async function call(name, input) {
  const [className, action] = name.split('.')
  const answer = await fetch(`${base}/api/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ class: className, action, ...input }),
  })
  const { error } = await answer.json()
  if (error) throw new Error(`${name}: ${error.message}`)
}

async function screen(browser, path, viewport, colorScheme, signsIn) {
  const context = await browser.newContext({ viewport, colorScheme, locale: 'en' })
  context.setDefaultTimeout(120_000)
  const page = await context.newPage()
  if (signsIn) {
    await page.goto(`${base}/admin/sign-in`)
    await page.getByLabel('E-mail').fill(email)
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Sign in' }).click()
  }
  await page.goto(base + path, { waitUntil: 'networkidle' })
  // The editor draws a text while nothing else is to be done.
  await page.waitForTimeout(4000)
  const picture = await page.screenshot()
  await context.close()
  return picture
}

/** Desktop and phone next to each other, in the light scheme above and in the dark scheme below. */
async function fourViews(browser, name, path, signsIn = false) {
  const parts = []
  for (const [row, scheme] of ['light', 'dark'].entries())
    for (const [size, left] of [
      ['desktop', gap],
      ['phone', sizes.desktop.width + 2 * gap],
    ])
      parts.push({
        input: await screen(browser, path, sizes[size], scheme, signsIn),
        left,
        top: gap + row * (sizes.phone.height + gap),
      })
  const width = sizes.desktop.width + sizes.phone.width + 3 * gap
  const height = 2 * sizes.phone.height + 3 * gap
  const whole = await sharp({ create: { width, height, channels: 3, background: '#8a8f98' } })
    .composite(parts)
    .png()
    .toBuffer()
  await sharp(whole)
    .resize(1280)
    .webp({ quality: 82 })
    .toFile(join(folder, `${name}.webp`))
}

const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
try {
  for (const [theme, path] of themes.filter(([name]) => isAsked(`theme-${name}`))) {
    await call('SVC_Themes.activate', { id: theme })
    await fourViews(browser, `theme-${theme}`, path)
  }
  await call('SVC_Themes.activate', { id: 'default' })
  for (const [name, path] of adminPages.filter(([one]) => isAsked(`admin-${one}`)))
    await fourViews(browser, `admin-${name}`, path, true)
} finally {
  await browser.close()
}
