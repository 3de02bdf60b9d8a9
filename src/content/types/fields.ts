// The fields of an entry, one row per field. Everything that reads, writes, lists or shows entries reads this table, so adding a
// field is a row here, its column in `store/core/schema.ts`, and a migration. `entry-field.ts` documents the members of a row.

import { Type } from 'typebox'
import { type FieldInput, type FieldOutput, type FieldRow, orNull, textOrNull } from './entry-field.ts'
import { commentChoices } from '../comments/comment-rules.ts'
import { entryStatuses, urlOf } from '../entries/entry.ts'
import { checkBody, checkText, checkTitle, maxBodyBytes, maxExcerptChars, maxTitleChars } from '../entries/entry-text.ts'
import { mergeValues, shownValues } from './custom-values.ts'
import { entryTypeSlugs } from './entry-types.ts'
import { follow } from './followed-schemas.ts'
import {
  toAuthorId,
  toGroup,
  toImageId,
  toLocale,
  toParentId,
  toSeo,
  toSeoColumn,
  toTermNames,
  toTermsColumn,
  toTime,
} from './field-values.ts'
import { seoInput } from '../entries/seo-input.ts'
import { maxTermsOfEntry } from '../terms/terms.ts'

/** The longest reference to another object: an id, a path or an e-mail address. */
const maxNameChars = 1100
const maxDateChars = 100
const dateInput = (description: string) =>
  orNull(Type.String({ maxLength: maxDateChars, title: 'a date such as 2026-11-21T08:30' }), description)

const date = Type.String({ description: 'UTC, such as 2026-11-21T06:55:48.000Z.' })

/** Statuses that a caller can set; other actions move entries into and out of the trash. */
const settable = ['draft', 'scheduled', 'published', 'private'] as const

