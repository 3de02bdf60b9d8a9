// Resolves a name that need not be unique. It is valid only if a single usable token or app has it.

import { Failure, notFound } from '../base/failure.ts'

const lists = { app: 'SVC_Apps.list', token: 'SVC_Tokens.list' } as const

/**
 * Returns the only token or app with a name.
 * @param found all usable tokens or apps with this name
 * @throws Failure `not_found` if there is none; `conflict`, with their ids, if there are several
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
