// The fields of a public profile, on the person's own account page and on an admin's page of the person.

import type { AccountItem } from '../../actions/classes/account-item.ts'
import { html, type Html } from '../../doors/html.ts'
import type { Fields } from '../form.ts'
import { areaField, checkField, textField } from '../parts/fields.ts'
import type { Words } from '../words.ts'

/** The names that forms and failures use. */
export const profileFieldNames = ['public', 'slug', 'bio', 'picture'] as const

type Profile = Pick<AccountItem, (typeof profileFieldNames)[number]>

interface ProfileFields {
  readonly profile: Profile
  /** The values that were filled in, if the form was refused. */
  readonly fields: Fields | undefined
  readonly fault: (name: string) => string | undefined
}

export function profileFields(t: Words, { profile, fields, fault }: ProfileFields): Html {
  const value = (name: 'slug' | 'bio' | 'picture') => fields?.get(name) ?? profile[name] ?? ''
  const isPublic = fields ? fields.has('public') : profile.public
  return html`${checkField({ name: 'public', label: t('people.public'), value: isPublic ? 'yes' : '', help: t('people.public_help') })}
    <div class="two">
      ${textField({ name: 'slug', label: t('people.slug'), value: value('slug'), help: t('people.slug_help'), fault: fault('slug') })}
      ${textField({ name: 'picture', label: t('people.picture'), value: value('picture'), placeholder: '/media/me.jpg', help: t('people.picture_help'), fault: fault('picture') })}
    </div>
    ${areaField({ name: 'bio', label: t('people.bio'), value: value('bio'), rows: 4, help: t('people.bio_help'), fault: fault('bio') })}`
}

/** Reads the profile from a form. An empty field means no value. */
export const readProfile = (fields: Fields) => ({
  public: fields.has('public'),
  slug: fields.get('slug').trim() || null,
  bio: fields.get('bio').trim() || null,
  picture: fields.get('picture').trim() || null,
})
