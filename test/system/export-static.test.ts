// A static site: every page a visitor can reach, served by a real nginx that knows nothing of Postern.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { execFile, spawn } from 'node:child_process'
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { freePort } from '../free-port.ts'
import { openSite, type TestSite } from '../site.ts'
import { noBrowser, openBrowser } from '../admin/chromium.ts'
import { deepTest } from '../deep-run.ts'
import { needTool } from '../tools.ts'
import { until } from '../until.ts'

let site: TestSite
let folder: string
before(async () => {
  site = await openSite()
  folder = await mkdtemp(join(tmpdir(), 'postern-static-'))
  const create = (input: Record<string, unknown>) => site.call('SVC_Content.create', { status: 'published', ...input })
  await create({
    type: 'page',
    title: 'About "us"',
    slug: 'about',
    body: 'We bake.\n\n[Team](/about/team), [nothing](/nowhere), [a list](https://other.example/list?page=2) and [older posts](/?page=2#bread)\n\n[Straße](/straße/) and [Team](/about/people/)',
  })
  await create({ type: 'page', title: 'Team', parent: '/about', body: 'Anna & Bert' })
  await create({ type: 'page', title: 'Search', parent: '/about', slug: 'search', body: 'Anna & Bert search for rye' })
  await site.call('SVC_Settings.update', { set: { languages: ['de'] } })
  await create({ type: 'page', title: 'Über uns', locale: 'de', slug: 'team', body: 'Anna & Bert backen' })
  await create({ type: 'page', title: 'Waits', status: 'draft', body: 'A secret of ours' })
  await create({ type: 'page', title: 'Shop', body: 'Closed' })
  await create({ type: 'page', title: 'Now', parent: '/shop', body: 'Open now' })
  for (let number = 1; number <= 12; number += 1) await create({ type: 'post', title: `Post ${number}`, body: `Bread ${number}` })
  await site.call('SVC_Content.update', { id: '/about/team', slug: 'people' })
  await site.call('SVC_Redirects.put-old', {
    rows: [
      { site: 'https://old.example', kind: 'path', old: '/2019/05/menschen & mehr/', to: '/about/people' },
      { site: 'https://old.example', kind: 'path', old: '/100%/', to: '/about/people' },
      { site: 'https://old.example', kind: 'item', old: '5', to: '/about/people' },
    ],
  })
  await site.call('SVC_Redirects.put-many', {
    rules: [
      { from: '/old', to: '/about/team' },
      { from: '/shop/*', to: '/about/*' },
      { from: '/gone', to: null },
      { from: '/straße', to: '/über' },
      { from: '/über', to: '/about' },
      { from: '/index.php?page=about', to: '/about' },
      { from: '/price', to: 'https://example.com/?a=$5"' },
      { from: '/part', to: 'https://example.com/a%2Fb?c=ä' },
    ],
  })
})
after(async () => {
  await site[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

const out = () => join(folder, 'out')
const exported = () => site.postern(['export', '--format', 'static', '--base-url', 'https://static.example/', '--json', out()])

test('a static site has each public page, its lists to the end, and nothing that is not public', async () => {
  const { code, stdout, stderr } = await exported()
  assert.equal(code, 0, stderr)
  const { written } = JSON.parse(stdout)
  const pages = ['index.html', 'about/index.html', 'about/people/index.html', 'about/search/index.html', 'page/2/index.html']
  for (const name of [...pages, 'feed.xml', 'search/index.html', 'de/search/index.html', '404.html'])
    assert.ok(written.includes(name), `${name} is not among ${written.join(', ')}`)
  const texts = await Promise.all(written.map((name: string) => readFile(join(out(), name), 'utf8')))
  assert.ok(!texts.join('\n').includes('A secret of ours'))
  assert.match(await readFile(join(out(), 'index.html'), 'utf8'), /href="[^"]*\/page\/2"/)
  const index = JSON.parse(await readFile(join(out(), 'search.json'), 'utf8'))
  const people = index.find(({ url }: { url: string }) => url === '/about/people')
  assert.deepEqual([people.title, people.text.includes('Anna & Bert'), people.text.includes('My site')], ['Team', true, false])
  const bread = index.filter(({ text }: { text: string }) => /\bBread 7\b/.test(text)).map(({ url }: { url: string }) => url)
  assert.deepEqual(bread, ['/post-7'], 'lists and neighbours are not found')
})

test('a large file is whole', async () => {
  const bytes = Buffer.concat([Buffer.from('%PDF-1.7\n'), randomBytes(17 * 1024 ** 2)])
  const { url } = await site.call('SVC_Media.begin-upload', { filename: 'plan.pdf', bytes: bytes.length })
  const sent = await fetch(url, { method: 'PUT', body: bytes })
  assert.equal(sent.status, 200, await sent.text())
  await site.call('SVC_Content.update', { id: '/about/search', body: 'Anna & Bert search for rye. [The plan](/media/plan.pdf)' })
  assert.equal((await exported()).code, 0)
  assert.ok(bytes.equals(await readFile(join(out(), 'media', 'plan.pdf'))))
})

test('a second export writes only what changed', async () => {
  assert.deepEqual(JSON.parse((await exported()).stdout).written, [])
  await site.call('SVC_Content.update', { id: '/about/people', body: 'Anna, Bert and Carl' })
  const { written } = JSON.parse((await exported()).stdout)
  assert.ok(written.includes('about/people/index.html'))
  assert.ok(!written.includes('page/2/index.html'))
})

test('nothing is written beside the folder', async () => {
  const names = await readdir(folder)
  assert.deepEqual(names, ['out'])
})

/** Serves the export by nginx. */
async function served(run: (origin: string) => Promise<void>): Promise<void> {
  needTool('nginx')
  // Workers of nginx may run as another user.
  await chmod(folder, 0o755)
  const port = await freePort()
  const conf = join(folder, 'nginx.conf')
  await writeFile(
    conf,
    `daemon off; pid ${folder}/pid; error_log ${folder}/error.log; events {}
http { access_log off; client_body_temp_path ${folder}/b; proxy_temp_path ${folder}/p; fastcgi_temp_path ${folder}/f;
  uwsgi_temp_path ${folder}/u; scgi_temp_path ${folder}/s;
  server { listen 127.0.0.1:${port}; root ${out()}; error_page 404 /404.html; absolute_redirect off;
    location / { try_files $uri $uri/index.html =404; }
    include ${out()}/redirects.nginx.conf; } }\n`,
  )
  await promisify(execFile)('nginx', ['-t', '-e', join(folder, 'error.log'), '-c', conf])
  const server = spawn('nginx', ['-e', join(folder, 'error.log'), '-c', conf], { stdio: 'ignore' })
  try {
    const origin = `http://127.0.0.1:${port}`
    await until('nginx answers', async () => (await fetch(origin).catch(() => undefined))?.status === 200)
    await run(origin)
  } finally {
    server.kill()
    await new Promise((resolve) => server.once('exit', resolve))
  }
}

test('nginx serves it, and leads on from each old address in one hop', () =>
  served(async (origin) => {
    const at = (path: string) => fetch(origin + path, { redirect: 'manual' })
    const page = await (await at('/about')).text()
    const styles = /rel="stylesheet" href="([^"]+)"/.exec(page)?.[1] ?? ''
    assert.match(styles, /^\/assets\//)
    assert.equal((await at(styles)).status, 200)
    assert.match(page, /rel="canonical" href="https:\/\/static\.example\/about"/)
    assert.equal((await at('/nothing')).status, 404)
    assert.equal((await at('/gone')).status, 410)
    const lead = async (path: string) => {
      const { status, headers } = await at(path)
      return [status, headers.get('location')]
    }
    assert.deepEqual(await lead('/old'), [301, '/about/people'])
    assert.deepEqual(await lead('/about/team'), [301, '/about/people'])
    assert.deepEqual(await lead('/shop/people'), [301, '/about/people'])
    assert.equal((await at('/shop/now')).status, 200, 'a page wins over a rule for what is below a path')
    assert.equal((await at('/about/people/')).status, 200, 'and over a redirect from its path with a slash')
    assert.deepEqual(await lead('/straße'), [301, '/about'])
    assert.match(page, /href="https:\/\/other\.example\/list\?page=2"/)
    assert.match(page, /href="\/page\/2#bread"/)
    assert.deepEqual(await lead('/2019/05/menschen%20&%20mehr'), [301, '/about/people'])
    assert.deepEqual(await lead('/100%25'), [301, '/about/people'])
    for (const name of ['_redirects', 'redirects.nginx.conf'])
      assert.match(
        await readFile(join(out(), name), 'utf8'),
        /^# left out, because of its query: \/index\.php\?page=about \/about$/m,
      )
    assert.deepEqual(await lead('/price'), [301, 'https://example.com/?a=%245%22'])
    assert.deepEqual(await lead('/part'), [301, 'https://example.com/a%2Fb?c=%C3%A4'])
  }))

deepTest(
  'its search finds pages in a browser, and that of a further language finds those of that language',
  { skip: noBrowser },
  () =>
    served(async (origin) => {
      const browser = await openBrowser()
      try {
        const page = await browser.newPage()
        const found = async (path: string) => {
          await page.goto(origin + path)
          await page.locator('main input[name=q]').pressSequentially('anna', { delay: 20 })
          await page.keyboard.press('Enter')
          await page.locator('main [role=status] li').first().waitFor()
          return page.locator('main [role=status] a').allInnerTexts()
        }
        assert.deepEqual((await found('/search')).map(plain).sort(), ['Search', 'Team', 'Über uns'])
        assert.deepEqual((await found('/de/search')).map(plain), ['Über uns'])
        await page.goto(`${origin}/search?q=Anna+Nobody`)
        await page.getByText('Nothing was found for “Anna Nobody”.').waitFor()
      } finally {
        await browser.close()
      }
    }),
)

/** The title of a page without the name of the site. */
const plain = (title: string): string => title.replace(/ [–—|·-] .*$/, '')

test('below a base path, redirects and links have it, too', async () => {
  const below = join(folder, 'below')
  const command = ['export', '--format', 'static', '--base-url', 'https://static.example/blog', below]
  assert.equal((await site.postern(command)).code, 0)
  const read = (name: string) => readFile(join(below, name), 'utf8')
  const lines = (await read('_redirects')).split('\n')
  for (const line of [
    '/blog/old /blog/about/people 301',
    '/blog/about/team /blog/about/people 301',
    '/blog/shop/* /blog/about/:splat 301',
    '/blog/stra%C3%9Fe /blog/about 301',
    '# /blog/gone is gone',
  ])
    assert.ok(lines.includes(line), `${line} is not in\n${lines.join('\n')}`)
  assert.equal(lines.filter((line) => line.includes('/stra')).length, 1, 'a source stands once, however it was linked')
  assert.match(await read('redirects.nginx.conf'), /^location = "\/blog\/old" \{ return 301 "\/blog\/about\/people"; \}$/m)
  assert.match(
    await read('old/index.html'),
    /content="0; url=\/blog\/about\/people">\n<link rel="canonical" href="https:\/\/static\.example\/blog\/about\/people">/,
  )
  assert.match(await read('index.html'), /href="\/blog\/page\/2"/)
})

test('a closed site is not exported', async () => {
  await site.call('SVC_Settings.maintenance', { on: true })
  const { code, stderr } = await exported()
  await site.call('SVC_Settings.maintenance', { on: false })
  assert.equal(code, 5)
  assert.match(stderr, /closed for maintenance/)
})
