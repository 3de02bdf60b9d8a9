// SVC_Docs: the documents in src/docs, whole, by section and by search. They ship with the program and need no sign-in.

import { Type } from 'typebox'
import type { Section } from '../../content/markdown/outline.ts'
import type { Doc } from '../../docs/index.ts'
import { createLate } from '../../base/late.ts'
import type { Context } from '../call/action.ts'

/** The documents, loaded on first use: few callers read them, and they are as large as a third of the code. */
export const docs = createLate(() => import('../../docs/index.ts'))

export const section = Type.Object({ section: Type.String(), title: Type.String(), level: Type.Integer() })

/** The sections of documents, which are read once because documents never change while the program runs. */
const known = new Map<string, readonly Section[]>()

export async function sectionsOf({ renderer }: Context['site'], { doc, text }: Doc): Promise<readonly Section[]> {
  const sections = known.get(doc) ?? (await renderer.outline(text))
  known.set(doc, sections)
  return sections
}

/** Returns the sections of a document for an answer. */
export function sectionItems(sections: readonly Section[]): { section: string; title: string; level: number }[] {
  return sections.map(({ id, title, level }) => ({ section: id, title, level }))
}
