// Finds the route for a path: literal paths by one Map look-up, then paths with parameters, then the fallback. Paths are decoded
// before they arrive. The route decides about slash and letter case. Regular expressions, optional segments and middleware are left
// out on purpose.

import { HttpFailure } from './failure.ts'
import type { AddressKind } from './fetch-metadata.ts'
import { headerUrl } from './header-text.ts'
import { redirect } from './reply.ts'
import type { Request } from './request.ts'
import { type Handler, href, type Methods, type Params, type Route } from './route.ts'

export interface Match {
  readonly handler: Handler
  readonly params: Params
  readonly door: string | undefined
  readonly kind: AddressKind | undefined
}

export interface Router {
  match(request: Pick<Request, 'method' | 'path' | 'basePath' | 'outside' | 'suspicious'>): Match
}

/** The handlers for paths that match no route. */
export interface Fallback {
  readonly methods: Methods
  readonly door?: string
}

/**
 * Handlers for paths with encoded slashes, backslashes or dot segments, and for paths outside the base path. The default is 404.
 */
export interface RouterOptions {
  readonly suspicious?: Handler
  readonly outside?: Handler
}

/** A compiled route: handlers by method, including HEAD and refusals. */
interface Entry {
  readonly byMethod: ReadonlyMap<string, Match>
  readonly other: Match
}

const noParams: Params = Object.freeze({})

/** Creates a router over a table. If two routes match, the first wins. */
export function createRouter(routes: readonly Route[], fallback: Fallback, options: RouterOptions = {}): Router {
  const inside = createTable(routes.filter((route) => route.outside !== true))
  const outside = createTable(routes.filter((route) => route.outside === true))
  const both = createTable(routes)
  const fallbackEntry = entryOf(fallback)
  const suspicious = toMatch(options.suspicious ?? nothingHere, fallback)
  const outsideMatch = toMatch(options.outside ?? nothingHere, fallback)
  return {
    match(request) {
      if (request.suspicious) return suspicious
      if (request.outside) return outside(request) ?? outsideMatch
      // Without a base path no path is outside of it, and routes marked `outside` are like any other.
      const find = request.basePath === '' ? both : inside
      return find(request) ?? pick(fallbackEntry, request.method)
    },
  }
}

/** Refuses a path at which there is nothing. */
export const nothingHere: Handler = () => {
  throw new HttpFailure('not_found', 'There is nothing here.')
}

/** The policy of a route, which each of its matches carries. */
type Policy = Pick<Route, 'door' | 'kind'>

const toMatch = (handler: Handler, { door, kind }: Policy): Match => ({ handler, params: noParams, door, kind })
const pick = (entry: Entry, method: string): Match => entry.byMethod.get(method) ?? entry.other

function createTable(routes: readonly Route[]): (request: Pick<Request, 'method' | 'path'>) => Match | undefined {
  const exact = new Map<string, Entry>()
  const folded = new Map<string, Entry>()
  const patterns = routes.filter((route) => isPattern(route.path)).map(compile)
  for (const route of routes) {
    if (isPattern(route.path)) continue
    const into = route.letterCase === 'any' ? folded : exact
    for (const [path, entry] of formsOf(route)) {
      const key = route.letterCase === 'any' ? path.toLowerCase() : path
      if (!into.has(key)) into.set(key, entry)
      if (into === folded && !exact.has(path)) exact.set(path, entry)
    }
  }
  return (request) => {
    const entry = exact.get(request.path) ?? folded.get(request.path.toLowerCase())
    return entry ? pick(entry, request.method) : firstMatch(patterns, request)
  }
}

const isPattern = (path: string): boolean => path.includes('/:') || path.endsWith('*')

/** The paths that a literal route answers, each with its handlers. */
function formsOf(route: Route): [string, Entry][] {
  const own: [string, Entry] = [route.path, entryOf(route)]
  const other = route.path.endsWith('/') ? route.path.slice(0, -1) : `${route.path}/`
  if (route.slash === 'exact' || other === '') return [own]
  return [own, [other, route.slash === 'either' ? own[1] : redirectEntry(route)]]
}

function entryOf(route: Policy & Pick<Route, 'methods'>): Entry {
  const handlers = new Map<string, Handler>(Object.entries(route.methods))
  const get = handlers.get('GET')
  if (get) handlers.set('HEAD', get)
  const allow = [...handlers.keys()].join(', ')
  const refuse: Handler = (request) => {
    throw new HttpFailure('wrong_method', `This address does not accept ${request.method}. Use ${allow}.`, { allow })
  }
  const matches = [...handlers].map(([method, handler]) => [method, toMatch(handler, route)] as const)
  return { byMethod: new Map(matches), other: toMatch(refuse, route) }
}

/**
 * Redirects every method to the path of the route. Clients turn a redirected POST into a GET, which old release profiles accept.
 */
function redirectEntry(route: Route): Entry {
  const send: Handler = (request, params) => {
    const at = request.target.indexOf('?')
    const query = at < 0 ? '' : request.target.slice(at)
    return redirect(302, headerUrl(href(route, request.basePath, params) + query), route.redirectHeaders)
  }
  return { byMethod: new Map(), other: toMatch(send, route) }
}

interface Pattern {
  readonly segments: readonly string[]
  readonly anyCase: boolean
  readonly entry: Entry
  readonly other: Entry | undefined
  readonly endsInSlash: boolean
  readonly catchesRest: boolean
}

function compile(route: Route): Pattern {
  const catchesRest = route.path.endsWith('*')
  const endsInSlash = !catchesRest && route.path.endsWith('/')
  const entry = entryOf(route)
  const bare = route.path.replace(/\/\*?$/, '').slice(1)
  return {
    segments: bare === '' ? [] : bare.split('/'),
    anyCase: route.letterCase === 'any',
    entry,
    other: route.slash === 'exact' ? undefined : route.slash === 'either' ? entry : redirectEntry(route),
    endsInSlash,
    catchesRest,
  }
}

function firstMatch(patterns: readonly Pattern[], request: Pick<Request, 'method' | 'path'>): Match | undefined {
  if (patterns.length === 0) return undefined
  const asked = request.path.slice(1).split('/')
  for (const pattern of patterns) {
    const match = matchPattern(pattern, asked, request.method)
    if (match) return match
  }
  return undefined
}

function matchPattern(pattern: Pattern, asked: readonly string[], method: string): Match | undefined {
  const { segments, anyCase, catchesRest } = pattern
  const slashed = !catchesRest && asked.length === segments.length + 1 && asked.at(-1) === ''
  if (catchesRest ? asked.length <= segments.length : asked.length !== segments.length && !slashed) return undefined
  const params: Record<string, string> = {}
  for (const [at, segment] of segments.entries()) {
    const given = asked[at] ?? ''
    if (segment.startsWith(':')) {
      if (given === '') return undefined
      params[segment.slice(1)] = given
    } else if (segment !== given && !(anyCase && segment.toLowerCase() === given.toLowerCase())) return undefined
  }
  if (catchesRest) params['rest'] = asked.slice(segments.length).join('/')
  const entry = catchesRest || slashed === pattern.endsInSlash ? pattern.entry : pattern.other
  return entry && { ...pick(entry, method), params }
}
