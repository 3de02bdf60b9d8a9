// Callers: the tier, which decides what a caller may see and do, and the account and token behind it.

/** Tiers of actions, lowest first; each includes the lower ones. */
export const tiers = ['any', 'read', 'content', 'admin'] as const
export type Tier = (typeof tiers)[number]

/** What a token or a grant may do. An account's role is a scope too; it caps the account's tokens. */
export const scopes = ['read', 'content', 'admin'] as const
export type Scope = (typeof scopes)[number]

/** The doors. Apps connect through `oauth`; `plugin` is a plugin's own call; `system` is Postern itself, such as a schedule. */
export const doors = ['mcp', 'api', 'admin', 'oauth', 'cli', 'plugin', 'system'] as const
export type Door = (typeof doors)[number]

/** Limits that a token has besides its scope (DESIGN.md "Callers, tiers, scopes"). */
export interface TokenLimits {
  /** Only actions of these classes, and always `SVC_API` and `SVC_Docs`. */
  readonly classes?: readonly string[]
  /** Writes only to entries of these types. */
  readonly types?: readonly string[]
  /** Writes only to drafts, and changes nothing else of the site. */
  readonly drafts_only?: boolean
  /** Usable only from these addresses or ranges. */
  readonly addresses?: readonly string[]
  /** Calls per minute; the site's own limit is higher. */
  readonly per_minute?: number
}

/** A caller's token, without its secret. */
export interface CallerToken {
  /** `bridge`: a plugin authenticated the caller, without a token of this site. */
  readonly kind: 'personal' | 'access' | 'bridge'
  readonly id: string
  readonly name: string
  readonly scope: Scope
  readonly expiresAt: number | null
  readonly limits: TokenLimits
}

/** Runs actions. `identity/` makes it from a token; the command line and schedules make it from an account. */
export interface Caller {
  /** The highest tier whose actions the caller may run. */
  readonly tier: Tier
  readonly account: { readonly id: string; readonly email: string; readonly name: string; readonly role: Scope } | null
  readonly token: CallerToken | null
  readonly door: Door
  /** Network address, `''` where there is none. */
  readonly address: string
  /** The plugin, where it makes a call of its own. */
  readonly plugin?: PluginCaller
}

/** A plugin that calls. */
export interface PluginCaller {
  readonly id: string
  /** What it may call (`SVC_Content.*`, `SVC_Content.get`), and nothing else. */
  readonly calls: readonly string[]
  /** The length of the chain of events that led to this call. */
  readonly depth: number
  /** The limits of the callers for whom the plugin makes the call. */
  readonly limits: readonly TokenLimits[]
}

/** A caller without a token, who only reads what the public site shows. */
export function anonymous(door: Door, address: string): Caller {
  return { tier: 'any', account: null, token: null, door, address }
}

/** Postern itself, for scheduled work. */
export const system: Caller = { tier: 'admin', account: null, token: null, door: 'system', address: '' }

const noLimits: readonly TokenLimits[] = []

/** All limits that apply to a caller: those of its token and, for a plugin's call, those of the callers for whom it is made. */
export function limitsOf({ token, plugin }: Caller): readonly TokenLimits[] {
  if (!token) return plugin?.limits ?? noLimits
  return Object.keys(token.limits).length === 0 ? noLimits : [token.limits]
}

/** Whether a tier includes another. */
export function includesTier(tier: Tier, needed: Tier): boolean {
  return tiers.indexOf(tier) >= tiers.indexOf(needed)
}

/** The lower of two scopes: an account's role caps what is issued to others in its name. */
export function lowerScope(a: Scope, b: Scope): Scope {
  return scopes.indexOf(a) <= scopes.indexOf(b) ? a : b
}

/** The name by which history and activity know a caller. */
export function nameOf(caller: Caller): string {
  if (caller.plugin) return `plugin ${caller.plugin.id}`
  return caller.account?.name ?? (caller.door === 'system' ? 'Postern' : caller.door === 'cli' ? 'command line' : 'anonymous')
}
