// SVC_Accounts: the people who may sign in. No call carries a password: people set theirs with a one-time link. A site always keeps at
// least one admin.

import { Type } from 'typebox'
import { checkEntryLimits } from '../../content/allowed.ts'
import { Failure, notFound } from '../../failure.ts'
import { createAccount, getAccount, checkAdminLeft, checkEmailFree, readEmail, readName } from '../../identity/account-store.ts'
import { isLowerRole, nameOf, type AccountRole, roles } from '../../identity/caller.ts'
import { linkPath, makeLink } from '../../identity/one-time-link.ts'
import { endSecondFactor } from '../../identity/second-factor-store.ts'
import type { AccountRow } from '../../store/schema.ts'
import { action, type WriteContext } from '../action.ts'
import { listAnswer, type ListInput, listOutput, listProperties, listRows } from '../list.ts'
import { accountItem, accountItems, accountList } from './account-item.ts'
import { profileColumns, profileProperties } from './account-profile.ts'
import { doneOutput, writeProperties } from '../write-answer.ts'

const idProperty = Type.String({ description: 'Id or e-mail of an account.', minLength: 1, maxLength: 254 })
const emailProperty = Type.String({ description: 'The e-mail address for signing in.', minLength: 3, maxLength: 254 })
const nameProperty = Type.String({ description: 'The name shown beside what this person does.', minLength: 1, maxLength: 200 })
const roleProperty = Type.Enum([...roles], {
  description: 'What the account may do at most. A contributor writes drafts of entries of their own.',
})
const link = Type.Optional(
  Type.String({
    description:
      'The link for setting the password. It works once, for three days. It is shown once: not in a dry run, and not in the answer to a repeated call.',
  }),
)

export const accountsList = action({
  class: 'SVC_Accounts',
  name: 'list',
  title: 'List the accounts',
  summary: 'Lists the accounts of people who may sign in.',
  tier: 'admin',
  effect: 'read',
  failures: [],
  touches: 'nothing',
  input: Type.Object(listProperties(accountList), { additionalProperties: false }),
  output: listOutput(accountItem),
  examples: [
    { title: 'All of them', input: {} },
    { title: 'Accounts of active admins', input: { where: { role: 'admin', disabled: false } } },
  ],
  async run(context, input: ListInput) {
    const page = await listRows(context, accountList, input)
    const toItem = await accountItems(context, page.rows as readonly AccountRow[])
    return listAnswer(context, page, (row) => toItem(row as AccountRow))
  },
})

export const accountsGet = action({
  class: 'SVC_Accounts',
  name: 'get',
  title: 'Show an account',
  summary: 'Shows one account.',
  tier: 'admin',
  effect: 'read',
  failures: ['not_found'],
  touches: 'nothing',
  input: Type.Object({ id: idProperty }, { additionalProperties: false }),
  output: Type.Object({ item: accountItem }),
  examples: [{ title: 'One by its e-mail', input: { id: 'owner@example.org' } }],
  async run(context, { id }) {
    const account = await getAccount(context.db, id)
    return { item: (await accountItems(context, [account]))(account) }
  },
})

export const me = action({
  class: 'SVC_Accounts',
  name: 'me',
  title: 'Show your account',
  summary: 'Shows your own account.',
  tier: 'read',
  effect: 'read',
  failures: ['not_found'],
  touches: 'nothing',
  input: Type.Object({}, { additionalProperties: false }),
  output: Type.Object({ item: accountItem }),
  examples: [{ title: 'Who am I?', input: {} }],
  async run(context) {
    const { account: own } = context.caller
    if (!own) throw notFound('account', 'me', 'You call without an account, as the operator of this site.')
    const account = await getAccount(context.db, own.id)
    return { item: (await accountItems(context, [account]))(account) }
  },
})

export const accountsCreate = action({
  class: 'SVC_Accounts',
  name: 'create',
  title: 'Create [the account {title}|an account]',
  summary: 'Creates an account, and a link for setting its password.',
  did: 'created [the account {title}|an account]',
  tier: 'admin',
  effect: 'write',
  failures: ['exists'],
  touches: 'unlimited',
  secrets: ['link'],
  input: Type.Object({ email: emailProperty, name: nameProperty, role: roleProperty }, { additionalProperties: false }),
  output: Type.Object({ item: accountItem, link, changed: Type.Array(Type.String()), ...writeProperties }),
  examples: [{ title: 'An account for a writer', input: { email: 'writer@example.org', name: 'Writer', role: 'content' } }],
  async run(context, given) {
    const account = await createAccount(context.change, { ...given, passwordHash: null })
    return { ...(await withLink(context, account)), changed: [] }
  },
})

