// Documents that lead from nothing to something done: every block marked `sh`, in order, as a new user types it. README is `readme.test.ts`'s.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import sharp from 'sharp'
import { documents } from '../../src/docs/index.ts'
import { openSite, type TestSite } from '../site.ts'

let site: TestSite
let folder: string
before(async () => {
  site = await openSite()
  folder = await mkdtemp(join(tmpdir(), 'postern-documents-'))
  const photo = await sharp({ create: { width: 32, height: 24, channels: 3, background: '#369' } })
    .jpeg()
    .toBuffer()
  await writeFile(join(folder, 'lighthouse.jpg'), photo)
})
after(async () => {
  await site[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

const end = '--- end of an answer ---'
const prelude = `set -euo pipefail
curl() { command curl --silent --show-error --fail-with-body --max-time 20 -H 'Accept: text/html' "$@"; printf '\\n%s\\n' "${end}"; }
`

/** The answers to all lines of a document. */
async function follow(doc: string): Promise<readonly string[]> {
  const text = documents.find((one) => one.doc === doc)?.text ?? ''
  const blocks = [...text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, lines = '']) => lines)
  assert.ok(blocks.length > 0, `${doc} has no line to type`)
  const script = prelude + blocks.join('\n').replaceAll('https://example.org', site.base)
  const env = { ...process.env, T: site.token }
  const { stdout } = await promisify(execFile)('bash', ['-c', script], { cwd: folder, env }).catch(
    (error: Error & { stdout?: string }) => {
      throw new Error(`${doc}: ${error.stdout}`, { cause: error })
    },
  )
  return stdout.split(`\n${end}\n`).filter((answer) => answer.trim() !== '')
}

/** For each document, what the last pages that it asks for say. */
const rows: Readonly<Record<string, readonly RegExp[]>> = {
  publishing: [/We leave from the <strong>old quay/, /We leave from the <strong>old quay/],
  media: [/alt="A lighthouse above waves"/],
  'content-types': [],
  themes: [/#1d5a99/i],
}

for (const [doc, pages] of Object.entries(rows))
  test(`the document ${doc} leads from nothing to what it promises, line by line`, async () => {
    const answers = await follow(doc)
    const html = answers.filter((answer) => !answer.startsWith('{'))
    assert.equal(html.length, pages.length)
    for (const [at, words] of pages.entries()) assert.match(html[at] ?? '', words)
    for (const answer of answers.filter((one) => one.startsWith('{'))) assert.equal(JSON.parse(answer).success, true, answer)
  })
