// The output of `postern call CLASS.ACTION --help`: the summary of an action, its arguments, its options, and its examples as
// commands.

import type { TSchema } from 'typebox'
import { type Action, callName } from '../actions/call/action.ts'
import { describe } from '../actions/call/validate.ts'
import { toPair } from './call-input.ts'
import type { Io } from './command.ts'
import { configOf, hasSite, operator, withSite } from './open-site.ts'

/**
 * Returns the help of an action. Only an action of a plugin needs an open site.
 * @throws Failure `unknown_action`, with the nearest names
 */
export async function findActionHelp(io: Io, name: string): Promise<string> {
  // Loaded here, so that other commands start without the registry.
  const { allActions } = await import('../actions/all.ts')
  const { createRegistry, getVisible } = await import('../actions/call/registry.ts')
  const builtIn = createRegistry(allActions())
  if (builtIn.find(name) || !(await hasSite(configOf(io)))) return actionHelp(getVisible(builtIn, operator, name))
  return withSite(io, async ({ registry }) => actionHelp(getVisible(registry, operator, name)))
}

function actionHelp(action: Action): string {
  const examples = action.examples.flatMap(({ title, input }) => [`  # ${title}`, `  ${exampleCommand(action, input)}`])
  return [
    `postern call ${callName(action)} [key=value …]${optionsOf(action)}`,
    '',
    `  ${action.summary}`,
    `  It needs the tier ${action.tier}${action.effect === 'read' ? ', and changes nothing' : ''}.`,
    '',
    ...argumentLines(action),
    ...(examples.length === 0 ? [] : ['', examples.length === 2 ? 'Example:' : 'Examples:', ...examples]),
    '',
    `The JSON Schema of its arguments and answer: postern call SVC_API.describe-action action=${callName(action)} full=true`,
    '',
  ].join('\n')
}

function optionsOf(action: Action): string {
  if (action.effect === 'read') return ' [--select a,b] [--as EMAIL]'
  return ` [--dry-run]${action.revisioned ? ' [--if-revision N]' : ''} [--idempotency-key K] [--select a,b] [--as EMAIL]`
}

function argumentLines({ input }: Action): readonly string[] {
  const properties = Object.entries(input.properties)
  if (properties.length === 0) return ['It takes no arguments.']
  const required = input.required ?? []
  const width = Math.max(...properties.map(([key]) => key.length))
  const indent = ' '.repeat(width + 4)
  return [
    'Arguments:',
    ...properties.flatMap(([key, schema]) => {
      const { description } = schema as { readonly description?: string }
      const kind = `${required.includes(key) ? 'Required: ' : 'Optional: '}${describe(schema as TSchema & Readonly<Record<string, unknown>>)}.`
      const words = description === undefined ? [kind] : [description, kind]
      return words.map((line, at) => `${at === 0 ? `  ${key.padEnd(width)}  ` : indent}${line}`)
    }),
  ]
}

/** A call of an action in the form for a shell. */
export function exampleCommand(action: Action, input: Readonly<Record<string, unknown>>): string {
  const pairs = Object.entries(input).map(([key, value]) => quote(toPair(action, key, value)))
  return ['postern', 'call', callName(action), ...pairs].join(' ')
}

/** A word for the shell, in quotes if it needs them. */
const quote = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)
