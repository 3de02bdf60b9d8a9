// What differs between releases: a row a behaviour, a column a release. Code asks `release.slashlessMcp`, never which version it is.

/** The releases whose behaviour can be shown; `POSTERN_COMPAT` picks one. */
export const releases = ['0.9', '0.10', '0.11', '1'] as const
export type ReleaseName = (typeof releases)[number]

type Row<T> = readonly [v0_9: T, v0_10: T, v0_11: T, v1: T]

/** Keeps each row's values a union of literals. */
const row = <const T>(v0_9: T, v0_10: T, v0_11: T, v1: T): Row<T> => [v0_9, v0_10, v0_11, v1]

/** The table (INTERFACE.md "Versioning"; DESIGN.md "Release profiles"). */
const table = {
  /** Whether `/mcp/` serves a caller without a usable token, at the read-only tier, or challenges it with 401. */
  mcpAnonymous: row<boolean>(true, false, false, false),
  /** What a POST to `/mcp`, without the slash, gets. */
  slashlessMcp: row<'redirect' | 'redirect-below-slug' | 'direct'>('redirect', 'redirect-below-slug', 'direct', 'direct'),
  /** Whether `/MCP` is the endpoint; where not, it answers 302 to `/MCP/`, which is missing. */
  slugCase: row<'exact' | 'any'>('exact', 'exact', 'any', 'any'),
  /** Whether clients may register themselves; where not, no document says so and the endpoint is missing. */
  registration: row<boolean>(false, true, true, true),
  /** How the expiry of a code, written in UTC, is read back: `local` takes it for local time, and it is dead at issue ahead of UTC. */
  codeExpiry: row<'local' | 'utc'>('local', 'local', 'utc', 'utc'),
  /** Whether authorize demands `state`; where not, PKCE protects alone. */
  stateRequired: row<boolean>(true, true, true, false),
  /** Which scope the question to the owner begins with: `content` at most, or the one that the app asked for. */
  consentScope: row<'asked' | 'content'>('asked', 'asked', 'asked', 'content'),
  /** Who registers the first admin: whoever visits first, or whoever has the link that the start printed. */
  firstVisit: row<'open' | 'code'>('open', 'open', 'open', 'code'),
  /** Whether a slug that the service needs itself is refused to entries. */
  reservedSlugs: row<boolean>(false, true, true, true),
  /** Whether Site Settings has a Time Zone. */
  timeZoneSetting: row<boolean>(false, false, true, true),
  /** What a request with an invalid UTF-8 byte gets. */
  badUtf8Request: row<'empty' | 'replace' | 'refuse'>('empty', 'empty', 'replace', 'refuse'),
  /** What becomes of an answer that holds a lone surrogate. */
  badUtf8Answer: row<'empty' | 'replace'>('empty', 'empty', 'replace', 'replace'),
  /** Whose `X-Forwarded-Proto` sets the scheme of advertised addresses; ignored, it is `POSTERN_BASE_URL`'s, else http. */
  forwardedProto: row<'ignored' | 'anyone' | 'trusted'>('ignored', 'ignored', 'anyone', 'trusted'),
  /** Whose `X-Forwarded-For` names the client's address. */
  forwardedFor: row<'anyone' | 'trusted'>('anyone', 'anyone', 'anyone', 'trusted'),
  /** Which requests to `/mcp/` with a usable token ask the plugins that stand before dispatch: all of them, or those that call an action. */
  pluginPath: row<'requests' | 'calls'>('requests', 'requests', 'requests', 'calls'),
  /** Where what a plugin prints goes: before the body of the answer that it was printed in, or to the log. */
  pluginOutput: row<'body' | 'log'>('body', 'body', 'body', 'log'),
  /** What a plugin's fatal makes of the answer: a page of its own, with nothing done about the plugin, or an error in the door's form. */
  pluginFatal: row<'page' | 'error'>('page', 'page', 'page', 'error'),
  /** What is answered while maintenance is on: a page, with 200, or 503 in the door's form. */
  maintenance: row<'page' | 'error'>('page', 'page', 'page', 'error'),
  /** What an active bridge does to native tokens: it takes over from them, or serves only requests that bring its own key. */
  bridge: row<'takes-over' | 'beside'>('takes-over', 'takes-over', 'takes-over', 'beside'),
} as const satisfies Record<string, Row<unknown>>

/** One release's column, by behaviour. */
export type Release = { readonly name: ReleaseName } & {
  readonly [K in keyof typeof table]: (typeof table)[K] extends Row<infer T> ? T : never
}

/** The column of a release. */
export function releaseOf(name: ReleaseName): Release {
  const column = releases.indexOf(name)
  const cells = Object.entries(table).map(([behaviour, cells]) => [behaviour, cells[column]])
  return Object.freeze({ name, ...Object.fromEntries(cells) }) as Release
}
