// The preparation for the cases of signing in: a registered client, unused authorization codes, valid refresh tokens. Codes are
// written to the database as the consent page would write them, because the page issues only one every few seconds.

import { createHash, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import sqlite3 from 'sqlite3'

const redirectUri = 'http://localhost:3118/callback'
const sha256 = (text) => createHash('sha256').update(text).digest('base64url')
const verifier = randomBytes(32).toString('base64url')
const formType = { 'content-type': 'application/x-www-form-urlencoded' }
const tokenPost = (body, took) => ({ method: 'POST', path: '/oauth/token', headers: formType, body, ...(took ? { took } : {}) })

export const metadata = {
  redirect_uris: [redirectUri],
  client_name: 'Bench',
  grant_types: ['authorization_code', 'refresh_token'],
}

/** The requests of a client that registers. */
export function registrations() {
  const headers = { 'content-type': 'application/json' }
  return { requests: [{ method: 'POST', path: '/oauth/register', headers, body: JSON.stringify(metadata) }] }
}

/** The requests of a browser that an app opens before anyone has signed in. */
export async function authorizations({ address }) {
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: await register(address),
    redirect_uri: redirectUri,
    code_challenge: sha256(verifier),
    code_challenge_method: 'S256',
    state: 'af0ifjsldkj',
    resource: `${address}/mcp/`,
  })
  return { requests: [{ method: 'GET', path: `/oauth/authorize?${query.toString()}`, headers: {} }] }
}

/** More codes than one round can use. A code is valid for a minute. */
const codesARound = 8000

/** The requests of a client that exchanges codes, with one code per request. */
export async function exchanges({ address, home }) {
  const client = await register(address)
  const codes = []
  const body = () => exchangeForm(client, take(codes))
  return {
    requests: [tokenPost(body)],
    prepare: async () => codes.splice(0, Infinity, ...(await writeCodes(home, client, codesARound))),
  }
}

/** The number of spare tokens: autocannon's connections build a request or two that they never send. */
const chains = 60

/** The requests of clients that refresh, each with the refresh token from the previous answer. */
export async function refreshes({ address, home }) {
  const client = await register(address)
  const tokens = []
  const body = () =>
    new URLSearchParams({ grant_type: 'refresh_token', client_id: client, refresh_token: take(tokens) }).toString()
  const took = (text) => tokens.push(JSON.parse(text).refresh_token)
  const prepare = async () => {
    const codes = await writeCodes(home, client, Math.max(0, chains - tokens.length))
    for (const code of codes) took(await exchange(address, client, code))
  }
  return { requests: [tokenPost(body, took)], prepare }
}

function take(kept) {
  const one = kept.shift()
  if (one === undefined) throw new Error('The load was faster than expected: there are no more codes or tokens to use.')
  return one
}

function exchangeForm(client, code) {
  const fields = { grant_type: 'authorization_code', code, client_id: client, redirect_uri: redirectUri, code_verifier: verifier }
  return new URLSearchParams(fields).toString()
}

async function register(address) {
  const [{ path, ...request }] = registrations().requests
  const response = await fetch(address + path, request)
  if (response.status !== 201) throw new Error(`Registration answers ${response.status} ${await response.text()}`)
  return (await response.json()).client_id
}

async function exchange(address, client, code) {
  const { path, ...request } = tokenPost(exchangeForm(client, code))
  const response = await fetch(address + path, request)
  const text = await response.text()
  if (response.status !== 200) throw new Error(`An exchange answers ${response.status} ${text}`)
  return text
}

/** Writes codes to which the oldest account consented, in one transaction, while the service runs. */
async function writeCodes(home, client, count) {
  const codes = Array.from({ length: count }, () => `psc_${randomBytes(32).toString('base64url')}`)
  const database = new sqlite3.Database(join(home, 'data', 'postern.db'))
  const run = (sql, values = []) =>
    new Promise((done, fail) => database.run(sql, values, (error) => (error ? fail(error) : done())))
  database.configure('busyTimeout', 5000)
  try {
    await run('begin immediate')
    for (const code of codes) {
      await run(
        `insert into auth_code (hash, account_id, client_hash, redirect_uri, code_challenge, scope, epoch, expires_at)
         select ?, id, ?, ?, ?, 'admin', epoch, ? from account order by created_at limit 1`,
        [sha256(code), sha256(client), redirectUri, sha256(verifier), Date.now() + 60_000],
      )
    }
    await run('commit')
  } finally {
    await new Promise((done) => database.close(done))
  }
  return codes
}
