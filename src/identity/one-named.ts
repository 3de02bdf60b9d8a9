// Finds by a name that is not unique: the only usable thing with that name, or none.

import { Failure, notFound } from '../failure.ts'

const lists = { app: 'SVC_Apps.list', token: 'SVC_Tokens.list' } as const

/**
 * The only thing with a name.
 * @param found all usable things with this name
 * @throws Failure `not_found` for none; `conflict` with their ids for several
 */
export function oneNamed<T extends { readonly id: string }>(kind: keyof typeof lists, name: string, found: readonly T[]): T {
  const [one, ...others] = found
  if (!one) throw notFound(kind, name, `${lists[kind]} tells which there are.`)
  if (others.length === 0) return one
  throw new Failure('conflict', `${found.length} ${kind}s are named ${JSON.stringify(name)}: say which by its id.`, {
    found: found.length,
    expected: found.map(({ id }) => id),
  })
}
