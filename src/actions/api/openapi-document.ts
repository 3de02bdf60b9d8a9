// The OpenAPI 3.1 document of the actions that a caller may run, made from their declarations. `/api/` is one address for all
// actions, so the document has one operation, whose request body is one of many schemas, distinguished by `action`.

import { codes } from '../../base/failure.ts'
import type { JsonObject } from '../../base/json.ts'
import { type Action, callName } from '../call/action.ts'
import { failuresOf } from '../call/failures.ts'
import { takenOptions } from '../call/options.ts'

/** The facts in the document other than the actions. */
export interface OpenApiAbout {
  readonly title: string
  readonly version: string
  /** Origin and base path, without a slash at the end. */
  readonly origin: string
}

const ref = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` })
const json = (schema: JsonObject, more: JsonObject = {}): JsonObject => ({ 'application/json': { schema, ...more } })

const optionSchemas: JsonObject = {
  select: { type: 'array', items: { type: 'string' }, description: 'The fields to answer.' },
  dry_run: { type: 'boolean', description: 'Whether the call only says what it would change.' },
  if_revision: { type: 'integer', minimum: 0, description: 'The revision that you have read.' },
  idempotency_key: {
    type: 'string',
    minLength: 1,
    maxLength: 200,
    description: 'Repeating a call with the same key runs it once.',
  },
}

/** Returns the document for these actions. */
export function openApiOf(actions: readonly Action[], { title, version, origin }: OpenApiAbout): JsonObject {
  const names = actions.map(callName)
  const mapping = Object.fromEntries(names.map((name) => [name, `#/components/schemas/${name}.call`]))
  const body = { oneOf: names.map((name) => ref(`${name}.call`)), discriminator: { propertyName: 'action', mapping } }
  return {
    openapi: '3.1.0',
    info: { title, version, description: 'The actions that the caller who asked for this document may run.' },
    servers: [{ url: origin }],
    security: [{ token: [] }, {}],
    paths: {
      '/api/': {
        post: {
          operationId: 'call',
          summary: 'Runs one action.',
          requestBody: { required: true, content: json(body, { examples: examplesOf(actions) }) },
          responses: {
            200: { description: 'What the action answered.', content: json(ref('success')) },
            default: { description: 'Why the action did not run.', content: json(ref('failure')) },
          },
        },
      },
    },
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
      schemas: {
        success: {
          type: 'object',
          required: ['success', 'data'],
          properties: {
            success: { const: true },
            data: { anyOf: names.map((name) => ref(`${name}.data`)) },
            warnings: { type: 'array', items: { type: 'object' }, description: 'What was read from text in this call.' },
          },
        },
        failure: failureSchema,
        ...Object.fromEntries(actions.flatMap(schemasOf)),
      },
    },
  }
}

const failureSchema: JsonObject = {
  type: 'object',
  required: ['success', 'error'],
  properties: {
    success: { const: false },
    error: {
      type: 'object',
      required: ['code', 'message'],
      properties: {
        code: { enum: [...codes] },
        message: { type: 'string' },
        field: { type: 'string' },
        hint: { type: 'string' },
      },
    },
  },
}

function schemasOf(action: Action): readonly (readonly [name: string, schema: JsonObject])[] {
  const { input, output, summary, tier, effect } = action
  const name = callName(action)
  const required = (input as { readonly required?: readonly string[] }).required ?? []
  const options = takenOptions(action).map((option) => [option, optionSchemas[option]])
  const call = {
    type: 'object',
    title: name,
    description: summary,
    required: required.length > 0 ? ['action', 'arguments'] : ['action'],
    properties: { action: { const: name }, arguments: input, ...Object.fromEntries(options) },
    additionalProperties: false,
    'x-tier': tier,
    'x-effect': effect,
    'x-errors': failuresOf(action),
  }
  return [
    [`${name}.call`, call],
    [`${name}.data`, action.job === true ? { anyOf: [output, jobSchema] } : { ...output }],
  ]
}

const jobSchema: JsonObject = {
  type: 'object',
  description: 'The work goes on: SVC_Jobs.get with this id shows its result.',
  required: ['job'],
  properties: { job: { type: 'object', required: ['id'], properties: { id: { type: 'string' } } } },
}

function examplesOf(actions: readonly Action[]): JsonObject {
  const examples = actions.flatMap((action) =>
    action.examples.map(
      ({ title, input }, at) =>
        [`${callName(action)}.${at + 1}`, { summary: title, value: { action: callName(action), arguments: input } }] as const,
    ),
  )
  return Object.fromEntries(examples)
}
