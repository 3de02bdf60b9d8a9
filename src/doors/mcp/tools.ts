// The three tools as `tools/list` describes them. Their schemas are those of their actions; call-tool.ts runs them.

import type { Action } from '../../actions/call/action.ts'
import type { Registry } from '../../actions/call/registry.ts'
import type { JsonObject } from '../../base/json.ts'

/** The names of the tools, in the order of the list. The first one succeeds with `{}`, which some clients try. */
const toolNames = ['SVC_API__list-actions', 'SVC_API__describe-action', 'SVC_API__call-action'] as const
export type ToolName = (typeof toolNames)[number]

/** The description of a tool in `tools/list`. */
export interface Tool {
  readonly name: ToolName
  readonly title: string
  readonly description: string
  readonly inputSchema: JsonObject
  readonly outputSchema: JsonObject
  readonly annotations: JsonObject
}

/**
 * Lists the three tools, which are the same for every caller, except for one annotation.
 * @param readsOnly true for a caller who can only read
 */
export function listTools(registry: Registry, readsOnly: boolean): readonly Tool[] {
  const list = getAction(registry, 'SVC_API.list-actions')
  const describe = getAction(registry, 'SVC_API.describe-action')
  return [
    {
      name: 'SVC_API__list-actions',
      title: 'List actions',
      description:
        'Anonymous callers may list the actions that read the public site. With a token the list holds every action that the token ' +
        'may use. {} lists them all by class and effect (read, write, act, destroy), with a few words on each; "search" finds them by what ' +
        'you want to do.',
      inputSchema: list.input as unknown as JsonObject,
      outputSchema: answerOf(list.output as unknown as JsonObject),
      annotations: reading('List actions'),
    },
    {
      name: 'SVC_API__describe-action',
      title: 'Describe an action',
      description:
        'Anonymous callers may describe the actions that read the public site; with a token, every action that the token may use. ' +
        'Answers its arguments and its answer as types, with "full" as JSON Schema, worked examples, and the errors to be ready for.',
      inputSchema: describe.input as unknown as JsonObject,
      outputSchema: answerOf({ type: 'object', description: 'The description; for a list of names, `items`.' }),
      annotations: reading('Describe an action'),
    },
    {
      name: 'SVC_API__call-action',
      title: 'Call an action',
      description:
        'Anonymous callers may call the actions that read the public site and change nothing. With a token it runs any action that ' +
        'the token may use, those that write among them. Call SVC_API.welcome first; SVC_API__describe-action describes the arguments.',
      inputSchema: callInput,
      outputSchema: answerOf({ type: 'object', description: "The action's answer, as SVC_API__describe-action describes it." }),
      annotations: readsOnly
        ? { ...reading('Call an action'), openWorldHint: true }
        : { title: 'Call an action', readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
    },
  ]
}

const text = (description: string, more: JsonObject = {}): JsonObject => ({ type: 'string', ...more, description })

/** The arguments of `call-action`: the name of an action, its arguments, and the options of a call. */
const callInput = {
  type: 'object',
  properties: {
    class: text('Class of the action, such as `SVC_Content`; may be left out where `action` names it.', { maxLength: 200 }),
    action: text('Action, such as `get`, or with its class: `SVC_Content.get`.', { maxLength: 200 }),
    arguments: { type: 'object', description: "The action's own arguments." },
    select: {
      type: 'array',
      items: { type: 'string' },
      minItems: 1,
      maxItems: 50,
      description: 'Fields to return of each object in the answer. Dots name nested fields.',
    },
    dry_run: { type: 'boolean', description: 'For a write: answers what would change, and changes nothing.' },
    if_revision: {
      type: 'integer',
      minimum: 0,
      description: 'For a write: the call fails unless the object is still at this revision.',
    },
    idempotency_key: text('For a write: the same call with the same key within 24 hours gets the first answer again.', {
      minLength: 1,
      maxLength: 200,
    }),
  },
  required: ['action'],
  additionalProperties: false,
} as const

function getAction(registry: Registry, name: string): Action {
  const found = registry.find(name)
  if (!found) throw new Error(`The tools need the action ${name}, which is not registered.`)
  return found
}

const reading = (title: string): JsonObject => ({
  title,
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
})

/** The schema of every tool's answer: the same object as in the answer of `/api/`. */
function answerOf(data: JsonObject): JsonObject {
  return {
    type: 'object',
    properties: {
      success: { type: 'boolean' },
      data,
      error: {
        type: 'object',
        properties: { code: { type: 'string' }, message: { type: 'string' } },
        required: ['code', 'message'],
        description: 'Why not, and what to do instead.',
      },
    },
    required: ['success'],
  }
}
