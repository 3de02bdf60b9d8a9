// The data of the contract as templates see it. Markup becomes a value that prints unescaped, but only where the contract has
// markup: the custom fields of an entry may have any form. In `details`, only values of the kind `markdown` are markup.

import type { ThemeComment, ThemeData, ThemeDetail, ThemeMarkup } from '../contract.ts'
import type { Marks } from './marks.ts'

export type TemplateData = Readonly<Record<string, unknown>>

type Safe = (markup: ThemeMarkup) => unknown

/** The values of a group are lists of details. */
const detail = ({ values, ...rest }: ThemeDetail, safe: Safe): TemplateData => ({
  ...rest,
  values: values.map((value) => {
    if (rest.kind === 'markdown') return safe(value as ThemeMarkup)
    return rest.kind === 'group' ? (value as readonly ThemeDetail[]).map((one) => detail(one, safe)) : value
  }),
})

const comment = (one: ThemeComment, safe: Safe): TemplateData => ({
  ...one,
  content: safe(one.content),
  answers: one.answers.map((answer) => comment(answer, safe)),
})

/** @param marks of the rendering */
export function template(data: ThemeData, marks: Marks): TemplateData {
  const { page } = data
  const safe: Safe = ({ markup }) => marks.service(markup)
  return {
    ...data,
    page: {
      ...page,
      head: safe(page.head),
      entry: page.entry && {
        ...page.entry,
        content: safe(page.entry.content),
        details: page.entry.details.map((one) => detail(one, safe)),
        comments: page.entry.comments && {
          ...page.entry.comments,
          items: page.entry.comments.items.map((one) => comment(one, safe)),
        },
      },
      results: page.results.map((result) => ({ ...result, snippet: safe(result.snippet) })),
    },
  }
}
