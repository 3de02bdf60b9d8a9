// The differences between releases: one row per behaviour, one column per release. Code asks for `release.slashlessMcp` and never
// for the version. The behaviour of old releases at the doors is in `doors/shared/profiles/`.

/** The releases whose behaviour can be shown; `POSTERN_COMPAT` picks one. */
export const releases = ['0.9', '0.10', '0.11', '1'] as const
export type ReleaseName = (typeof releases)[number]

type Row<T> = readonly [v0_9: T, v0_10: T, v0_11: T, v1: T]

/** Infers each row's type as a union of literals. */
const row = <const T>(v0_9: T, v0_10: T, v0_11: T, v1: T): Row<T> => [v0_9, v0_10, v0_11, v1]

/** The table. The document `release-profiles` explains each row. */
const table = {
  /** True if `/mcp/` serves a caller without a usable token at the read-only tier; otherwise it answers 401 with the challenge. */
  mcpAnonymous: row<boolean>(true, false, false, false),
  /** The answer to a POST to `/mcp`, without the slash. */
  slashlessMcp: row<'redirect' | 'redirect-below-slug' | 'direct'>('redirect', 'redirect-below-slug', 'direct', 'direct'),
  /** The letter case of `/mcp`. With `any`, `/MCP` is the endpoint; with `exact`, it answers 302 to `/MCP/`, which is a 404. */
  slugCase: row<'exact' | 'any'>('exact', 'exact', 'any', 'any'),
  /** True if clients may register themselves; otherwise the endpoint is missing and no document mentions it. */
  registration: row<boolean>(false, true, true, true),
  /**
   * The zone in which the expiry of a code is read. It is written in UTC. `local` reads it as local time, so that ahead of UTC
   * codes are expired at issue.
   */
  codeExpiry: row<'local' | 'utc'>('local', 'local', 'utc', 'utc'),
  /** True if `/oauth/authorize` requires `state`; otherwise only PKCE protects the request. */
  stateRequired: row<boolean>(true, true, true, false),
  /** The scope that is selected at first when the owner is asked: the scope that the app requested, or at most `content`. */
  consentScope: row<'asked' | 'content'>('asked', 'asked', 'asked', 'content'),
  /** The person who registers the first admin: the first visitor, or a person with the link that the start prints. */
  firstVisit: row<'open' | 'code'>('open', 'open', 'open', 'code'),
  /** True if entries may not use slugs that the service needs itself. */
  reservedSlugs: row<boolean>(false, true, true, true),
  /** True if Site Settings has a Time Zone. */
  timeZoneSetting: row<boolean>(false, false, true, true),
  /** The answer to a request with an invalid UTF-8 byte. */
  badUtf8Request: row<'empty' | 'replace' | 'refuse'>('empty', 'empty', 'replace', 'refuse'),
  /** The form of an answer with a lone surrogate. */
  badUtf8Answer: row<'empty' | 'replace'>('empty', 'empty', 'replace', 'replace'),
  /**
   * The senders whose `X-Forwarded-Proto` sets the scheme of links. If it is ignored, the scheme is that of `POSTERN_BASE_URL`,
   * else http.
   */
  forwardedProto: row<'ignored' | 'anyone' | 'trusted'>('ignored', 'ignored', 'anyone', 'trusted'),
  /** The senders whose `X-Forwarded-For` names the client's address. */
  forwardedFor: row<'anyone' | 'trusted'>('anyone', 'anyone', 'anyone', 'trusted'),
  /** The requests to `/mcp/` that plugins before dispatch are asked about: all with a usable token, or only calls of actions. */
  pluginPath: row<'requests' | 'calls'>('requests', 'requests', 'requests', 'calls'),
  /** The place of the output of a plugin: before the body of the answer, or in the log. */
  pluginOutput: row<'body' | 'log'>('body', 'body', 'body', 'log'),
  /** The answer if a plugin breaks: an HTML page, with no effect on the plugin, or an error in the form of the door. */
  pluginFatal: row<'page' | 'error'>('page', 'page', 'page', 'error'),
  /** The answer while maintenance is on: an HTML page with 200, or 503 in the form of the door. */
  maintenance: row<'page' | 'error'>('page', 'page', 'page', 'error'),
  /** True if `SVC_Proposals.approve` requires the digest of the changes that the caller saw. The admin's pages always send it. */
  approvalDigest: row<boolean>(false, false, false, true),
  /**
   * The form of `SVC_API.list-actions`, `SVC_API.describe-action`, `SVC_Docs.list` and `SVC_Themes.get`: everything in one answer,
   * or a short form, and more on request.
   */
  catalogue: row<'long' | 'short'>('long', 'long', 'long', 'short'),
  /** The parts of MCP that `/mcp/` has: only tools, or also resources, prompts, links, progress and questions to the client. */
  protocolParts: row<'tools' | 'all'>('tools', 'tools', 'tools', 'all'),
  /** The answer of `/api/` to a call that succeeds with an unusable credential: as if there were none, or with a notice. */
  unusableCredential: row<'silent' | 'told'>('silent', 'silent', 'silent', 'told'),
  /** The power of an active bridge plugin: it rejects native tokens, or serves only requests with its own key. */
  bridge: row<'takes-over' | 'beside'>('takes-over', 'takes-over', 'takes-over', 'beside'),
} as const satisfies Record<string, Row<unknown>>

/** The column of one release, by behaviour. */
export type Release = { readonly name: ReleaseName } & {
  readonly [K in keyof typeof table]: (typeof table)[K] extends Row<infer T> ? T : never
}

/** The column of a release. */
export function releaseOf(name: ReleaseName): Release {
  const column = releases.indexOf(name)
  const cells = Object.entries(table).map(([behaviour, cells]) => [behaviour, cells[column]])
  return Object.freeze({ name, ...Object.fromEntries(cells) }) as Release
}
