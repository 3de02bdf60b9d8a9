// A connected app in the answers of SVC_Apps. An app is connected by signing in (oauth/).

import { type Static, Type } from 'typebox'
import { Failure } from '../../base/failure.ts'
import { lowerScope, type Scope, scopes } from '../../identity/caller.ts'
import { grantState, grantStates } from '../../identity/find-grant.ts'
import { formatDate } from '../../settings/time-zone.ts'
import { nonEmptyText } from '../../base/schema.ts'
import type { AppGrantRow } from '../../store/core/schema.ts'
import type { Context } from '../call/action.ts'
import { stampProperties } from '../call/stamps.ts'
import { nullable } from '../call/write-answer.ts'
import { limitsOutput, credentialParts } from '../shared/token-item.ts'

export const appItem = Type.Object({
  id: Type.String(),
  name: Type.String({ description: 'Your name for the app.' }),
  client: Type.String({ description: 'The name that the app gave itself. It is not verified.' }),
  host: Type.String({
    description:
      "The verified destination of the app: a website, `localhost` for a program on the owner's own computer, or the scheme of an app on a device, which ends with `:` or has `://`.",
  }),
  account: Type.String({ description: 'E-mail of the account that the app acts as.' }),
  scope: Type.Enum([...scopes]),
  limits: limitsOutput,
  state: Type.Enum([...grantStates], {
    description: '`ended`: its account was disabled, got a lower role, or ended its sessions.',
  }),
  last_used: nullable(Type.String(), 'To about a minute; null where it was never used.'),
  expires_at: Type.String({ description: 'Thirty days after it was connected.' }),
  revoked_at: nullable(Type.String()),
  ...stampProperties,
})

export type AppItem = Static<typeof appItem>

export const idProperty = nonEmptyText('Id or name of a connected app.', 200)

/** Returns the lower scope. @throws Failure `refused` for a higher one */
export function lower(before: Scope, asked: Scope): Scope {
  if (lowerScope(before, asked) === asked) return asked
  throw new Failure('refused', `This app has the scope ${before}, and a scope can only be lowered.`, {
    field: 'scope',
    expected: scopes.slice(0, scopes.indexOf(before) + 1),
    rule: 'the owner grants the scope of an app when it connects',
    hint: 'Connect the app again to give it a higher scope.',
  })
}

/** Reads the data for the items of these rows at once. @returns a function that makes the item of a row */
export async function itemsOf(
  context: Pick<Context, 'db' | 'site'>,
  rows: readonly AppGrantRow[],
): Promise<(row: AppGrantRow) => AppItem> {
  const partsOf = await credentialParts(context, rows)
  const now = context.site.tokens.now()
  return (row) => {
    const { account, allowed, times } = partsOf(row)
    const { id, name, client, host } = row
    const state = grantState(row, account, now)
    return { id, name, client, host, ...allowed, state, ...times, expires_at: formatDate(row.expires_at) }
  }
}
