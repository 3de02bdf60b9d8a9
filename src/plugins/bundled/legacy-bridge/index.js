// Lets whoever sends the right X-API-Key in; everybody else gets the answer that the clients of old know.

import { createHash, timingSafeEqual } from 'node:crypto'

/** @param {import('../../api.ts').Postern} postern */
export function activate(postern) {
  const { api_key: apiKey, scope, name } = postern.settings
  postern.authenticate(({ key }) => (isKey(key, apiKey) ? { scope, name } : invalidKey))
}

/** Compares hashes: they are of one length, and how long it takes tells nothing about the key. */
function isKey(given, wanted) {
  if (typeof given !== 'string' || typeof wanted !== 'string' || wanted === '') return false
  const hash = (text) => createHash('sha256').update(text).digest()
  return timingSafeEqual(hash(given), hash(wanted))
}

const invalidKey = {
  status: 401,
  headers: {
    'content-type': 'text/html',
    'access-control-allow-origin': '*',
    'access-control-allow-headers': 'Authorization, Content-Type, X-API-Key',
  },
  body: '{"jsonrpc":"2.0","error":{"code":-32001,"message":"Invalid or missing API key."},"id":null}',
}
