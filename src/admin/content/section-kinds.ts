// The kinds of sections in the language of the page, for the dialogs of the editor.

import { forms } from '../../actions/forms/index.ts'
import type { SectionAttribute } from '../../content/sections/attributes.ts'
import { sectionKinds, type SectionKind, type SectionName } from '../../content/sections/kinds.ts'
import { isDay, isSortable } from '../../content/types/list-rules.ts'
import type { Reply } from '../../http/reply.ts'
import { mayRun } from '../navigation.ts'
import { get } from '../page.ts'
import { dataReply } from '../reply.ts'
import type { SignedIn } from '../visit.ts'
import type { MessageKey } from '../words.ts'
import { listTermChoices } from './term-boxes.ts'
import { typeName } from './type-words.ts'

interface Choice {
  readonly value: string
  readonly label: string
}

/** GET. Answers the kinds, with the fields of their forms. */
export async function listSections(visit: SignedIn): Promise<Reply> {
  const { t } = visit
  const ofSite = await siteChoices(visit)
  const items = Object.entries(sectionKinds as Readonly<Record<SectionName, SectionKind>>).map(([kind, row]) => ({
    kind,
    title: t(`sections.${kind as SectionName}`),
    within: row.within,
    example: row.example,
    fields: Object.entries(row.attributes).map(([name, attribute]) => ({
      name,
      label: t(`sections.attribute_${name as AttributeName}`),
      type: attribute.type,
      ...(attribute.required && { required: true }),
      choices: ofSite[name] ?? choicesOf(visit, name, attribute),
    })),
  }))
  return dataReply(visit, 200, { items })
}

/** The choices of an attribute in words; none for one that takes any text. */
function choicesOf({ t }: SignedIn, name: string, { type, choices = [], from = 1, to = 0 }: SectionAttribute): readonly Choice[] {
  if (type !== 'number') return choices.map((value) => ({ value, label: t(`sections.choice_${name}_${value}` as MessageKey) }))
  return Array.from({ length: to - from + 1 }, (_, place) => String(from + place)).map((value) => ({ value, label: value }))
}

/** The choices that the site itself makes: its types with their fields, its terms, its forms. */
async function siteChoices(visit: SignedIn): Promise<Readonly<Record<string, readonly Choice[]>>> {
  const { site, t } = visit
  const { all } = site.types.current
  const fields = all.flatMap((type) => type.fields)
  const named = (name: string, label: string | undefined): string => label ?? name
  const taxonomies = (await Promise.all(all.map(({ slug }) => listTermChoices(visit, slug)))).flat()
  const terms = new Map(
    taxonomies.flatMap((taxonomy) => taxonomy.terms.map(({ ref, name }) => [ref, `${taxonomy.name}: ${name}`])),
  )
  const { items = [] } = mayRun(visit, forms.list) ? await get(visit, forms.list, {}) : {}
  const orders = (['-published_at', 'published_at', 'title'] as const).map((value) => ({
    value,
    label: t(`sections.choice_sort_${value}`),
  }))
  return {
    type: all.map((type) => ({ value: type.slug, label: typeName(t, type) })),
    term: [...terms].map(([value, label]) => ({ value, label })),
    form: items.map(({ slug, name }) => ({ value: slug, label: name })),
    upcoming: fields.filter(isDay).map(({ name, label }) => ({ value: name, label: named(name, label) })),
    sort: [
      ...orders,
      ...fields.filter(isSortable).flatMap(({ name, label }) => [
        { value: `fields.${name}`, label: t('sections.choice_first_first', { field: named(name, label) }) },
        { value: `-fields.${name}`, label: t('sections.choice_last_first', { field: named(name, label) }) },
      ]),
    ],
  }
}

/** All names of attributes. */
type AttributeName = { [K in SectionName]: keyof (typeof sectionKinds)[K]['attributes'] }[SectionName]
