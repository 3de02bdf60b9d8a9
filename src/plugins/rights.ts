// The rights that a plugin can ask for: `call:CLASS.action`, `reach:HOST` and `authenticate`. This file only parses and compares
// rights; other files confirm and enforce them. A text that this file can't parse grants nothing.

/** One right, read from `may`. */
export type Right =
  | { readonly kind: 'call'; readonly class: string; /** `*` is every action of the class. */ readonly action: string }
  | { readonly kind: 'reach'; /** `api.example.com`, `*.example.com`. */ readonly host: string }
  | { readonly kind: 'authenticate' }

/** The forms of a right, for the message about an invalid one. */
const rightForms =
  '"call:SVC_Content.get", "call:SVC_Content.*", "reach:api.example.com", "reach:*.example.com" or "authenticate"'

const anyAction = '*'
const className = /^[A-Z0-9]+(?:_[A-Z0-9]+)*_[A-Z][A-Za-z0-9]*$/
const actionName = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/
const maxLength = 200

/**
 * Actions with which a plugin could get more rights than the owner confirmed. Without `action`, the rule is for the whole class.
 */
const closed: readonly { readonly class: string; readonly action?: string; readonly why: string }[] = [
  { class: 'SVC_Plugins', why: 'it could give itself and others more rights' },
  { class: 'SVC_Tokens', why: 'a token would act outside of its rights' },
  { class: 'SVC_Apps', why: 'it decides what connected apps may do' },
  { class: 'SVC_Accounts', why: 'a new account, or a link to reset a password, would act outside of its rights' },
  { class: 'SVC_Backup', why: 'a backup holds everything there is, and restoring one replaces all rights' },
  { class: 'SVC_Mail', why: 'they send to any address, and the relay reads the links for passwords' },
  { class: 'SVC_Webhooks', why: 'they send to any address, whatever it may reach' },
  { class: 'SVC_Proposals', action: 'create', why: 'a proposal runs other actions, as the person who approves it' },
  { class: 'SVC_Proposals', action: 'approve', why: 'it runs the actions of others' },
  { class: 'SVC_Import', action: 'run', why: 'an import runs other actions' },
  { class: 'SVC_Jobs', action: 'retry', why: 'it runs the actions of others again' },
  { class: 'SVC_API', action: 'batch', why: 'it runs other actions: call them one by one' },
  { class: 'SVC_Activity', action: 'undo', why: 'it changes whatever the record is about' },
]

/** Parses a right; undefined if it doesn't exist or plugins can't have it. */
export function parseRight(text: string): Right | undefined {
  if (text === 'authenticate') return { kind: 'authenticate' }
  if (text.length > maxLength) return undefined
  const colon = text.indexOf(':')
  const rest = text.slice(colon + 1)
  if (text.startsWith('call:')) return closedBy(rest) ? undefined : parseCall(rest)
  return text.startsWith('reach:') && isReachable(rest) ? { kind: 'reach', host: rest } : undefined
}

/** Explains in a sentence why a text is not a right; undefined if it is one. */
export function whyNoRight(text: string): string | undefined {
  if (parseRight(text)) return undefined
  const call = text.startsWith('call:') ? text.slice('call:'.length) : ''
  const rule = closedBy(call)
  if (!rule) return `${JSON.stringify(text.slice(0, maxLength))} is no right: it must be ${rightForms}.`
  const name = rule.action === undefined ? rule.class : `${rule.class}.${rule.action}`
  const instead = call.endsWith(`.${anyAction}`) && rule.action !== undefined ? ' Name the other actions of the class.' : ''
  return `No plugin may call ${name}: ${rule.why}.${instead}`
}

/** Describes a right for its confirmation, as the rest of a sentence that begins with "It may". */
export function describeRight(right: Right): string {
  if (right.kind === 'authenticate') return 'say who is let in by X-API-Key'
  if (right.kind === 'call')
    return right.action === anyAction ? `call every action of ${right.class}` : `call ${right.class}.${right.action}`
  const below = right.host.startsWith('*.')
  return `send requests to ${below ? `every host below ${right.host.slice(2)}` : right.host}`
}

/** The rights in `may` to call actions, in the form of `Caller.plugin.calls`: `SVC_Content.get`, `SVC_Content.*`. */
export function callRights(may: readonly string[]): string[] {
  return rightsOf(may).flatMap((right) => (right.kind === 'call' ? [`${right.class}.${right.action}`] : []))
}

/**
 * True if a plugin may send requests to a host. `*.example.com` allows every host below it at any depth, but not `example.com`
 * itself.
 * @param host in the form of `URL.hostname`: lower case, without a port
 */
export function mayReach(may: readonly string[], host: string): boolean {
  if (!isHost(host)) return false
  return rightsOf(may).some(
    (right) => right.kind === 'reach' && (right.host.startsWith('*.') ? host.endsWith(right.host.slice(1)) : host === right.host),
  )
}

/** True if two lists contain the same rights, in any order. */
export function sameRights(a: readonly string[], b: readonly string[]): boolean {
  const [one, other] = [new Set(a), new Set(b)]
  return one.size === other.size && [...one].every((right) => other.has(right))
}

const rightsOf = (may: readonly string[]): Right[] => may.flatMap((text) => parseRight(text) ?? [])

function parseCall(text: string): Right | undefined {
  const [name = '', action = '', ...more] = text.split('.')
  const good = more.length === 0 && className.test(name) && (action === anyAction || actionName.test(action))
  return good ? { kind: 'call', class: name, action } : undefined
}

function closedBy(call: string): (typeof closed)[number] | undefined {
  const [name = '', action] = call.split('.')
  return closed.find(
    (rule) => rule.class === name && (rule.action === undefined || action === anyAction || rule.action === action),
  )
}

/** Checks that the name after `*.` can be registered: `*.com` would allow hosts of anyone. */
function isReachable(host: string): boolean {
  return isHost(host.startsWith('*.') ? host.slice(2) : host)
}

/** Checks for two labels, the last beginning with a letter: no IP address has that (URL Standard, "ends in a number"). */
function isHost(host: string): boolean {
  const labels = host.split('.')
  return (
    host.length <= 253 &&
    labels.length >= 2 &&
    labels.every((label) => /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(label)) &&
    /^[a-z]/.test(labels.at(-1) ?? '')
  )
}
