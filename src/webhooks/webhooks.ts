// The events of a site. A change writes its deliveries in its own transaction, so that none is lost and none is made up; they are
// sent after the commit (`sender.ts`).

import type { Transaction } from 'kysely'
import { autosaveMark } from '../activity/join-autosave.ts'
import type { ActivityFacts } from '../activity/record.ts'
import type { Store } from '../store/core/database.ts'
import { queueWrite } from '../store/core/queued-writes.ts'
import type { Schema } from '../store/core/schema.ts'
import { type Endpoint, listActive, newDelivery } from './endpoint-store.ts'
import { eventTypeOf, isOfPattern } from './event-types.ts'
import { bodyOf, filterObjects, objectsOfChange } from './payload.ts'

/** The endpoints of the site that are on. */
export interface Webhooks {
  readonly endpoints: readonly Endpoint[]
  /** Reads the endpoints again. It is called when the area `settings` changed. */
  reload(): Promise<void>
  /**
   * Queues the deliveries of a change, in its transaction. An autosave is no event, and neither is a part of an import.
   * @returns true if there are any
   */
  note(db: Transaction<Schema>, facts: ActivityFacts): boolean
  /** Sends what is due. */
  wake(): void
  /** Sets the function that sends what is due. */
  onWake(send: () => void): void
}

export async function openWebhooks(store: Pick<Store, 'read'>): Promise<Webhooks> {
  let endpoints = await listActive(store.read)
  let send = (): void => undefined
  return {
    get endpoints() {
      return endpoints
    },
    async reload() {
      endpoints = await listActive(store.read)
    },
    note(db, facts) {
      if (endpoints.length === 0 || facts.partOf !== undefined || isAutosave(facts)) return false
      const types = [...new Set(facts.runs.map(({ name }) => eventTypeOf(name)))]
      const wanted = endpoints.flatMap(({ id, events, filter }) =>
        types.filter((type) => events.some((pattern) => isOfPattern(pattern, type))).map((type) => ({ id, type, filter })),
      )
      if (wanted.length === 0) return false
      const objects = objectsOfChange(facts.records)
      const rows = wanted.flatMap(({ id, type, filter }) => {
        const chosen = filterObjects(objects, filter)
        // An endpoint with a condition gets no event about other objects.
        return filter && chosen.length === 0 ? [] : [newDelivery(id, type, bodyOf(type, facts, chosen), facts.now)]
      })
      if (rows.length === 0) return false
      queueWrite(db, { query: db.insertInto('webhook_delivery').values(rows).compile() })
      return true
    },
    wake: () => send(),
    onWake(next) {
      send = next
    },
  }
}

const isAutosave = ({ input }: ActivityFacts): boolean => input['autosave'] === autosaveMark.autosave
