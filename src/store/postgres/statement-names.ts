// Names for prepared statements. A statement that is asked a second time gets a name, and the server then parses it only once for the connection.
// The number of names is limited, because each occupies memory of the server.

import { LRUCache } from 'lru-cache'

/** Longer statements, such as inserts of many rows, are not kept. */
const maxLength = 8192

export class StatementNames {
  readonly #seen = new LRUCache<string, true>({ max: 500 })
  readonly #names: LRUCache<string, string>
  readonly #dropped: string[] = []
  #count = 0

  constructor(most = 300) {
    this.#names = new LRUCache({ max: most, dispose: (name) => void this.#dropped.push(name) })
  }

  /** The name of a statement; undefined while it has none. */
  nameOf(sql: string): string | undefined {
    const name = this.#names.get(sql)
    if (name !== undefined || sql.length > maxLength) return name
    if (!this.#seen.has(sql)) {
      this.#seen.set(sql, true)
      return undefined
    }
    const given = `s${++this.#count}`
    this.#names.set(sql, given)
    return given
  }

  /** The names that are not used any more since the last call, to be deallocated. */
  takeDropped(): readonly string[] {
    return this.#dropped.splice(0)
  }
}
