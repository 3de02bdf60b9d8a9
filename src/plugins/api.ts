// What the author of a plugin has: the one argument of `activate`, and the types of what is given and taken there. Nothing here runs.
// A plugin in TypeScript, or in JavaScript with JSDoc, takes its types from this file.

/** What `plugin.json` holds. */
export interface PluginManifest {
  /** `useful`, `legacy-bridge`: lower-case letters, digits and single hyphens, 2 to 32 characters. Its classes begin with it in capitals. */
  readonly id: string
  readonly name: string
  /** `1.2.0` */
  readonly version: string
  /** The ES module that exports `activate`, relative to this folder. */
  readonly main: string
  readonly description?: string
  /** What it reaches for beyond itself: `call:SVC_Content.*`, `reach:api.example.com`, `authenticate`. */
  readonly may?: readonly string[]
  readonly settings?: Readonly<Record<string, PluginSetting>>
}

/** A setting that the owner fills in. A `secret` is never shown again. */
export interface PluginSetting {
  readonly kind: 'text' | 'number' | 'boolean' | 'choice' | 'secret'
  readonly label: string
  readonly help?: string
  readonly default?: string | number | boolean
  /** Of a `choice`. */
  readonly options?: readonly string[]
}

/** What `activate` is given. Everything is registered before the promise of `activate` settles; later it is refused. */
export interface Postern {
  readonly plugin: { readonly id: string; readonly name: string; readonly version: string }
  /** As the owner configured them, defaults filled in. */
  readonly settings: Readonly<Record<string, string | number | boolean>>
  readonly log: PluginLog
  /** Throw one to say no in so many words; anything else that is thrown counts as the plugin's failing. */
  readonly Failure: new (
    code: PluginFailureCode,
    message: string,
    detail?: { field?: string; expected?: string; hint?: string },
  ) => Error
  /** Adds an action: from then on every door has it. */
  action(declaration: PluginAction): void
  /** Passes what visitors get through a function. What `entry.html` answers is cleaned as any text; `page.html` is the whole document. */
  filter(name: 'page.html' | 'entry.html', fn: (html: string, about: FilterAbout) => string | Promise<string>): void
  /** Items of feeds, where the site has feeds. */
  filter(name: 'feed.item', fn: (item: FeedItem, about: FilterAbout) => FeedItem | Promise<FeedItem>): void
  /** Serves `/ext/ID/…`: `path` begins with a slash, `:name` is one segment, a last `*` is the rest. */
  route(
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    fn: (request: RouteRequest) => RouteReply | Promise<RouteReply>,
  ): void
  /**
   * Is asked before each call over `/mcp/` and `/api/`, of a batch about each in it too; what it answers may refuse the call.
   * On release profiles up to 0.11 it is asked about every other request to `/mcp/` too: `call` is then its method, such as `initialize`.
   */
  beforeDispatch(
    fn: (call: CallAbout) => void | undefined | { refuse: string } | Promise<void | undefined | { refuse: string }>,
  ): void
  /** Says whose key came in `X-API-Key`. Needs the right `authenticate`. */
  authenticate(fn: (request: KeyRequest) => KeyAnswer | Promise<KeyAnswer>): void
  /** Is told of what happened, after it is done. */
  on(event: PluginEvent, fn: (about: EventAbout) => void | Promise<void>): void
  /** Runs again and again: `30 seconds` at the least, `15 minutes`, `6 hours`, `1 day`. One process of the site runs it each time. */
  every(interval: string, fn: () => void | Promise<void>): void
  /** Calls an action with the plugin's own rights (`call:…` in `may`), or one of its own. @throws Failure as the action does */
  call(className: string, action: string, input?: Readonly<Record<string, unknown>>, options?: CallOptions): Promise<unknown>
  /** Asks a host that `may` names with `reach:`. Redirects are followed within such hosts. */
  fetch(url: string, init?: FetchInit): Promise<FetchReply>
}

export interface PluginLog {
  info(message: string, fields?: Readonly<Record<string, unknown>>): void
  warn(message: string, fields?: Readonly<Record<string, unknown>>): void
  error(message: string, fields?: Readonly<Record<string, unknown>>): void
}

/** The codes with which a plugin may say no. */
export type PluginFailureCode =
  | 'invalid'
  | 'not_found'
  | 'conflict'
  | 'exists'
  | 'in_use'
  | 'too_large'
  | 'unprocessable'
  | 'refused'
  | 'unreachable'
  | 'unavailable'

