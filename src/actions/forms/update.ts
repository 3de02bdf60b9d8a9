import { Type } from 'typebox'
import { closed } from '../../base/schema.ts'
import { checkSlug } from '../../content/entries/slug.ts'
import { getForm } from '../../forms/form-store.ts'
import type { VisitorFormRow } from '../../store/core/schema.ts'
import { action } from '../call/action.ts'
import { combineFields } from '../call/combine.ts'
import { fieldsProperty, formProperties, idProperty, nameProperty, readFields, readReceivers, slugProperty } from './form-item.ts'
import { checkMayMail, checkSlugFree, checkThanksPage, formTouches, output, written } from './form-writing.ts'

export const update = action('SVC_Forms.update', {
  title: 'Change [the form {title}|a form]',
  summary: 'Changes a form. `fields` replaces all fields; what was sent before stays as it is.',
  did: 'changed [the form {title}|a form]',
  tier: 'content',
  effect: 'write',
  touches: formTouches,
  failures: ['not_found', 'exists'],
  revisioned: true,
  combine: combineFields,
  input: closed({
    id: idProperty,
    slug: Type.Optional(slugProperty),
    name: Type.Optional(nameProperty),
    fields: Type.Optional(fieldsProperty),
    ...formProperties,
  }),
  output,
  examples: [{ title: 'Who gets the mails', input: { id: 'contact', receivers: ['owner@example.org'] } }],
  async run(context, { id, fields, receivers, open, ...given }) {
    checkMayMail(context, { receivers, reply: given.reply })
    checkThanksPage(given.thanks_page)
    const before = await getForm(context.db, id)
    if (given.slug !== undefined) {
      checkSlug(given.slug, { top: false, guarded: true })
      await checkSlugFree(context.db, given.slug, before.id)
    }
    const patch = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Partial<VisitorFormRow>
    const { row, changed } = await context.change.update('form', before, {
      ...patch,
      ...(fields && { fields: readFields(fields) }),
      ...(receivers && { receivers: await readReceivers(context.db, receivers) }),
      ...(open !== undefined && { open: open ? 1 : 0 }),
    })
    return written(context, row, changed)
  },
})
