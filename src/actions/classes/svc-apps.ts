// SVC_Apps: lists connected apps, tightens their limits and removes them. An app is connected by signing in (oauth/).

import { sql, type SqlBool } from 'kysely'
import { type Static, Type } from 'typebox'
import { Failure } from '../../failure.ts'
import { lowerScope, type Scope, scopes } from '../../identity/caller.ts'
import { getGrant, grantState, grantStates } from '../../identity/find-grant.ts'
import { formatDate } from '../../settings/time-zone.ts'
import type { AppGrantRow } from '../../store/schema.ts'
import { action, type Context } from '../action.ts'
import { listAnswer, type ListInput, listOutput, listProperties, listRows, type ListSpec, onlyValues } from '../list.ts'
import { credentialFields, revokeInput, revokeNamed, tightenLimits } from './credentials.ts'
import { someCondition } from '../where-conditions.ts'
import { doneOutput, writeProperties } from '../write-answer.ts'
import { limitsInput, limitsOutput, nameProperty, usesOf } from './token-item.ts'

const appItem = Type.Object({
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
  last_used: Type.Union([Type.String(), Type.Null()], { description: 'To about a minute; null where it was never used.' }),
  expires_at: Type.String({ description: 'Thirty days after it was connected.' }),
  revoked_at: Type.Union([Type.String(), Type.Null()]),
  created_at: Type.String(),
  updated_at: Type.String(),
  revision: Type.Integer(),
})

export type AppItem = Static<typeof appItem>

const idProperty = Type.String({ description: 'Id or name of a connected app.', minLength: 1, maxLength: 200 })

/** The hash of the client id is not a field: filters on it would reveal it bit by bit (attack 90). */
const appList: ListSpec<'app_grant'> = {
  table: 'app_grant',
  key: 'id',
  fields: {
    ...credentialFields,
    client: { column: 'client', kind: 'text', sort: true },
    host: { column: 'host', kind: 'text' },
  },
  sort: '-created_at',
  search: ['name', 'client', 'host'],
}

export const appsList = action({
  class: 'SVC_Apps',
  name: 'list',
  title: 'List the apps',
  summary: 'Lists the connected apps. Ended ones are only listed where `where` names `revoked_at` or `expires_at`.',
  tier: 'admin',
  effect: 'read',
  failures: [],
  touches: 'nothing',
  input: Type.Object(listProperties(appList), { additionalProperties: false }),
  output: listOutput(appItem),
  examples: [
    { title: 'All connected apps', input: {} },
    { title: 'Removed apps', input: { where: { revoked_at: { exists: true } } } },
  ],
  async run(context, input: ListInput) {
    const withEnded = someCondition(input.where, (field) => field === 'revoked_at' || field === 'expires_at')
    const { now } = context
    const page = await listRows(
      context,
      appList,
      input,
      withEnded
        ? {}
        : {
            only: [onlyValues('app_grant', credentialFields.revoked_at, [null])],
            // An expression, because an index of `expires_at` has the rows in an order of its own.
            narrow: (query) => query.where(sql<SqlBool>`(app_grant.expires_at + 0) > ${now}`),
          },
    )
    const toItem = await itemsOf(context, page.rows as readonly AppGrantRow[])
    return listAnswer(context, page, (row) => toItem(row as AppGrantRow))
  },
})

export const appsGet = action({
  class: 'SVC_Apps',
  name: 'get',
  title: 'Show an app',
  summary: 'Shows one connected app.',
  tier: 'admin',
  effect: 'read',
  failures: ['not_found', 'conflict'],
  touches: 'nothing',
  input: Type.Object({ id: idProperty }, { additionalProperties: false }),
  output: Type.Object({ item: appItem }),
  examples: [{ title: 'One by its name', input: { id: 'Claude' } }],
  async run(context, { id }) {
    const grant = await getGrant(context.db, id, context.now)
    return { item: (await itemsOf(context, [grant]))(grant) }
  },
})

