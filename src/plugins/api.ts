// The API for authors of plugins: the argument of `activate` and its types. A plugin in TypeScript, or in JavaScript with JSDoc,
// imports its types from this file. This file contains no code that runs, except the list of events.

/** The contents of `plugin.json`. */
export interface PluginManifest {
  /** Such as `legacy-bridge`: 2 to 32 lower-case letters, digits and single hyphens. Action classes begin with it in capitals. */
  readonly id: string
  readonly name: string
  /** Such as `1.2.0`. */
  readonly version: string
  /** The ES module that exports `activate`, relative to the folder of `plugin.json`. */
  readonly main: string
  readonly description?: string
  /** The rights that the plugin asks for: `call:SVC_Content.*`, `reach:api.example.com`, `authenticate`. */
  readonly may?: readonly string[]
  readonly settings?: Readonly<Record<string, PluginSetting>>
}

/** A setting that the owner fills in. A `secret` is never shown again. */
export interface PluginSetting {
  readonly kind: 'text' | 'number' | 'boolean' | 'choice' | 'secret'
  readonly label: string
  readonly help?: string
  readonly default?: string | number | boolean
  /** The options of a `choice`. */
  readonly options?: readonly string[]
}

/** The argument of `activate`. Register everything before the promise of `activate` settles: later registrations are refused. */
export interface Postern {
  readonly plugin: { readonly id: string; readonly name: string; readonly version: string }
  /** The settings as the owner configured them, with defaults filled in. */
  readonly settings: Readonly<Record<string, string | number | boolean>>
  readonly log: PluginLog
  /** The class to throw for refusing a call with a message. Any other error counts as a failure of the plugin. */
  readonly Failure: new (
    code: PluginFailureCode,
    message: string,
    detail?: { field?: string; expected?: string; hint?: string },
  ) => Error
  /** Adds an action, which can then be called over MCP, the API and the command line. */
  action(declaration: PluginAction): void
  /** Changes what visitors get. The result of `entry.html` is sanitised like every entry; `page.html` gets the whole document. */
  filter(name: 'page.html' | 'entry.html', fn: (html: string, about: FilterAbout) => string | Promise<string>): void
  /** Changes the items of feeds, if the site has feeds. */
  filter(name: 'feed.item', fn: (item: FeedItem, about: FilterAbout) => FeedItem | Promise<FeedItem>): void
  /**
   * Serves paths below `/ext/ID/`. `path` begins with a slash, `:name` matches one segment, and a `*` at the end matches the rest.
   */
  route(
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    fn: (request: RouteRequest) => RouteReply | Promise<RouteReply>,
  ): void
  /**
   * Runs before each call over `/mcp/` and `/api/`, and before each call in a batch. Returning `{ refuse }` refuses the call. On
   * release profiles up to 0.11 it also runs before every other request to `/mcp/`: `call` is then its method, such as
   * `initialize`.
   */
  beforeDispatch(
    fn: (call: CallAbout) => void | undefined | { refuse: string } | Promise<void | undefined | { refuse: string }>,
  ): void
  /** Identifies the caller by the key in `X-API-Key`. Needs the right `authenticate`. */
  authenticate(fn: (request: KeyRequest) => KeyAnswer | Promise<KeyAnswer>): void
  /** Runs after an event. */
  on(event: PluginEvent, fn: (about: EventAbout) => void | Promise<void>): void
  /** Runs at an interval such as `15 minutes` or `1 day`, at least `30 seconds`. One process of the site runs it each time. */
  every(interval: string, fn: () => void | Promise<void>): void
  /** Calls one of the plugin's own actions, or an action for which it has the right `call:…`. @throws Failure as the action does */
  call(
    className: string,
    action: string,
    input?: Readonly<Record<string, unknown>>,
    options?: PluginCallOptions,
  ): Promise<unknown>
  /** Sends a request to a host for which the plugin has the right `reach:…`. Redirects are followed to such hosts only. */
  fetch(url: string, init?: FetchInit): Promise<FetchReply>
}

export interface PluginLog {
  info(message: string, fields?: Readonly<Record<string, unknown>>): void
  warn(message: string, fields?: Readonly<Record<string, unknown>>): void
  error(message: string, fields?: Readonly<Record<string, unknown>>): void
}

/** The codes of failures that a plugin may throw. */
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

/** The part of JSON Schema that plugins can use: no patterns and no references. */
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
 * Members that `required` doesn't name are optional. An input can have only the members in `properties`. An output may have others
 * if `additionalProperties` allows them; an output without `properties` may be any object.
 */
export interface PluginObjectSchema {
  readonly type: 'object'
  readonly description?: string
  readonly properties?: Readonly<Record<string, PluginSchema>>
  readonly required?: readonly string[]
  /** For outputs only: true to allow members with other names, or the schema of those members. */
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
  /** `act`: the action changes something, on the site or elsewhere. Each change by a call that it makes can be undone. */
  readonly effect: 'read' | 'act'
  readonly input: PluginObjectSchema
  readonly output: PluginObjectSchema
  readonly examples?: readonly { readonly title: string; readonly input: Readonly<Record<string, unknown>> }[]
  run(
    input: Readonly<Record<string, unknown>>,
    about: CallAbout,
  ): Promise<Readonly<Record<string, unknown>>> | Readonly<Record<string, unknown>>
}

/** A call and its caller. */
export interface CallAbout {
  readonly door: string
  /** `SVC_Content.get` */
  readonly call: string
  readonly input: Readonly<Record<string, unknown>>
  readonly caller: { readonly tier: string; readonly account: string | null; readonly token: string | null }
  /** True if the call must change nothing. Its own calls are then dry runs too, and `fetch` is refused. */
  readonly dryRun: boolean
}

export interface FilterAbout {
  /** The path of the page, such as `/about`. */
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
  /** The path below `/ext/ID`, such as `/hello`. */
  readonly path: string
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
  readonly headers: Readonly<Record<string, string>>
  /** The body decoded as UTF-8; `bodyBase64` has the bytes. */
  readonly body: string
  readonly bodyBase64: string
  readonly client: string
}

/** A plugin's page can't set cookies or run scripts: the browser shows it in a sandbox, apart from the site's own pages. */
export interface RouteReply {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** Text, or a value that is sent as JSON. */
  readonly body?: unknown
  /** Bytes, instead of `body`. */
  readonly bodyBase64?: string
}

export interface KeyRequest {
  readonly door: 'mcp' | 'api'
  readonly path: string
  /** The value of `X-API-Key`; null if the request has none. */
  readonly key: string | null
}

/** The caller, or an answer to send as it is; undefined if the plugin does not know the key. */
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

export interface PluginCallOptions {
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

/** A body has at most 10 MiB. A request takes at most 10 seconds, and ends half a second before the caller's time limit. */
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
