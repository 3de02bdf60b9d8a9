// The state of a list in the address of its page: what is searched for, how it is sorted and filtered, and from where it goes on. Links keep all of it
// but what they change, so that a list can be sent to somebody and opened again.

import type { Request } from '../../http/request.ts'
import { linkTo } from '../paths.ts'

/** The longest value that a page reads from its address. */
const maxChars = 500

export interface ListAddress {
  /** The value of a parameter; undefined where it is absent or empty. */
  get(name: string): string | undefined
  /** Those of the parameters that are there, as the input of a list. */
  pick<Name extends string>(...names: readonly Name[]): { [K in Name]?: string }
  /** The address of this page with other values. Undefined removes a parameter. Whatever changes, the list begins anew, unless `cursor` is given. */
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
