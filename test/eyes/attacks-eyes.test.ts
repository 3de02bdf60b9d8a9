// Attack 174: a page that is shown to take its picture reaches nothing but the public site, and leaves nothing behind.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { test } from 'node:test'
import sharp from 'sharp'
import { createTakePicture } from '../../src/eyes/take-picture.ts'
import type { Look, Picture } from '../../src/eyes/types.ts'
import { noBrowser } from '../admin/chromium.ts'
import { deepTest, isDeep } from '../deep-run.ts'
import { until } from '../until.ts'
import { type Eyes, noLog, openEyes, runningIn } from './open-eyes.ts'

/** A busy machine may need longer than the usual ten seconds. */
const patienceMs = 120_000
const how: Picture = { width: 390, dark: false, quality: 80, maxBytes: 500_000 }
const html = (body: string) => ({ status: 200, contentType: 'text/html; charset=utf-8', body: `<!doctype html>${body}` })

/** Nothing of the browsers that were started is left. */
async function assertNothingLeft(eyes: Eyes): Promise<void> {
  const started = await eyes.started()
  assert.ok(started.length > 0)
  for (const { pid, profile } of started) {
    await until('its processes have ended', async () => (await runningIn(pid)).length === 0)
    assert.equal(existsSync(profile), false, profile)
  }
}

