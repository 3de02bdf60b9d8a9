// Routes as data: a route has the policy of a path, and links are made from routes, so that no path is written twice.

import type { AddressKind } from './fetch-metadata.ts'
import type { Headers, Reply } from './reply.ts'
import type { Request } from './request.ts'

export type Params = Readonly<Record<string, string>>
export type Handler = (request: Request, params: Params) => Reply | Promise<Reply>
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS'
export type Methods = Readonly<Partial<Record<Method, Handler>>>

/** A handler for all methods of pages and programs. */
export const everyMethod = (handler: Handler): Methods => ({
  GET: handler,
  POST: handler,
  PUT: handler,
  PATCH: handler,
  DELETE: handler,
})

export interface Route {
  /**
   * The path: `/mcp/`, `/ext/:id` or `/user-content/*`. A segment after a colon is a parameter; a last `*` matches the rest as
   * `rest`.
   */
  readonly path: string
  /** The path with its last slash added or removed: another path, the same path, or a 302 to this one. */
  readonly slash: 'exact' | 'either' | 'redirect'
  readonly letterCase: 'exact' | 'any'
  /** Handlers by method. GET includes HEAD; any other method is 405 with `Allow`. */
  readonly methods: Methods
  /** Headers of the slash redirect. */
  readonly redirectHeaders?: Headers
  /** A label for failures and the access log; the router does not use it. */
  readonly door?: string
  /** The browser requests that the path answers; by default all. */
  readonly kind?: AddressKind
  /** True if the path is matched at the root of the origin, outside the base path. */
  readonly outside?: boolean
}

/**
 * The address of a route.
 * @param base origin and base path, `https://example.org/blog`, or the base path alone
 * @param params by name, `rest` for `*`; percent-encoded here
 * @throws Error naming the parameter that is missing
 */
export function href(route: Pick<Route, 'path'>, base: string, params: Params = {}): string {
  const filled = route.path.replace(/:([A-Za-z]\w*)|\*$/g, (_written, name: string | undefined) => {
    const value = params[name ?? 'rest']
    if (value === undefined) throw new Error(`The route ${route.path} needs the parameter ${name ?? 'rest'}.`)
    return name === undefined ? value.split('/').map(encodeURIComponent).join('/') : encodeURIComponent(value)
  })
  return base + filled
}
