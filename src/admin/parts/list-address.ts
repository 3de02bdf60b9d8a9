// The state of a list in the address of its page: the search, the sort order, the filters and the cursor. Links preserve everything
// that they don't change, so people can share a list and open it again.

import type { Request } from '../../http/request.ts'
import { linkTo } from '../paths.ts'

/** The longest value that a page reads from its address. */
const maxChars = 500

export interface ListAddress {
  /** Returns the value of a parameter; undefined if it is missing or empty. */
  get(name: string): string | undefined
  /** Returns the given parameters that are present, as the input of a list. */
  pick<Name extends string>(...names: readonly Name[]): { [K in Name]?: string }
  /**
   * Returns the address of this page with other values. Undefined removes a parameter. Every change returns to the first page of
   * the list, unless `cursor` is given.
   */
  with(changes: Readonly<Record<string, string | undefined>>): string
}

/** Reads the query of a request. @param path of the page, without the base path */
export function listAddress(request: Pick<Request, 'query' | 'basePath'>, path: string): ListAddress {
  const read = (name: string): string | undefined => request.query.get(name)?.slice(0, maxChars) || undefined
  return {
    get: read,
    pick<Name extends string>(...names: readonly Name[]) {
      const values = names.map((name) => [name, read(name)] as const)
      return Object.fromEntries(values.filter(([, value]) => value !== undefined)) as { [K in Name]?: string }
    },
    with(changes) {
      const query = new URLSearchParams()
      for (const name of request.query.keys()) {
        const value = read(name)
        if (value !== undefined && name !== 'cursor' && name !== 'done') query.set(name, value)
      }
      for (const [name, value] of Object.entries(changes)) {
        if (value === undefined || value === '') query.delete(name)
        else query.set(name, value)
      }
      return linkTo(request, path) + (query.size > 0 ? `?${query.toString()}` : '')
    },
  }
}
