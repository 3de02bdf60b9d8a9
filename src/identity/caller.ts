// Callers. A caller has a tier, which decides what it may see and do, and may have an account and a token.

/** Tiers of actions, lowest first; each includes the lower ones. */
export const tiers = ['any', 'read', 'content', 'admin'] as const
export type Tier = (typeof tiers)[number]

/** Scopes of a token or a grant: the most that it may do. */
export const scopes = ['read', 'content', 'admin'] as const
export type Scope = (typeof scopes)[number]

/** Roles of an account: the most that it may do, lowest first. A role caps the account's tokens and apps. */
export const roles = ['read', 'contributor', 'content', 'admin'] as const
export type AccountRole = (typeof roles)[number]

/** The highest scope that a role allows. A contributor also has limits (`limitsOf`). */
export const scopeOfRole = (role: AccountRole): Scope => (role === 'contributor' ? 'content' : role)

/** True if a role allows less than another. */
export const isLowerRole = (role: AccountRole, other: AccountRole): boolean => roles.indexOf(role) < roles.indexOf(other)

/**
 * The doors. Apps connect through `oauth`. `plugin` is for a plugin's own calls, and `system` for Postern itself, such as scheduled
 * work.
 */
export const doors = ['mcp', 'api', 'admin', 'oauth', 'cli', 'plugin', 'system'] as const
export type Door = (typeof doors)[number]

/** Limits that a token has besides its scope. A call must satisfy all of them. */
export interface TokenLimits {
  /** Only actions of these classes are allowed. `SVC_API` and `SVC_Docs` are always allowed. */
  readonly classes?: readonly string[]
  /** Only entries of these types may be written. */
  readonly types?: readonly string[]
  /** Only drafts may be written, and nothing else on the site may be changed. */
  readonly drafts_only?: boolean
  /** Only entries of this account may be written. Contributors have this limit; no token is given it. */
  readonly author?: string
  /** The token may be used only from these addresses or ranges. */
  readonly addresses?: readonly string[]
  /** Calls of these actions wait for an admin: names, or patterns such as `SVC_Content.*` and `*`. */
  readonly ask?: readonly string[]
  /** Calls per minute. This can only lower the site's own limit. */
  readonly per_minute?: number
}

export interface CallerToken {
  /** `bridge` means that a plugin authenticated the caller, who has no token of this site. */
  readonly kind: 'personal' | 'access' | 'bridge'
  readonly id: string
  readonly name: string
  readonly scope: Scope
  readonly expiresAt: number | null
  readonly limits: TokenLimits
}

/** The maker of a call. `identity/` creates a caller from a token; the command line and schedules create one from an account. */
export interface Caller {
  /** The highest tier whose actions the caller may run. */
  readonly tier: Tier
  readonly account: { readonly id: string; readonly email: string; readonly name: string; readonly role: AccountRole } | null
  readonly token: CallerToken | null
  readonly door: Door
  /** Network address; `''` if there is none. */
  readonly address: string
  /** The plugin, if the call is a plugin's own. */
  readonly plugin?: PluginCaller
  /** Set while the calls of a proposal run or are tried. `account` is then the proposer's. */
  readonly proposal?: ProposalCaller
  /** True until a session has a recent re-authentication. `check-limits.ts` lists what such a caller may not touch. */
  unproven?: true
}

/** The proposer of calls that someone else approves. */
export interface ProposalCaller {
  /**
   * The limits that the proposer had, and those that it has now. Only content that the approver saw becomes public, so
   * `drafts_only` does not apply to its entries.
   */
  readonly limits: readonly TokenLimits[]
}

/** A plugin that makes a call. */
export interface PluginCaller {
  readonly id: string
  /** The only actions that it may call, such as `SVC_Content.*` or `SVC_Content.get`. */
  readonly calls: readonly string[]
  /** The length of the chain of events that led to this call. */
  readonly depth: number
  /** The limits of the callers for whom the plugin makes the call. */
  readonly limits: readonly TokenLimits[]
}

/** A caller without a token, who can only read what the public site shows. */
export function anonymous(door: Door, address: string): Caller {
  return { tier: 'any', account: null, token: null, door, address }
}

/** Postern itself, for scheduled work. */
export const system: Caller = { tier: 'admin', account: null, token: null, door: 'system', address: '' }

const noLimits: readonly TokenLimits[] = []

/**
 * All limits that apply to a caller: those of its token, of its role, of the proposer whose calls it approves or, for a plugin's
 * call, of the callers for whom the plugin makes the call.
 */
export function limitsOf({
  account,
  token,
  plugin,
  proposal,
}: Pick<Caller, 'account' | 'token' | 'plugin' | 'proposal'>): readonly TokenLimits[] {
  const ofToken = token && (Object.keys(token.limits).length === 0 ? noLimits : [token.limits])
  const own = ofToken ?? plugin?.limits ?? noLimits
  const given = proposal ? [...own, ...proposal.limits] : own
  return account?.role === 'contributor' ? [...given, { drafts_only: true, author: account.id }] : given
}

/** The classes to which a caller is limited, without `SVC_API` and `SVC_Docs`, which are always allowed; undefined for all. */
export function classesOf({ token, proposal }: Caller): readonly string[] | undefined {
  const own = token?.limits.classes
  if (!proposal) return own
  const lists = [own, ...proposal.limits.map(({ classes }) => classes)].filter((classes) => classes !== undefined)
  return lists[0]?.filter((name) => lists.every((list) => list.includes(name)))
}

/** True if a tier includes another. */
export function includesTier(tier: Tier, needed: Tier): boolean {
  return tiers.indexOf(tier) >= tiers.indexOf(needed)
}

/** The lower of two scopes. An account's role caps the tokens and grants that are issued in its name. */
export function lowerScope(a: Scope, b: Scope): Scope {
  return scopes.indexOf(a) <= scopes.indexOf(b) ? a : b
}

/** The name of a caller in the history and in activity records. */
export function nameOf(caller: Caller): string {
  if (caller.plugin) return `plugin ${caller.plugin.id}`
  return caller.account?.name ?? (caller.door === 'system' ? 'Postern' : caller.door === 'cli' ? 'command line' : 'anonymous')
}

/** The owner of a caller's keys, links and the like: its token, or for a caller without a token its account or address. */
export function ownerOf(caller: Caller): string {
  if (caller.plugin) return `plugin:${caller.plugin.id}`
  return caller.token ? `token:${caller.token.id}` : `${caller.door}:${caller.account?.id ?? caller.address}`
}