/** A machine of the private network, which counts who connects. */
async function openNeighbour() {
  let connections = 0
  const server = createServer((socket) => {
    connections++
    socket.end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    connections: () => connections,
    async [Symbol.asyncDispose]() {
      server.close()
      await once(server, 'close')
    },
  }
}

const hostile = (there: string): string => `<title>A</title>
<link rel="preconnect" href="http://${there}"><link rel="dns-prefetch" href="//rebound.example"><link rel="prefetch" href="http://${there}/f">
<link rel="stylesheet" href="http://${there}/style.css"><link rel="icon" href="http://${there}/icon.png">
<style>@import "http://${there}/import.css"; @font-face { font-family: F; src: url(http://${there}/font.woff2) }
body { font-family: F; background: url(http://${there}/background.png) } p::after { content: url(/own.svg) }</style>
<img src="http://${there}/picture.png"><img src="//rebound.example/picture.png"><img src="file:///etc/passwd">
<video src="http://${there}/film.mp4" poster="http://${there}/poster.png" autoplay></video><object data="http://${there}/object"></object>
<embed src="http://${there}/embed"><iframe src="http://${there}/frame"></iframe><iframe src="file:///etc/passwd"></iframe>
<iframe src="data:text/html,<script src=http://${there}/data.js></script><img src=http://${there}/data.png>"></iframe>
<iframe sandbox srcdoc="<img src=http://${there}/sandboxed.png>"></iframe><iframe src="/inner"></iframe>
<form action="http://${there}/form" method="post"><input autofocus></form>
<script src="http://${there}/script.js"></script><script src="/own.js"></script>
<script>new WebSocket('ws://${there}'); fetch('http://${there}/fetch'); document.body.style.background = 'red'</script>
<svg><image href="http://${there}/image.png"/><use href="http://${there}/use.svg#a"/></svg><p>End</p>`

test(
  'attack 174: a page that names other hosts and files reaches only the site itself, and runs no script',
  { skip: noBrowser },
  async (t) => {
    await using neighbour = await openNeighbour()
    const eyes = await openEyes(t)
    const asked: string[] = []
    const look: Look = async (path) => {
      asked.push(path)
      if (path === '/own.svg')
        return {
          status: 200,
          contentType: 'image/svg+xml',
          body: '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>',
        }
      if (path === '/own.js')
        return { status: 200, contentType: 'text/javascript', body: 'document.body.style.background = "red"' }
      return html(
        path === '/inner' ? `<img src="http://${neighbour.host}/inner.png"><img src="/inner.png">` : hostile(neighbour.host),
      )
    }
    const { base64 } = await createTakePicture(eyes.place, noLog, patienceMs)('https://example.org', '/?a=b', look, how)
    const allowed = ['/?a=b', '/own.svg', '/inner', '/inner.png', '/favicon.ico', '/own.js']
    assert.deepEqual(
      asked.filter((path) => !allowed.includes(path)),
      [],
    )
    for (const path of ['/?a=b', '/own.svg', '/inner', '/inner.png']) assert.ok(asked.includes(path), path)
    assert.equal(neighbour.connections(), 0)
    const { channels } = await sharp(Buffer.from(base64, 'base64')).stats()
    const [red = 0, green = 0] = channels.map(({ mean }) => mean)
    assert.ok(Math.abs(red - green) < 5, 'no script coloured the page')
    await assertNothingLeft(eyes)
  },
)

const leads = [
  ['another host', (there: string) => `<meta http-equiv="refresh" content="0;url=http://${there}/">`],
  ['a file', () => '<meta http-equiv="refresh" content="0;url=file:///etc/passwd">'],
  ['a page of the browser', () => '<meta http-equiv="refresh" content="0;url=chrome://version">'],
] as const

/** A usual run follows one of them: each starts a browser. */
for (const [what, body] of leads.filter(([lead]) => isDeep || lead === 'a file'))
  test(`attack 174: a page that leads on to ${what} stays where it is`, { skip: noBrowser }, async (t) => {
    await using neighbour = await openNeighbour()
    const eyes = await openEyes(t)
    const look: Look = async () => html(`<body style="background:#0000ff">${body(neighbour.host)}`)
    const { base64 } = await createTakePicture(eyes.place, noLog, patienceMs)('https://example.org', '/', look, how)
    assert.equal(neighbour.connections(), 0)
    const { channels } = await sharp(Buffer.from(base64, 'base64')).stats()
    assert.ok((channels[2]?.mean ?? 0) > 240 && (channels[0]?.mean ?? 255) < 15)
  })

test(
  'attack 174: a path of another host is a path of the site, and what is beside its base path is not asked',
  { skip: noBrowser },
  async (t) => {
    const eyes = await openEyes(t)
    const asked: string[] = []
    const look: Look = async (path) => {
      asked.push(path)
      return html('<img src="/beside.png"><img src="/blog/../beside.png"><img src="/blogger/x.png"><img src="/blog/own.png">')
    }
    const take = createTakePicture(eyes.place, noLog, patienceMs)
    await take('https://example.org/blog', '//127.0.0.1/x', look, how)
    assert.deepEqual(asked.toSorted(), ['//127.0.0.1/x', '/own.png'])
    for (const path of ['@127.0.0.1/', ':80/', 'http://127.0.0.1/', 'file:///etc/passwd', ''])
      await assert.rejects(take('https://example.org', path, look, how), { code: 'invalid' })
    await assert.rejects(take('https://example.org/blog', '/../admin/', look, how), { code: 'unprocessable' })
    assert.equal(asked.length, 2)
  },
)

deepTest(
  'attack 174: a page that never comes ends with a sentence, and leaves no process and no profile',
  { skip: noBrowser },
  async (t) => {
    const eyes = await openEyes(t)
    const never: Look = () => new Promise(() => undefined)
    await assert.rejects(createTakePicture(eyes.place, noLog, 3000)('https://example.org', '/', never, how), {
      code: 'unprocessable',
      message: /^The picture of this page was not finished within 3 seconds, so Chromium was ended\. /,
    })
    await assertNothingLeft(eyes)
  },
)

deepTest('attack 174: a page that takes too much memory ends with a sentence', { skip: noBrowser }, async (t) => {
  const eyes = await openEyes(t)
  const huge = sharp({ create: { width: 11_000, height: 11_000, channels: 3, background: '#123' } })
  const picture = await huge.png({ compressionLevel: 9 }).toBuffer()
  const look: Look = async (path) =>
    path.startsWith('/huge')
      ? { status: 200, contentType: 'image/png', body: picture }
      : html(
          Array.from({ length: 8 }, (_, at) => `<img src="/huge${at}" style="width:40px;transform:rotate(${at}deg)">`).join(''),
        )
  await assert.rejects(createTakePicture(eyes.place, noLog, patienceMs)('https://example.org', '/', look, how), {
    code: 'unprocessable',
    message: 'This page takes more than 300 MB to show, so Chromium was ended. Make its pictures smaller.',
  })
  await assertNothingLeft(eyes)
})
