// Makes a site to measure: a home with an account, a token, and a number of published pages.

import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { root } from '../ready.mjs'
import { entryBody, pathOf } from './cases.mjs'
import { serviceEnv } from './servers.mjs'

const perCall = 50

/** Creates an admin in the home. @param tree the checkout whose command line runs @returns a personal token of that admin */
export async function makeToken(home, tree = root) {
  const admin = ['admin', 'create', '--email', 'owner@example.org', '--name', 'Owner']
  await postern(home, admin, 'correct horse battery staple\n', tree)
  return (await postern(home, ['token', 'create', '--name', 'bench'], '', tree)).trim()
}

/** Runs the command line on a home. @returns its standard output */
export function postern(home, args, input = '', tree = root) {
  return new Promise((done, fail) => {
    const child = execFile(
      process.execPath,
      [join(tree, 'dist', 'cli', 'main.js'), ...args],
      { env: serviceEnv(home, 0), timeout: 30_000 },
      (error, stdout, stderr) =>
        error ? fail(new Error(`postern ${args.join(' ')}: ${stderr || error.message}`)) : done(stdout),
    )
    child.stdin.end(input)
  })
}

/** Writes entries through the service itself, several per call. */
export async function fill(address, token, count) {
  for (let next = 1; next <= count; next += perCall) {
    const calls = Array.from({ length: Math.min(perCall, count - next + 1) }, (_, place) => newPage(next + place))
    const response = await fetch(`${address}/api/`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ action: 'SVC_API.batch', calls }),
    })
    const text = await response.text()
    if (response.status !== 200) throw new Error(`SVC_API.batch answers ${response.status} ${text.slice(0, 300)}`)
  }
}

function newPage(number) {
  const slug = pathOf(number).slice(1)
  const title = `Entry ${slug.slice(-5)}`
  return { action: 'SVC_Content.create', arguments: { type: 'page', slug, title, status: 'published', body: entryBody } }
}