export const accountsUpdate = action({
  class: 'SVC_Accounts',
  name: 'update',
  title: 'Change [the account {title}|an account]',
  summary: 'Changes the e-mail, name, role or public profile of an account, or disables it.',
  did: 'changed [the account {title}|an account]',
  tier: 'admin',
  effect: 'write',
  failures: ['not_found', 'exists'],
  // Any role but the lowest may be higher than the present one.
  touches: {
    by: ({ role, disabled }) => ((role !== undefined && role !== 'read') || disabled === false ? 'unlimited' : 'access'),
  },
  revisioned: true,
  input: Type.Object(
    {
      id: idProperty,
      email: Type.Optional(emailProperty),
      name: Type.Optional(nameProperty),
      role: Type.Optional(roleProperty),
      ...profileProperties,
      disabled: Type.Optional(
        Type.Boolean({
          description: 'Whether the account is disabled. Nobody can sign in with it, and its tokens and apps do not work.',
        }),
      ),
    },
    { additionalProperties: false },
  ),
  output: Type.Object({ item: accountItem, changed: Type.Array(Type.String()), ...writeProperties }),
  examples: [
    { title: 'Rename the owner', input: { id: 'owner@example.org', name: 'The Owner' } },
    {
      title: 'Show who writes here',
      input: { id: 'owner@example.org', public: true, slug: 'the-owner', bio: 'Bakes since 1998.' },
    },
  ],
  async run(context, { id, email, name, role, disabled, ...profile }) {
    const { change, db } = context
    const before = await getAccount(db, id)
    const address = email === undefined ? before.email : readEmail(email)
    await checkEmailFree(db, address, before.id)
    const { row, changed } = await change.update('account', before, {
      email: address,
      ...(name === undefined ? {} : { name: readName(name) }),
      ...(role === undefined ? {} : { role }),
      ...(disabled === undefined ? {} : { disabled: disabled ? 1 : 0 }),
      ...(await profileColumns(db, before, profile, name ?? before.name)),
      // Ends the sessions and apps of the account. They do not come back when the account gets more rights again.
      ...(losesRights(before, role, disabled) ? { epoch: before.epoch + 1 } : {}),
    })
    await checkAdminLeft(db)
    const item = (await accountItems(context, [row]))(row)
    return { item, changed: changed.filter((column) => column !== 'epoch'), warnings: [], activity_id: null }
  },
})

function losesRights(before: AccountRow, role: AccountRole | undefined, disabled: boolean | undefined): boolean {
  const demoted = role !== undefined && isLowerRole(role, before.role as AccountRole)
  return demoted || (disabled === true && before.disabled === 0)
}

export const accountsReset = action({
  class: 'SVC_Accounts',
  name: 'reset',
  title: 'Make a link for a new password[ of {title}]',
  summary:
    'Ends the password, sessions and apps of an account, on request its second factors, and creates a link for a new password.',
  did: 'made a link for a new password[ of {title}]',
  tier: 'admin',
  effect: 'act',
  failures: ['not_found'],
  touches: 'unlimited',
  secrets: ['link'],
  input: Type.Object(
    {
      id: idProperty,
      second_factor: Type.Optional(
        Type.Boolean({ description: 'Whether the second factors end as well. Nobody can do this for the own account.' }),
      ),
    },
    { additionalProperties: false },
  ),
  output: Type.Object({ item: accountItem, link, changed: Type.Array(Type.String()), ...writeProperties }),
  examples: [
    { title: 'Somebody forgot the password', input: { id: 'owner@example.org' } },
    { title: 'Somebody lost the phone', input: { id: 'owner@example.org', second_factor: true } },
  ],
  async run(context, { id, second_factor: endsFactors }) {
    const { caller, change, db } = context
    const before = await getAccount(db, id)
    if (before.disabled === 1) {
      throw new Failure('refused', `The account ${before.email} is disabled.`, {
        rule: 'a disabled account cannot get a password',
        hint: 'SVC_Accounts.update with `disabled: false` enables it again.',
      })
    }
    const ends = endsFactors === true && before.second_factor === 1
    if (ends && caller.account?.id === before.id) throw ownSecondFactor()
    const { row } = await change.update('account', before, {
      password_hash: null,
      epoch: before.epoch + 1,
      ...(ends ? await endSecondFactor(change, before, nameOf(caller)) : {}),
    })
    return { ...(await withLink(context, row)), changed: ends ? ['password', 'second_factor'] : ['password'] }
  },
})

const ownSecondFactor = () =>
  new Failure('refused', 'You cannot end the second factors of your own account this way.', {
    field: 'second_factor',
    rule: 'somebody else ends a second factor that was lost',
    hint: 'Remove them on the page Your account, ask another admin, or run: postern admin reset-password EMAIL --second-factor',
  })

export const accountsDelete = action({
  class: 'SVC_Accounts',
  name: 'delete',
  title: 'Delete [the account {title}|an account]',
  summary: 'Deletes an account with its tokens and apps, and gives its entries to another account. This cannot be undone.',
  did: 'deleted [the account {title}|an account]',
  tier: 'admin',
  effect: 'destroy',
  failures: ['not_found', 'conflict'],
  touches: 'site',
  input: Type.Object(
    {
      id: idProperty,
      give_to: Type.String({ description: 'Id or e-mail of the account that gets its entries.', minLength: 1, maxLength: 254 }),
      expect: Type.Integer({ minimum: 0, description: 'How many accounts you mean to delete: 1.' }),
    },
    { additionalProperties: false },
  ),
  output: doneOutput,
  examples: [{ title: 'Somebody left', input: { id: 'editor@example.org', give_to: 'owner@example.org', expect: 1 } }],
  async run(context, { id, give_to: heirName, expect }) {
    const { change, db } = context
    const account = await getAccount(db, id)
    const heir = await getAccount(db, heirName)
    if (expect !== 1)
      throw new Failure('conflict', 'This deletes 1 account. Nothing was done.', { field: 'expect', found: 1, expected: 1 })
    if (heir.id === account.id) {
      throw new Failure('invalid', '"give_to" must not be the account that is deleted.', {
        field: 'give_to',
        expected: 'another account',
      })
    }
    const entries = await db.selectFrom('entry').selectAll().where('author_id', '=', account.id).execute()
    for (const entry of entries) {
      checkEntryLimits(context.caller, entry, entry)
      await change.update('entry', entry, { author_id: heir.id })
    }
    await change.remove('account', account)
    await checkAdminLeft(db)
    return { done: [account.id], unchanged: [], warnings: [], activity_id: null }
  },
})

async function withLink(context: WriteContext, account: AccountRow) {
  const code = await makeLink(context.db, account, context.now)
  const item = (await accountItems(context, [account]))(account)
  return { item, link: `${context.origin}${linkPath}?code=${code}`, warnings: [], activity_id: null }
}
