// A form in the answers of SVC_Forms, and the inputs that several of its actions share.

import { type Static, Type } from 'typebox'
import { invalid } from '../../base/failure.ts'
import { boundedInteger, boundedText, clearableText, closed, flag, nonEmptyText } from '../../base/schema.ts'
import { fieldKinds, type AskedField, maxChoices, maxFields } from '../../forms/form-fields.ts'
import { fieldsOf, receiversOf } from '../../forms/form-store.ts'
import { findAccount } from '../../identity/account-store.ts'
import { checkAddress } from '../../mail/mail-address.ts'
import { formatDate } from '../../settings/time-zone.ts'
import type { Db } from '../../store/core/database.ts'
import type { VisitorFormRow } from '../../store/core/schema.ts'
import { nullable } from '../call/write-answer.ts'

export const idProperty = nonEmptyText('Id or slug of a form.', 200)
export const slugProperty = nonEmptyText('Slug: `contact` for `::: form {form="contact"}`.', 100)
export const nameProperty = nonEmptyText('Name for people.', 200)

export const fieldsProperty = Type.Array(
  closed({
    name: Type.String({
      description: 'Name of the value: lower-case letters, digits and `_`.',
      pattern: '^[a-z][a-z0-9_]*$',
      maxLength: 40,
      title: 'lower-case letters, digits and _',
    }),
    label: nonEmptyText('Words beside the field.', 200),
    kind: Type.Enum([...fieldKinds], {
      description: '`lines` is a text of several lines, `check` a box to tick, `files` takes up to five files of 10 MB together.',
    }),
    required: flag('The default is false.'),
    help: Type.Optional(boundedText('A sentence under the field.', 500)),
    choices: Type.Optional(
      Type.Array(nonEmptyText('A choice.', 200), { description: 'Of `choice`.', minItems: 1, maxItems: maxChoices }),
    ),
  }),
  { description: 'The fields in their order.', minItems: 1, maxItems: maxFields },
)

export const formProperties = {
  receivers: Type.Optional(
    Type.Array(nonEmptyText('Id or e-mail of an account, or an address.', 254), {
      description:
        'Who gets each submission by mail. An address of nobody here gets a link first, and mails once it has agreed. Only an admin without limits sets them.',
      maxItems: 20,
    }),
  ),
  thanks: Type.Optional(boundedText('What the sender reads then. The default says thanks in the language of the page.', 2000)),
  thanks_page: clearableText('Path of a page that is shown instead.', 500),
  reply: clearableText(
    'A fixed answer by mail to the sender, once a day for each address. Off by default. Only an admin without limits sets it.',
    5000,
  ),
  consent: clearableText(
    'A box that the sender must tick, in Markdown without blocks: `I have read the [privacy page](/privacy).`',
    500,
  ),
  keep_days: Type.Optional(boundedInteger('Days for which submissions are kept. The default is 365.', 1, 3650)),
  open: flag('False takes no submissions for now. The default is true.'),
}

export const formItem = Type.Object({
  id: Type.String(),
  slug: Type.String(),
  name: Type.String(),
  fields: Type.Array(
    Type.Object({
      name: Type.String(),
      label: Type.String(),
      kind: Type.Enum([...fieldKinds]),
      required: Type.Boolean(),
      help: nullable(Type.String()),
      choices: Type.Array(Type.String()),
    }),
  ),
  receivers: Type.Optional(Type.Array(Type.String(), { description: 'For admins.' })),
  thanks: Type.String(),
  thanks_page: nullable(Type.String()),
  reply: nullable(Type.String()),
  consent: nullable(Type.String()),
  keep_days: Type.Integer(),
  open: Type.Boolean(),
  revision: Type.Integer(),
  updated_at: Type.String(),
})

/** @param isAdmin whether the caller may see who gets the mails */
export function formItemOf(row: VisitorFormRow, isAdmin: boolean): Static<typeof formItem> {
  return {
    id: row.id,
    slug: row.slug,
    name: row.name,
    fields: fieldsOf(row).map((field) => ({ ...field, choices: [...field.choices] })),
    ...(isAdmin && { receivers: [...receiversOf(row)] }),
    thanks: row.thanks,
    thanks_page: row.thanks_page,
    reply: row.reply,
    consent: row.consent,
    keep_days: row.keep_days,
    open: row.open === 1,
    revision: row.revision,
    updated_at: formatDate(row.updated_at),
  }
}

/** Checks fields for storing. @throws Failure `invalid` for a name that two have, and for choices at the wrong kind */
export function readFields(given: Static<typeof fieldsProperty>): string {
  const names = new Set<string>()
  const fields = given.map(({ name, label, kind, required = false, help, choices = [] }, at): AskedField => {
    const field = `fields[${at}]`
    if (name === 'do') throw invalid(`${field}.name`, 'The name do is taken by the form itself.', 'another name')
    if (names.has(name)) throw invalid(`${field}.name`, `Two fields have the name ${name}.`, 'a name of its own for each field')
    names.add(name)
    if ((kind === 'choice') !== choices.length > 0)
      throw invalid(
        `${field}.choices`,
        'A choice needs its choices, and no other kind of field has them.',
        'choices for `choice`',
      )
    return { name, label, kind, required, help: help?.trim() || null, choices }
  })
  return JSON.stringify(fields)
}

/** Receivers for storing: ids of accounts, and addresses. @throws Failure `invalid` */
export async function readReceivers(db: Db, given: readonly string[]): Promise<string> {
  const stored: string[] = []
  for (const one of given) {
    const account = await findAccount(db, one)
    stored.push(account ? account.id : checkAddress('receivers', one))
  }
  return JSON.stringify([...new Set(stored)])
}
