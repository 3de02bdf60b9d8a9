// Which era a message belongs to, and what the newer one refuses before a method is looked at.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { codePoint, fc } from '../../properties.ts'
import { decodeName, eraOf, initializeFault, type MirrorHeaders, standaloneFault } from '../../../src/doors/mcp/era.ts'
import type { RpcRequest } from '../../../src/doors/mcp/message.ts'
import { negotiated } from '../../../src/doors/mcp/revision.ts'

const revision = '2026-07-28'
const version = 'io.modelcontextprotocol/protocolVersion'
const capabilities = 'io.modelcontextprotocol/clientCapabilities'
const meta = { [version]: revision, [capabilities]: {} }
const request = (method: string, params: Record<string, unknown> = {}): RpcRequest => ({ kind: 'request', id: 1, method, params })
const headers = (sent: Partial<MirrorHeaders>): MirrorHeaders => ({
  revision: undefined,
  method: undefined,
  name: undefined,
  ...sent,
})

for (const [rule, header, params, era] of [
  ['nothing says a revision', undefined, {}, 'initialize'],
  ['a header of the older era', '2025-11-25', {}, 'initialize'],
  ['a header that is no revision', 'v999', {}, 'initialize'],
  ['a _meta that names no revision', undefined, { _meta: { progressToken: 1 } }, 'initialize'],
  ['a _meta that is no object', undefined, { _meta: '2026-07-28' }, 'initialize'],
  ['a header of the newer era', revision, {}, 'standalone'],
  ['a header that is newer still', '2027-01-01', {}, 'standalone'],
  ['a _meta that names a revision', undefined, { _meta: meta }, 'standalone'],
  ['a _meta that names any revision at all', undefined, { _meta: { [version]: 'v999' } }, 'standalone'],
] as const) {
  test(`era: ${rule} → ${era}`, () => {
    assert.equal(eraOf(headers({ revision: header }), request('tools/list', params)), era)
  })
}

const good = { revision, method: 'tools/call', name: 'x' }
const call = (more: Record<string, unknown> = {}) => request('tools/call', { name: 'x', _meta: meta, ...more })

for (const [rule, sent, message, code] of [
  ['headers that mirror the body pass', good, call(), undefined],
  ['a name may come as base64', { ...good, name: '=?base64?eA==?=' }, call(), undefined],
  ['_meta is missing', good, request('tools/call', { name: 'x' }), -32602],
  ['_meta has no capabilities', good, call({ _meta: { [version]: revision } }), -32602],
  ['_meta has no revision', good, call({ _meta: { [capabilities]: {} } }), -32602],
  ['the revision header is missing', { ...good, revision: undefined }, call(), -32020],
  ['the revision header is another', { ...good, revision: '2025-11-25' }, call(), -32020],
  ['the revision is unknown', { ...good, revision: 'v999' }, call({ _meta: { ...meta, [version]: 'v999' } }), -32022],
  ['Mcp-Method is missing', { ...good, method: undefined }, call(), -32020],
  ['Mcp-Method differs in case', { ...good, method: 'TOOLS/CALL' }, call(), -32020],
  ['Mcp-Name is missing', { ...good, name: undefined }, call(), -32020],
  ['Mcp-Name is another', { ...good, name: 'y' }, call(), -32020],
  ['Mcp-Name is broken base64', { ...good, name: '=?base64?eA?=' }, call(), -32020],
  ['a list has no name to mirror', { revision, method: 'tools/list' }, request('tools/list', { _meta: meta }), undefined],
] as const) {
  test(`2026-07-28: ${rule} → ${code ?? 'no fault'}`, () => {
    const fault = standaloneFault(headers(sent), message)
    assert.equal(fault?.code, code)
    assert.equal(fault?.status, code === undefined ? undefined : 400)
  })
}

test('an unknown revision is refused with those that are spoken, and the one that was asked', () => {
  const fault = standaloneFault(headers({ ...good, revision: 'v999' }), call({ _meta: { ...meta, [version]: 'v999' } }))
  assert.deepEqual(fault?.data, { supported: [revision], requested: 'v999' })
})

test('initialize era: a header that names an unknown revision is refused, but for initialize itself', () => {
  assert.equal(initializeFault(headers({ revision: '1999-01-01' }), request('tools/list'))?.status, 400)
  assert.equal(initializeFault(headers({ revision: '1999-01-01' }), request('initialize')), undefined)
  assert.equal(initializeFault(headers({ revision: '2024-11-05' }), request('tools/list')), undefined)
})

for (const [asked, answered] of [
  ['2024-11-05', '2024-11-05'],
  ['2025-03-26', '2025-03-26'],
  ['2025-06-18', '2025-06-18'],
  ['2025-11-25', '2025-11-25'],
  ['1999-01-01', '2025-11-25'],
  ['2026-07-28', '2025-11-25'],
  ['', '2025-11-25'],
] as const) {
  test(`initialize with ${asked || 'an empty revision'} → ${answered}`, () => assert.equal(negotiated(asked), answered))
}

test('a name has one spelling in base64, and what is not base64 stands for itself', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: codePoint }).filter((name) => name.isWellFormed()),
      (name) => {
        assert.equal(decodeName(`=?base64?${Buffer.from(name).toString('base64')}?=`), name)
      },
    ),
  )
  fc.assert(
    fc.property(fc.string(), (coded) => {
      const decoded = decodeName(`=?base64?${coded}?=`)
      assert.ok(decoded === undefined || Buffer.from(decoded).toString('base64') === coded)
    }),
  )
  assert.equal(decodeName('eA=='), 'eA==')
})
