// The body of a delivery: what changed, who changed it, and each changed object by its kind, id and revision. It has no texts and
// no secrets: the receiver reads what it needs with a token of its own. Bodies stay below 20 kB, as Standard Webhooks advises.

import { listedKind, type Kind } from '../store/change/kinds.ts'
import type { RowChange } from '../store/change/change.ts'
import { cutText } from '../base/cut-text.ts'
import { type ActivityFacts, listedChanges } from '../activity/record.ts'
import { nameOf } from '../identity/caller.ts'

/** A changed object, as a body has it. */
export interface EventObject {
  readonly kind: string
  readonly id: string
  readonly revision: number | null
  /** Null once the object is gone. */
  readonly title: string | null
  readonly path: string | null
  readonly type?: string
  readonly status?: string
  readonly language?: string
}

/** The condition of an endpoint: each member names a value, or several of which one must be that of an object. */
export type EventFilter = Readonly<Partial<Record<FilterName, string | readonly string[]>>>

export const filterNames = ['kind', 'type', 'status', 'language'] as const
type FilterName = (typeof filterNames)[number]

/** The most objects that a body names. `more` counts the others. */
const maxObjects = 50
const maxTitle = 120

/** The objects of a change, each once and in its latest state. */
export const objectsOfChange = (records: readonly RowChange[]): readonly EventObject[] => listedChanges(records).map(objectOf)

function objectOf({ kind, id, revision, label, rows, after, before }: ReturnType<typeof listedChanges>[number]): EventObject {
  const row = rows?.after ?? after ?? before ?? {}
  const isGone = after === null && rows === undefined
  return {
    kind: listedKind(kind),
    id,
    revision,
    title: isGone ? null : cutText(label.title, maxTitle),
    path: isGone ? null : label.path,
    ...factsOf(kind, row),
  }
}

/** The facts of an entry or a comment that a filter can ask for. A change that waits is one of its entry. */
function factsOf(kind: Kind, row: Readonly<Record<string, unknown>>): Pick<EventObject, 'type' | 'status' | 'language'> {
  const listed = listedKind(kind)
  if (listed !== 'entry' && listed !== 'comment') return {}
  const texts =
    listed === 'entry' ? { type: row['type'], status: row['status'], language: row['locale'] } : { status: row['state'] }
  return Object.fromEntries(Object.entries(texts).filter(([, value]) => typeof value === 'string'))
}

/** The objects that meet a filter; all without one. */
export function filterObjects(objects: readonly EventObject[], filter: EventFilter | null): readonly EventObject[] {
  if (!filter) return objects
  return objects.filter((object) =>
    filterNames.every((name) => {
      const wanted = filter[name]
      return wanted === undefined || [wanted].flat().includes(object[name] ?? '')
    }),
  )
}

/** The body of an event, as JSON. */
export function bodyOf(type: string, facts: ActivityFacts, objects: readonly EventObject[]): string {
  const { id, call, caller, proposer, now } = facts
  return JSON.stringify({
    type,
    timestamp: new Date(now).toISOString(),
    data: {
      activity_id: id,
      call,
      by: proposer?.by_name ?? nameOf(caller),
      token: proposer ? proposer.token_name : (caller.token?.name ?? null),
      objects: objects.slice(0, maxObjects),
      ...(objects.length > maxObjects ? { more: objects.length - maxObjects } : {}),
    },
  })
}
