// The steps that the bar of a section offers, by the names of their messages.
export const sectionSteps = [
  'editor_section_edit',
  'editor_section_add',
  'editor_section_up',
  'editor_section_down',
  'editor_section_copy',
  'editor_section_remove',
] as const
export type SectionStep = (typeof sectionSteps)[number]

/** The kind of the sections within a kind (`content/sections/kinds.ts`). */
export const sectionItems: Readonly<Record<string, string>> = { cards: 'card', columns: 'column', people: 'person' }
