// Reads the registrations from a plugin's process, which isn't trusted: names must belong to the plugin, and lists are limited.

import { Failure } from '../base/failure.ts'
import { isObject } from '../base/json.ts'
import { type PluginEvent, pluginEvents } from './api.ts'
import { type Manifest, ownClass } from './manifest.ts'
import { readObjectSchema } from './plugin-schema.ts'
import type { FilterName, Registered, RegisteredAction, RegisteredRoute } from './registered.ts'

const maxOfEach = 100
/** The size of a plugin's actions as JSON, limited because each change of a plugin reads them and compiles their schemas. */
const maxActionChars = 256 * 1024
const filterNames: readonly FilterName[] = ['page.html', 'entry.html', 'feed.item']
const methods: readonly string[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']
const tiers = ['any', 'read', 'content', 'admin'] as const
const effects = ['read', 'act'] as const

/** The shortest time between two runs of a job, and the longest, in milliseconds. */
const jobMs = { least: 30_000, most: 31 * 86_400_000 }

type Members = Readonly<Record<string, unknown>>

/**
 * Reads the registrations of a plugin.
 * @throws Failure `unprocessable` for a class that isn't the plugin's own, an invalid path, or a right that the manifest doesn't
 * declare (attack 114)
 */
export function readRegistered(value: unknown, manifest: Manifest): Registered {
  const lists = recordOf(value, 'what it registers')
  const actions = listOf(lists, 'actions').map((one, at) => readAction(recordOf(one, `actions.${at}`), `actions.${at}`, manifest))
  const twice = actions.find((one, at) => actions.findIndex((other) => nameOf(other) === nameOf(one)) !== at)
  if (twice) throw wrong('actions', `each registered once; ${nameOf(twice)} came twice`)
  if (JSON.stringify(actions).length > maxActionChars)
    throw wrong('actions', `described in fewer words: all of them in ${maxActionChars / 1024} KiB`)
  const authenticates = lists['authenticates'] === true
  if (authenticates && !manifest.may.includes('authenticate')) throw wrong('authenticate', 'declared in `may` of plugin.json')
  return {
    actions,
    filters: listOf(lists, 'filters').map((one, at) => choice(one, filterNames, `filters.${at}`)),
    routes: listOf(lists, 'routes').map((one, at) => readRoute(recordOf(one, `routes.${at}`), `routes.${at}`)),
    events: listOf(lists, 'events').map((one, at): PluginEvent => choice(one, pluginEvents, `events.${at}`)),
    jobs: listOf(lists, 'jobs').map((one, at) => ({ everyMs: readEvery(recordOf(one, `jobs.${at}`)['everyMs'], `jobs.${at}`) })),
    hooks: readHooks(lists['hooks']),
    authenticates,
  }
}

const nameOf = (action: RegisteredAction): string => `${action.class}.${action.action}`

function readAction(value: Members, field: string, manifest: Manifest): RegisteredAction {
  const className = text(value['class'], 100, `${field}.class`)
  if (!ownClass(manifest.id, className))
    throw wrong(`${field}.class`, `a class of the plugin's own, such as ${ownExample(manifest.id)}`)
  const action = text(value['action'], 60, `${field}.action`)
  if (!/^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/.test(action)) throw wrong(`${field}.action`, 'a name such as "count" or "count-all"')
  const summary = text(value['summary'], 200, `${field}.summary`)
  if (summary.trim() === '' || /\p{Cc}/u.test(summary)) throw wrong(`${field}.summary`, 'one line that says what it does')
  return {
    class: className,
    action,
    summary,
    tier: choice(value['tier'], tiers, `${field}.tier`),
    effect: choice(value['effect'], effects, `${field}.effect`),
    input: readObjectSchema(value['input'], `${field}.input`, 'input'),
    output: readObjectSchema(value['output'], `${field}.output`, 'output'),
    examples: readExamples(value['examples'] ?? [], `${field}.examples`),
  }
}

const ownExample = (id: string): string => `${id.toUpperCase().replaceAll('-', '_')}_Words`

function readExamples(value: unknown, field: string): NonNullable<RegisteredAction['examples']> {
  if (!Array.isArray(value) || value.length > 10) throw wrong(field, 'a list of at most 10')
  return value.map((one: unknown, at) => {
    const example = recordOf(one, `${field}.${at}`)
    return {
      title: text(example['title'], 200, `${field}.${at}.title`),
      input: recordOf(example['input'], `${field}.${at}.input`),
    }
  })
}

const routeForm = /^(?:\/(?:[A-Za-z0-9_~-][A-Za-z0-9._~-]*|:[A-Za-z]\w*))*(?:\/\*?)?$/

function readRoute(value: Members, field: string): RegisteredRoute {
  const path = text(value['path'], 300, `${field}.path`)
  if (!path.startsWith('/') || !routeForm.test(path))
    throw wrong(`${field}.path`, 'a path such as /hello, /files/:name or /all/*')
  return { method: choice(value['method'], methods, `${field}.method`), path }
}

function readHooks(value: unknown): number {
  const hooks = wholeNumber(value, 'beforeDispatch')
  if (hooks > maxOfEach) throw wrong('beforeDispatch', `called at most ${maxOfEach} times`)
  return hooks
}

function readEvery(value: unknown, field: string): number {
  const ms = wholeNumber(value, field)
  if (ms < jobMs.least || ms > jobMs.most) throw wrong(field, 'an interval from 30 seconds to 31 days')
  return ms
}

function listOf(lists: Members, name: string): readonly unknown[] {
  const list = lists[name] ?? []
  if (!Array.isArray(list) || list.length > maxOfEach) throw wrong(name, `a list of at most ${maxOfEach}`)
  return list as unknown[]
}

function recordOf(value: unknown, field: string): Members {
  if (!isObject(value)) throw wrong(field, 'an object')
  return value
}

function text(value: unknown, maxLength: number, field: string): string {
  if (typeof value !== 'string' || value.length > maxLength || !value.isWellFormed())
    throw wrong(field, `a text of at most ${maxLength} characters`)
  return value
}

function choice<const T extends string>(value: unknown, choices: readonly T[], field: string): T {
  const chosen = choices.find((one) => one === value)
  if (chosen === undefined) throw wrong(field, `one of ${choices.join(', ')}`)
  return chosen
}

function wholeNumber(value: unknown, field: string): number {
  const number = value ?? 0
  if (typeof number !== 'number' || !Number.isSafeInteger(number) || number < 0) throw wrong(field, 'a whole number')
  return number
}

function wrong(field: string, expected: string): Failure {
  return new Failure('unprocessable', `"${field}" of what the plugin registers must be ${expected}.`, { field, expected })
}
