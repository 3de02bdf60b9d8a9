// The data of the contract as templates see it. ThemeMarkup becomes a value that is put out as it is, in the places where the contract has markup and
// nowhere else: the fields of an entry may have any form.

import type { ThemeMarkup, ThemeData } from './contract.ts'
import { SafeMarkup } from './safe-markup.ts'

export type TemplateData = Readonly<Record<string, unknown>>

const safe = ({ markup }: ThemeMarkup): SafeMarkup => new SafeMarkup(markup)

export function template(data: ThemeData): TemplateData {
  const { page } = data
  return {
    ...data,
    page: {
      ...page,
      head: safe(page.head),
      entry: page.entry && { ...page.entry, content: safe(page.entry.content) },
      results: page.results.map((result) => ({ ...result, snippet: safe(result.snippet) })),
    },
  }
}
