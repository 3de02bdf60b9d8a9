// Accepts requests with the configured X-API-Key. All others get the answer that older clients expect.

import { createHash, timingSafeEqual } from 'node:crypto'

/** @param {import('../../api.ts').Postern} postern */
export function activate(postern) {
  const { api_key: apiKey, scope, name } = postern.settings
  postern.authenticate(({ key }) => (isKey(key, apiKey) ? { scope, name } : invalidKey))
}

/** Compares hashes, which have the same length, so that the time of the comparison reveals nothing about the key. */
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