export const appsUpdate = action({
  class: 'SVC_Apps',
  name: 'update',
  title: 'Change the access of [the app {title}|an app]',
  summary: 'Renames a connected app, or tightens its scope and limits.',
  did: 'changed the access of [the app {title}|an app]',
  tier: 'admin',
  effect: 'act',
  failures: ['not_found'],
  touches: 'site',
  revisioned: true,
  input: Type.Object(
    {
      id: idProperty,
      name: Type.Optional(nameProperty),
      scope: Type.Optional(Type.Enum([...scopes], { description: 'A lower scope than it has.' })),
      limits: Type.Optional(limitsInput),
    },
    { additionalProperties: false },
  ),
  output: Type.Object({ item: appItem, changed: Type.Array(Type.String()), ...writeProperties }),
  examples: [{ title: 'Let it write drafts only', input: { id: 'Claude', scope: 'content', limits: { drafts_only: true } } }],
  async run(context, { id, name, scope, limits }) {
    const { change, db, now, site } = context
    const before = await getGrant(db, id, now)
    const { row, changed } = await change.update('app', before, {
      ...(name === undefined ? {} : { name: name.trim() }),
      ...(scope === undefined ? {} : { scope: lower(before.scope as Scope, scope) }),
      limits: tightenLimits(site, before.limits, limits, 'This app'),
    })
    return { item: (await itemsOf(context, [row]))(row), changed: [...changed], warnings: [], activity_id: null }
  },
})

function lower(before: Scope, asked: Scope): Scope {
  if (lowerScope(before, asked) === asked) return asked
  throw new Failure('refused', `This app has the scope ${before}, and a scope can only be lowered.`, {
    field: 'scope',
    expected: scopes.slice(0, scopes.indexOf(before) + 1),
    rule: 'the owner grants the scope of an app when it connects',
    hint: 'Connect the app again to give it a higher scope.',
  })
}

export const appsRevoke = action({
  class: 'SVC_Apps',
  name: 'revoke',
  title: 'Remove [the app {title}|an app]',
  summary: 'Removes connected apps at once, with every token that was issued to them.',
  did: 'removed [the app {title}|an app]',
  tier: 'admin',
  effect: 'destroy',
  failures: ['not_found', 'conflict'],
  touches: 'endings',
  input: revokeInput(idProperty, 'apps', 'Ids or names of connected apps.'),
  output: doneOutput,
  examples: [{ title: 'Remove one', input: { ids: ['Claude'], expect: 1 } }],
  run: (context, named) => revokeNamed(context, 'app', named, (id) => getGrant(context.db, id, context.now)),
})

/** Reads what the items of these rows need at once. @returns what makes the item of a row */
async function itemsOf(
  context: Pick<Context, 'db' | 'site'>,
  rows: readonly AppGrantRow[],
): Promise<(row: AppGrantRow) => AppItem> {
  const ids = [...new Set(rows.map(({ account_id: id }) => id))]
  const accounts = ids.length === 0 ? [] : await context.db.selectFrom('account').selectAll().where('id', 'in', ids).execute()
  const byId = new Map(accounts.map((account) => [account.id, account]))
  const usedAt = await usesOf(context, rows)
  const now = context.site.tokens.now()
  return (row) => {
    const account = byId.get(row.account_id)
    const used = usedAt(row.id)
    return {
      id: row.id,
      name: row.name,
      client: row.client,
      host: row.host,
      account: account?.email ?? row.account_id,
      scope: row.scope as Scope,
      limits: JSON.parse(row.limits) as AppItem['limits'],
      state: grantState(row, account, now),
      last_used: used === null ? null : formatDate(used),
      expires_at: formatDate(row.expires_at),
      revoked_at: row.revoked_at === null ? null : formatDate(row.revoked_at),
      created_at: formatDate(row.created_at),
      updated_at: formatDate(row.updated_at),
      revision: row.revision,
    }
  }
}