/** A schema in the words that plugins have: JSON Schema without patterns and references. */
export type PluginSchema =
  | {
      readonly type: 'string'
      readonly description?: string
      readonly minLength?: number
      readonly maxLength?: number
      readonly enum?: readonly string[]
    }
  | { readonly type: 'integer' | 'number'; readonly description?: string; readonly minimum?: number; readonly maximum?: number }
  | { readonly type: 'boolean'; readonly description?: string }
  | {
      readonly type: 'array'
      readonly description?: string
      readonly items: PluginSchema
      readonly minItems?: number
      readonly maxItems?: number
    }
  | PluginObjectSchema

/**
 * Members that `required` doesn't name may be left out. An input has no other members than `properties` names. An output may have others where
 * it says so in `additionalProperties`; an output without `properties` may be any object.
 */
export interface PluginObjectSchema {
  readonly type: 'object'
  readonly description?: string
  readonly properties?: Readonly<Record<string, PluginSchema>>
  readonly required?: readonly string[]
  /** Of outputs only: whether members with other names are allowed, or what each of them is. */
  readonly additionalProperties?: boolean | PluginSchema
}

export interface PluginAction {
  /** `USEFUL_Words`: the plugin's id in capitals (`-` becomes `_`), an underscore, one word in CamelCase. */
  readonly class: string
  /** `count`, `count-all` */
  readonly action: string
  /** One line. */
  readonly summary: string
  readonly tier: 'any' | 'read' | 'content' | 'admin'
  /** `act`: it changes something, here or outside. What the calls that it makes change can each be undone. */
  readonly effect: 'read' | 'act'
  readonly input: PluginObjectSchema
  readonly output: PluginObjectSchema
  readonly examples?: readonly { readonly title: string; readonly input: Readonly<Record<string, unknown>> }[]
  run(
    input: Readonly<Record<string, unknown>>,
    about: CallAbout,
  ): Promise<Readonly<Record<string, unknown>>> | Readonly<Record<string, unknown>>
}

/** What is known of a call and its caller. */
export interface CallAbout {
  readonly door: string
  /** `SVC_Content.get` */
  readonly call: string
  readonly input: Readonly<Record<string, unknown>>
  readonly caller: { readonly tier: string; readonly account: string | null; readonly token: string | null }
  /** Nothing may be changed: calls that this one makes are dry runs too, and requests are refused. */
  readonly dryRun: boolean
}

export interface FilterAbout {
  /** Of the page: `/about`. */
  readonly path: string
  /** Undefined on the home page and on lists. */
  readonly entry?: { readonly id: string; readonly type: string; readonly title: string; readonly path: string | null }
}

export interface FeedItem {
  readonly title: string
  readonly url: string
  readonly html: string
}

/** A request below `/ext/ID/`. Cookies and `Authorization` are never passed on. */
export interface RouteRequest {
  readonly method: string
  /** Below `/ext/ID`: `/hello`. */
  readonly path: string
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
  readonly headers: Readonly<Record<string, string>>
  /** As UTF-8; `bodyBase64` has the bytes. */
  readonly body: string
  readonly bodyBase64: string
  readonly client: string
}

/** No cookie is set, no script is served, and the page is sandboxed: it is not the site's own. */
export interface RouteReply {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** Text, or a value that goes out as JSON. */
  readonly body?: unknown
  /** Bytes, in place of `body`. */
  readonly bodyBase64?: string
}

export interface KeyRequest {
  readonly door: 'mcp' | 'api'
  readonly path: string
  /** What `X-API-Key` held; null where it didn't come. */
  readonly key: string | null
}

/** Who it is, or an answer to give as it is; undefined: not one of ours. */
export type KeyAnswer =
  | { readonly scope: 'read' | 'content' | 'admin'; readonly name: string }
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: string }
  | undefined

export const pluginEvents = [
  'entry.created',
  'entry.updated',
  'entry.published',
  'entry.unpublished',
  'entry.deleted',
  'entry.restored',
  'entry.purged',
  'settings.updated',
] as const
export type PluginEvent = (typeof pluginEvents)[number]

export interface EventAbout {
  readonly event: PluginEvent
  /** The entry's id, or the setting's key. */
  readonly id: string
  /** UTC, ISO 8601. */
  readonly at: string
}

export interface CallOptions {
  readonly dry_run?: boolean
  readonly if_revision?: number
  readonly idempotency_key?: string
  readonly select?: readonly string[]
}

export interface FetchInit {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** At most 10 MiB within 10 seconds, and half a second before the function that asks must have answered. */
export interface FetchReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly bodyBase64: string
}

/** The module that `main` names. */
export interface PluginModule {
  activate(postern: Postern): void | Promise<void>
}
