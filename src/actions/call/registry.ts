// All actions, by name. A caller finds only the actions that it may run. Their schemas follow the types of entries that the owner
// defines.

import { type Caller, classesOf, includesTier } from '../../identity/caller.ts'
import { builtInTypes, type EntryTypes } from '../../content/types/entry-types.ts'
import { resolveSchema } from '../../content/types/followed-schemas.ts'
import { Failure } from '../../base/failure.ts'
import { type Action, callName } from './action.ts'
import { nearDetail } from '../../base/nearest.ts'
import { nearestActions } from './nearest-action.ts'

export interface Registry {
  /** All actions by class and declaration, those of plugins last. */
  readonly all: readonly Action[]
  /** Replaces the actions of plugins. @throws Error if a name is taken */
  replacePlugins(actions: readonly Action[]): void
  /**
   * Returns the action with a name such as `SVC_Content.get`, without a check of the caller.
   * @param types the types for its schemas, if not the present ones
   */
  find(name: string, types?: EntryTypes): Action | undefined
  /** Returns the actions that a caller may run, in the same order. */
  visibleTo(caller: Caller): readonly Action[]
}

/** Classes that every token can call, whatever `limits.classes` says, because they are needed to find the others. */
const alwaysOpen: ReadonlySet<string> = new Set(['SVC_API', 'SVC_Docs'])

/**
 * Creates a registry of these actions.
 * @param types the types of entries; each change of a type gives the actions new schemas
 * @throws Error if two actions have the same name
 */
export function createRegistry(
  actions: readonly Action[],
  types: { readonly current: EntryTypes } = { current: builtInTypes },
): Registry {
  let plugins: readonly Action[] = []
  let made = versionOf(actions, types.current)
  const declared = indexOf(actions)
  /** Returns the actions with the schemas of the present types, which cache their compiled schemas. */
  const present = (): Version => {
    if (made.types !== types.current) made = versionOf([...actions, ...plugins], types.current)
    return made
  }
  return {
    get all() {
      return present().all
    },
    replacePlugins(more) {
      made = versionOf([...actions, ...more], types.current)
      plugins = more
    },
    find(name, asIn) {
      const found = present().byName.get(name)
      if (!found || asIn === undefined || asIn === types.current) return found
      return withTypes(declared.get(name) ?? found, asIn)
    },
    visibleTo: (caller) => present().all.filter((action) => isVisible(action, caller)),
  }
}

interface Version {
  readonly types: EntryTypes
  readonly all: readonly Action[]
  readonly byName: ReadonlyMap<string, Action>
}

function versionOf(actions: readonly Action[], types: EntryTypes): Version {
  const all = actions.map((action) => withTypes(action, types))
  return { types, all, byName: indexOf(all) }
}

function withTypes(action: Action, types: EntryTypes): Action {
  const [input, output] = [resolveSchema(action.input, types), resolveSchema(action.output, types)]
  return input === action.input && output === action.output ? action : { ...action, input, output }
}

function indexOf(actions: readonly Action[]): ReadonlyMap<string, Action> {
  const byName = new Map(actions.map((action) => [callName(action), action]))
  if (byName.size !== actions.length) throw new Error('Two actions have the same name.')
  return byName
}

/** True if a caller may see and run an action, by its tier and its token's limits on classes. */
export function isVisible(action: Action, caller: Caller): boolean {
  if (!includesTier(caller.tier, action.tier)) return false
  if (caller.plugin) return caller.plugin.calls.some((right) => right === callName(action) || right === `${action.class}.*`)
  return isClassAllowed(caller, action.class)
}

/** True if a token's limits on classes allow this class. */
export function isClassAllowed(caller: Caller, className: string): boolean {
  const classes = classesOf(caller)
  return classes === undefined || alwaysOpen.has(className) || classes.includes(className)
}

/**
 * Returns the action with a name, for a caller who may run it.
 * @throws Failure `unknown_action`, the same for an action that the caller may not run and for a name without an action (attack 78)
 */
export function getVisible(registry: Registry, caller: Caller, name: string): Action {
  const action = registry.find(name)
  if (action && isVisible(action, caller)) return action
  throw new Failure('unknown_action', `Unknown tool: ${name}`, {
    ...nearDetail(nearestActions(name, registry.visibleTo(caller).map(callName))),
    hint: `${hintFor(name)}${hintAbout(caller)}`,
  })
}

/** Says by which rights the caller asks: the same for every name, so that it tells nothing of the action. */
const hintAbout = ({ tier, token, plugin }: Caller): string => {
  if (plugin !== undefined || tier === 'admin') return ''
  if (tier === 'any') return ' Without a token, only what reads the public site can be called.'
  return token ? ` Your token has the scope \`${tier}\`.` : ''
}

/** Looks only at the spelling of a name, so that the hint doesn't reveal which actions exist. */
function hintFor(name: string): string {
  const dotted = dottedName(name)
  if (dotted !== undefined) return `Actions are named with a dot: ${dotted}`
  const [given, again] = name.split('.')
  if (name.split('.').length === 3)
    return `The class is given twice, as ${given} and as ${again}. Leave \`class\` out where \`action\` names it.`
  return 'SVC_API.list-actions lists what you may call.'
}

/** Returns `CLASS.ACTION` of a class and an action, which may name the same class again. */
export const nameIn = (ofClass: string | undefined, action: string): string =>
  ofClass === undefined || (action.includes('.') && action.startsWith(`${ofClass}.`)) ? action : `${ofClass}.${action}`

/**
 * Returns `SVC_Content.get` for `SVC_Content__get`, MCP's spelling; undefined for other names. It looks only at the spelling, so it
 * doesn't reveal which actions exist.
 */
export function dottedName(name: string): string | undefined {
  const last = name.slice(name.lastIndexOf('.') + 1)
  const at = last.indexOf('__')
  return at > 0 && at + 2 < last.length ? `${last.slice(0, at)}.${last.slice(at + 2)}` : undefined
}
