// The types of events. Each action that changes something is one: `SVC_Redirects.put-many` is `redirects.put_many`, in the letters
// that Standard Webhooks allows.

/** A type, or a pattern of types: `content.publish`, `content.*`, `*`. */
export type EventPattern = string

/** The type of the event of a call, such as `content.publish` for `SVC_Content.publish`. */
export const eventTypeOf = (call: string): string =>
  call
    .replace(/^SVC_/, '')
    .toLowerCase()
    .replaceAll('-', '_')
    .replace(/[^a-z0-9_.]/g, '_')

/** A pattern in the form of the types. Names of actions, such as `SVC_Content.*`, are patterns too. */
export const toPattern = (given: string): EventPattern =>
  given === '*' ? given : given.endsWith('.*') ? `${eventTypeOf(given.slice(0, -2))}.*` : eventTypeOf(given)

/** True if a pattern has the type. */
export const isOfPattern = (pattern: EventPattern, type: string): boolean =>
  pattern === '*' || pattern === type || (pattern.endsWith('.*') && type.startsWith(pattern.slice(0, -1)))
