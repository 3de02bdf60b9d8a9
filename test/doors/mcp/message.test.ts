// What is a JSON-RPC message, and which kind; and that answers put together from text are the JSON they stand for.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { codePoint, fc } from '../../properties.ts'
import { Failure } from '../../../src/base/failure.ts'
import { failureAnswer, successAnswer } from '../../../src/doors/mcp/call-tool.ts'
import { parseMessage } from '../../../src/doors/mcp/message.ts'
import { errorText, resultText, RpcError } from '../../../src/doors/mcp/rpc.ts'
import { JsonText } from '../../../src/base/json.ts'

const call = { jsonrpc: '2.0', id: 1, method: 'ping' }

for (const [rule, value, kind] of [
  ['a request', call, 'request'],
  ['an id that is null', { ...call, id: null }, 'request'],
  ['an id that is a text', { ...call, id: 'a' }, 'request'],
  ['params that are null', { ...call, params: null }, 'request'],
  ['no id', { jsonrpc: '2.0', method: 'ping' }, 'notification'],
  ['a result', { jsonrpc: '2.0', id: 1, result: {} }, 'response'],
  ['an error', { jsonrpc: '2.0', id: 1, error: { code: 1, message: '' } }, 'response'],
  ['an id that is an object', { ...call, id: {} }, undefined],
  ['an id that is a fraction', { ...call, id: 1.5 }, undefined],
  ['an id that no number holds exactly', { ...call, id: 1e300 }, undefined],
  ['an id of a million letters', { ...call, id: 'x'.repeat(1_000_000) }, undefined],
  ['another version', { ...call, jsonrpc: '1.0' }, undefined],
  ['no version', { id: 1, method: 'ping' }, undefined],
  ['a method that is a number', { ...call, method: 1 }, undefined],
  ['params in a list', { ...call, params: [1] }, undefined],
  ['neither method nor result', { jsonrpc: '2.0', id: 1 }, undefined],
  ['a list', [call], undefined],
  ['a text', 'ping', undefined],
  ['null', null, undefined],
] as const) {
  test(`message: ${rule} → ${kind ?? 'none'}`, () => assert.equal(parseMessage(value)?.kind, kind))
}

test('an answer put together from text is the JSON that it stands for, whatever it holds', () => {
  const id = fc.oneof(fc.maxSafeInteger(), fc.string({ unit: codePoint }), fc.constant(null))
  fc.assert(
    fc.property(id, fc.jsonValue(), (id, data) => {
      const text = new JsonText(JSON.stringify(data))
      const answer = JSON.parse(resultText(id, `{${successAnswer(text)}}`))
      assert.deepEqual(answer.id, typeof id === 'string' ? id.toWellFormed() : id)
      assert.deepEqual(answer.result.structuredContent, { success: true, data: JSON.parse(text.text) })
      assert.equal(answer.result.content[0].text, JSON.stringify(answer.result.structuredContent))
    }),
  )
})

test('a failed tool answers the object of /api/ as text and as structured content, well-formed', () => {
  const members = failureAnswer(new Failure('not_found', 'There is no entry "\ud800".', { id: '\ud800' }))
  const result = JSON.parse(`{${members}}`)
  assert.equal(result.isError, true)
  assert.deepEqual(JSON.parse(result.content[0].text), result.structuredContent)
  assert.equal(result.structuredContent.error.id, '\ufffd')
})

test('an error carries data only where there is some', () => {
  assert.equal(errorText(null, new RpcError(-1, 'm')), '{"jsonrpc":"2.0","error":{"code":-1,"message":"m"},"id":null}')
  assert.deepEqual(JSON.parse(errorText('a', new RpcError(-1, 'm', 400, { b: 1 }))).error.data, { b: 1 })
})
