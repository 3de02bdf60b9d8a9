// Names for prepared statements. At its second use a statement gets a name, and the server then parses it only once per connection.
// The number of names is limited, because each uses memory of the server.

import { LRUCache } from 'lru-cache'

/** The longest statement with a name. Longer ones, such as inserts of many rows, are not prepared. */
const maxLength = 8192

export class StatementNames {
  readonly #seen = new LRUCache<string, true>({ max: 500 })
  readonly #names: LRUCache<string, string>
  readonly #dropped: string[] = []
  #count = 0

  constructor(most = 300) {
    this.#names = new LRUCache({ max: most, dispose: (name) => void this.#dropped.push(name) })
  }

  /** Returns the name of a statement; undefined if it has none yet. */
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

  /** Returns the names that fell out of use since the last call, to be deallocated. */
  takeDropped(): readonly string[] {
    return this.#dropped.splice(0)
  }
}
