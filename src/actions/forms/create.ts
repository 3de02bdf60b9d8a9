import { closed } from '../../base/schema.ts'
import { checkSlug } from '../../content/entries/slug.ts'
import { newId } from '../../store/core/ids.ts'
import { action } from '../call/action.ts'
import { fieldsProperty, formProperties, nameProperty, readFields, readReceivers, slugProperty } from './form-item.ts'
import { checkMayMail, checkSlugFree, checkThanksPage, formTouches, output, written } from './form-writing.ts'

export const create = action('SVC_Forms.create', {
  title: 'Create [the form {title}|a form]',
  summary: 'Creates a form for visitors. It appears where a text has `::: form {form="SLUG"}` and `:::`.',
  did: 'created [the form {title}|a form]',
  tier: 'content',
  effect: 'write',
  touches: formTouches,
  failures: ['exists'],
  input: closed({ slug: slugProperty, name: nameProperty, fields: fieldsProperty, ...formProperties }),
  output,
  examples: [
    {
      title: 'A contact form',
      input: {
        slug: 'write-to-us',
        name: 'Write to us',
        fields: [
          { name: 'name', label: 'Your name', kind: 'text', required: true },
          { name: 'email', label: 'Your e-mail', kind: 'email', required: true },
          { name: 'message', label: 'Message', kind: 'lines', required: true },
        ],
      },
    },
  ],
  async run(context, { slug, name, fields, receivers, ...given }) {
    checkSlug(slug, { top: false, guarded: true })
    checkMayMail(context, { receivers, reply: given.reply })
    checkThanksPage(given.thanks_page)
    await checkSlugFree(context.db, slug)
    const row = await context.change.insert('form', {
      id: newId(context.now),
      slug,
      name: name.toWellFormed(),
      fields: readFields(fields),
      receivers: await readReceivers(context.db, receivers ?? []),
      thanks: given.thanks ?? '',
      thanks_page: given.thanks_page ?? null,
      reply: given.reply ?? null,
      consent: given.consent ?? null,
      keep_days: given.keep_days ?? 365,
      open: given.open === false ? 0 : 1,
    })
    return written(context, row)
  },
})
