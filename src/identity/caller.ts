// Who is calling: the tier that decides what may be seen and done, and the account and token behind it.

/** Tiers of actions, lowest first; each includes those before it. */
export const tiers = ['any', 'read', 'content', 'admin'] as const
export type Tier = (typeof tiers)[number]

/** What a token or grant may do; an account's role is one of these too and caps its tokens. */
export const scopes = ['read', 'content', 'admin'] as const
export type Scope = (typeof scopes)[number]

/** The doors onto the registry; `oauth` is where apps connect, `plugin` is a plugin's own call, `system` is Postern itself (schedules). */
export const doors = ['mcp', 'api', 'admin', 'oauth', 'cli', 'plugin', 'system'] as const
export type Door = (typeof doors)[number]

/** What narrows a token further than its scope (DESIGN.md "Callers, tiers, scopes"). */
export interface TokenLimits {
  /** Only actions of these classes; `SVC_API` and `SVC_Docs` are always there. */
  readonly classes?: readonly string[]
  /** Writes only to entries of these types. */
  readonly types?: readonly string[]
  /** Writes only to drafts of content, and changes nothing else of the site. */
  readonly drafts_only?: boolean
  /** Usable only from these addresses or ranges. */
  readonly addresses?: readonly string[]
  /** Calls a minute, below the site's own limit. */
  readonly per_minute?: number
}

/** The token that a caller showed, without its secret. */
export interface CallerToken {
  /** `bridge`: none of ours; a plugin vouched for whoever came. */
  readonly kind: 'personal' | 'access' | 'bridge'
  readonly id: string
  readonly name: string
  readonly scope: Scope
  readonly expiresAt: number | null
  readonly limits: TokenLimits
}

/** Whoever runs an action. Made by `identity/` from a token, and by the command line and schedules from an account. */
export interface Caller {
  /** The highest tier whose actions are this caller's. */
  readonly tier: Tier
  readonly account: { readonly id: string; readonly email: string; readonly name: string; readonly role: Scope } | null
  readonly token: CallerToken | null
  readonly door: Door
  /** Network address, `''` where there is none. */
  readonly address: string
  /** Of a plugin's own call. */
  readonly plugin?: PluginCaller
}

/** A plugin that calls. */
export interface PluginCaller {
  readonly id: string
  /** What it may call (`SVC_Content.*`, `SVC_Content.get`), and nothing else. */
  readonly calls: readonly string[]
  /** How many events led to this call, one in answer to the other. */
  readonly depth: number
  /** Those of whom it does this for. */
  readonly limits: readonly TokenLimits[]
}

/** A caller without a token: read-only, and only what the public site shows. */
export function anonymous(door: Door, address: string): Caller {
  return { tier: 'any', account: null, token: null, door, address }
}

/** Postern itself, for what is due at a time. */
export const system: Caller = { tier: 'admin', account: null, token: null, door: 'system', address: '' }

const noLimits: readonly TokenLimits[] = []

/** The limits that hold for a caller, all of them: those of its token, and of a plugin's call those of whom it is made for. */
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
