// A row of the table of addresses: a path with its methods, and the kind of address.

import type { AddressKind } from '../http/fetch-metadata.ts'
import type { Method, Route } from '../http/route.ts'

export interface AddressRow<P extends string = string, M extends Method = Method> {
  readonly path: P
  readonly takes: readonly M[]
  readonly kind: AddressKind
  readonly slash: Route['slash']
  readonly letterCase: Route['letterCase']
}

const page = { kind: 'window', slash: 'either', letterCase: 'exact' } as const
export const shown = <P extends string>(path: P): AddressRow<P, 'GET'> => ({ ...page, path, takes: ['GET'] })
export const sent = <P extends string>(path: P): AddressRow<P, 'POST'> => ({ ...page, path, takes: ['POST'] })
export const shownAndSent = <P extends string>(path: P): AddressRow<P, 'GET' | 'POST'> => ({
  ...page,
  path,
  takes: ['GET', 'POST'],
})

/** A row that the admin's own scripts call. */
export const asked = <P extends string, M extends Method>(row: AddressRow<P, M>): AddressRow<P, M> => ({ ...row, kind: 'script' })
