// The fields of a public profile, on the person's own account page and on an admin's page of the person.

import type { FormRows } from '../parts/declared-form.ts'

export const profileRows: FormRows = [
  { name: 'public', control: 'box', label: 'people.public', help: 'people.public_help' },
  [
    { name: 'slug', label: 'people.slug', help: 'people.slug_help' },
    { name: 'picture', label: 'people.picture', placeholder: '/media/me.jpg', help: 'people.picture_help' },
  ],
  { name: 'bio', control: 'area', label: 'people.bio', rows: 4, help: 'people.bio_help' },
]
