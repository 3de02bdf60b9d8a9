// Every input of every action is bounded: no text without a `maxLength`, no list without `maxItems`.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { callName } from '../../src/actions/call/action.ts'
import { allActions } from '../../src/actions/all.ts'

type Node = Readonly<Record<string, unknown>>

/** Where a schema leaves a text or a list open, such as `edits.*.find`. */
function openPlaces(schema: unknown, path: string): readonly string[] {
  if (schema === null || typeof schema !== 'object') return []
  const node = schema as Node
  if (node['type'] === 'string' && node['maxLength'] === undefined && !Array.isArray(node['enum']) && !('const' in node))
    return [path]
  const open = node['type'] === 'array' && node['maxItems'] === undefined ? [`${path}[]`] : []
  const within = Object.entries({
    ...(node['properties'] as Node | undefined),
    ...(node['patternProperties'] as Node | undefined),
  })
  return [
    ...open,
    ...within.flatMap(([name, part]) => openPlaces(part, `${path}.${name}`)),
    ...openPlaces(node['items'], `${path}.*`),
    ...[node['anyOf'], node['oneOf'], node['allOf']].flatMap((choices) =>
      Array.isArray(choices) ? choices.flatMap((choice) => openPlaces(choice, path)) : [],
    ),
  ]
}

test('attacks 131, 133: every text of every input has a maxLength, and every list a maxItems', () => {
  assert.deepEqual(
    allActions().flatMap((action) => openPlaces(action.input, callName(action))),
    [],
  )
})