/** The fields, in the order of answers. */
export const entryFields = {
  id: { stores: 'text', output: Type.String(), list: { sort: true, indexed: true }, lean: true },
  type: {
    stores: 'text',
    choices: entryTypeSlugs,
    input: Type.Enum([...entryTypeSlugs], follow('types in words')),
    output: Type.Enum([...entryTypeSlugs], follow('types')),
    list: { indexed: true, ordered: ['created_at'] },
    lean: true,
    inFile: true,
  },
  title: {
    stores: 'text',
    input: Type.String({ description: `One line, at most ${maxTitleChars} characters.`, maxLength: maxTitleChars }),
    toStored: (text: string) => checkTitle(text),
    output: Type.String(),
    list: { sort: true, indexed: true, search: true, folded: 'entry_folded' },
    lean: true,
    reverts: true,
    inFile: true,
    onPage: true,
    form: { panel: 'text', control: 'line', label: 'Title', required: true },
  },
  slug: {
    stores: 'text',
    input: Type.String({ description: 'End of the address, by default from the title.', maxLength: maxNameChars }),
    output: Type.String(),
    list: { sort: true, indexed: true, folded: 'entry_folded' },
    lean: true,
    form: {
      panel: 'address',
      control: 'line',
      label: 'End of the address',
      help: 'Left empty, it is made from the title.',
    },
  },
  path: {
    stores: 'text',
    output: orNull(Type.String(), 'Null in the trash.'),
    list: { indexed: true, folded: 'entry_folded' },
    lean: true,
  },
  url: {
    column: 'path',
    stores: 'text',
    derived: true,
    output: orNull(Type.String()),
    toOutput: (path: string | null, { origin }: FieldOutput) => (path === null ? null : urlOf(origin, path)),
    lean: true,
    onPage: true,
  },
  status: {
    stores: 'text',
    choices: entryStatuses,
    blank: 'draft',
    input: Type.Enum([...settable], { description: '`published` with a future `published_at` is scheduled.' }),
    output: Type.Enum([...entryStatuses]),
    list: { indexed: true, ordered: ['created_at', 'title', 'published_at', 'updated_at'] },
    lean: true,
    inFile: true,
    form: { panel: 'publication', control: 'status', label: 'Status', help: 'While it is not published.' },
  },
  published_at: {
    stores: 'time',
    blank: null,
    input: dateInput("When it was or will be published: with an offset, or in the site's time zone."),
    toStored: toTime,
    output: orNull(date),
    list: { sort: true, indexed: true },
    lean: true,
    inFile: true,
    onPage: true,
    form: {
      panel: 'publication',
      control: 'time',
      label: 'Publish at',
      help: 'Empty: as soon as you publish it. A time ahead schedules it.',
      live: { label: 'Published', help: 'The date that its page shows.' },
    },
  },
  unpublish_at: {
    stores: 'time',
    blank: null,
    input: dateInput('When it stops being public.'),
    toStored: toTime,
    output: orNull(date),
    list: { sort: true, indexed: true },
    lean: true,
    inFile: true,
    form: { panel: 'publication', control: 'time', label: 'Take off the site at', help: 'Empty: never.' },
  },
  created_at: { stores: 'time', output: date, list: { sort: true, indexed: true }, lean: true },
  updated_at: {
    stores: 'time',
    output: date,
    list: { sort: true, indexed: true },
    lean: true,
    onPage: true,
  },
  revision: { stores: 'number', output: Type.Integer(), list: {}, lean: true },
  excerpt: {
    stores: 'text',
    blank: null,
    input: textOrNull('Summary for lists and feeds, at most 2,000 characters.', maxExcerptChars),
    toStored: (text: string) => checkText(text, 'excerpt', maxExcerptChars),
    output: orNull(Type.String()),
    list: { search: true, folded: 'entry_folded' },
    reverts: true,
    inFile: true,
    onPage: true,
    form: { panel: 'address', control: 'area', label: 'Excerpt', help: 'For lists and feeds.', last: true },
  },
  author: {
    column: 'author_id',
    stores: 'text',
    blank: null,
    input: textOrNull('Id or e-mail address of an account, or the slug of its public profile.', maxNameChars),
    toStored: toAuthorId,
    output: orNull(Type.String(), 'Id of an account.'),
    list: { indexed: true, ordered: ['created_at'] },
    inFile: true,
    form: { panel: 'address', control: 'author', label: 'Author' },
  },
  parent: {
    column: 'parent_id',
    stores: 'text',
    blank: null,
    input: textOrNull('Id or path of the parent page.', maxNameChars),
    toStored: toParentId,
    output: orNull(Type.String(), 'Id of a page.'),
    list: { indexed: true, ordered: ['created_at'], resolve: (ref, { findEntryId }) => findEntryId(ref) },
    form: {
      panel: 'address',
      control: 'entry',
      hierarchical: true,
      label: 'Parent page',
      help: 'The page above this one. Type a part of its title, or its path such as /about.',
    },
  },
  position: {
    stores: 'number',
    blank: 0,
    input: orNull(Type.Integer({ minimum: -1_000_000, maximum: 1_000_000 }), 'Order among its siblings; usually 0.'),
    output: Type.Integer(),
    list: { sort: true, indexed: true },
    inFile: true,
    form: {
      panel: 'address',
      control: 'number',
      hierarchical: true,
      label: 'Position',
      help: 'Order among its siblings; 0 is usual.',
    },
  },
  seo: {
    stores: 'json',
    blank: '{}',
    input: orNull(seoInput, 'Metadata for search engines. Members that are left out stay unchanged.'),
    toStored: toSeoColumn,
    output: Type.Object({
      title: orNull(Type.String()),
      description: orNull(Type.String()),
      canonical: orNull(Type.String()),
      noindex: Type.Boolean(),
      image: orNull(Type.String(), 'Id of a media file.'),
    }),
    toOutput: (column: string) => toSeo(column),
    reverts: true,
    inFile: true,
    members: {
      title: {
        panel: 'search_engines',
        control: 'line',
        label: 'Title in search results',
        help: 'Where it differs from the title.',
      },
      description: { panel: 'search_engines', control: 'area', label: 'Description' },
      canonical: { panel: 'search_engines', control: 'line', label: 'Address of the original', help: 'If this is a copy.' },
      image: {
        panel: 'search_engines',
        control: 'image',
        label: 'Image for social networks',
        help: 'Where it differs from the cover.',
      },
      noindex: { panel: 'search_engines', control: 'box', label: 'Ask search engines not to list it' },
    },
  },
  terms: {
    stores: 'json',
    blank: '[]',
    input: orNull(
      Type.Array(Type.String({ minLength: 1, maxLength: maxNameChars }), { maxItems: maxTermsOfEntry }),
      'All terms of the entry, as `taxonomy/slug` or ids, such as `["category/news", "tag/boats"]`.',
    ),
    toStored: toTermsColumn,
    output: Type.Array(
      Type.Object({ id: Type.String(), ref: Type.String({ description: '`taxonomy/slug`' }), name: Type.String() }),
    ),
    toOutput: toTermNames,
    list: {
      indexed: true,
      among: { table: 'entry_term', column: 'term_id' },
      resolve: (ref, { findTermId }) => findTermId(ref),
    },
    reverts: true,
    inFile: true,
    form: { panel: 'terms', control: 'terms', label: 'Terms' },
  },
  locale: {
    stores: 'text',
    blank: null,
    input: textOrNull("Language tag such as `de`, if not the site's.", 100),
    toStored: (tag: string) => toLocale(tag),
    output: orNull(Type.String()),
    list: { indexed: true, ordered: ['created_at'] },
    reverts: true,
    inFile: true,
    form: { panel: 'language', control: 'language', label: 'Language' },
  },
  translation_of: {
    stores: 'text',
    blank: null,
    input: textOrNull('Id or path of an entry that says the same in another language; null leaves them.', maxNameChars),
    toStored: toGroup,
    output: orNull(
      Type.String(),
      'Id of the group of translations, which is that of its first entry; null for that entry itself.',
    ),
    list: { indexed: true, ordered: ['created_at'], resolve: (ref, { findGroup }) => findGroup(ref) },
    inFile: true,
    form: {
      panel: 'language',
      control: 'entry',
      label: 'Translation of',
      help: 'An entry that says the same in another language. Type a part of its title, or its path.',
    },
  },
  fields: {
    stores: 'json',
    blank: '{}',
    input: orNull(
      Type.Record(Type.String(), Type.Unknown(), follow('values')),
      'Values of the fields that the type defines (SVC_Types.get). Members that are left out stay unchanged, null clears them.',
    ),
    takesNull: true,
    toStored: (given: Readonly<Record<string, unknown>> | null, context: FieldInput) =>
      mergeValues(given, String(context.stored ?? '{}'), context.type, context),
    output: Type.Record(Type.String(), Type.Unknown(), {
      description: 'The fields that the type defines; null where there is no value.',
      ...follow('shown values'),
    }),
    toOutput: (column: string, { type }: FieldOutput) => shownValues(column, type),
    reverts: true,
    inFile: true,
    onPage: true,
  },
  cover: {
    stores: 'text',
    blank: null,
    input: textOrNull('Image of the page and in lists: id or path of a media file.', maxNameChars),
    toStored: toImageId,
    output: orNull(Type.String(), 'Id of a media file.'),
    reverts: true,
    inFile: true,
    form: {
      panel: 'cover',
      control: 'image',
      label: 'Cover',
      help: "Type a part of the image's name, or its path such as /media/team.jpg.",
    },
  },
  // Written by actions themselves, which hash the password before their transaction (`actions/content/page-password.ts`).
  has_password: {
    column: 'password_hash',
    stores: 'text',
    blank: null,
    output: Type.Boolean(),
    toOutput: (stored: string | null) => stored !== null,
  },
  comments: {
    stores: 'text',
    blank: null,
    input: orNull(Type.Enum([...commentChoices]), 'Comments.'),
    output: orNull(Type.Enum([...commentChoices])),
    inFile: true,
    form: { panel: 'comments', control: 'comments', label: 'Comments of this entry' },
  },
  live_revision: {
    stores: 'number',
    blank: null,
    output: orNull(Type.Integer(), 'The public revision; null if the entry is not public.'),
    toOutput: (_stored: number | null, { liveRevision }: FieldOutput) => liveRevision,
  },
  staged: {
    stores: 'boolean',
    blank: 0,
    output: Type.Boolean({ description: 'Whether changes wait for `publish`. `get` with `stage` shows them.' }),
    toOutput: (stored: number) => stored === 1,
    list: { indexed: true, ordered: ['created_at'] },
  },
  body: {
    stores: 'text',
    blank: '',
    input: textOrNull('Markdown, at most 2 MiB.', maxBodyBytes),
    toStored: (text: string) => checkBody(text),
    output: Type.String({ description: 'Markdown.' }),
    list: { search: true, folded: 'entry_folded_body' },
    reverts: true,
    form: { panel: 'text', control: 'body', label: 'Text', help: 'Markdown, at most 2 MiB.' },
  },
} as const satisfies Readonly<Record<string, FieldRow>>
