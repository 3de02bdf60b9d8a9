// The texts of a front page that were settings of a theme, as sections of Markdown. The order and the words are those of the
// templates in `themes/retired/`.

import { fromTree } from '../../content/from-html/from-html.ts'
import { makeSection } from '../../content/from-html/sections.ts'
import { makeElement, makeText, type Node } from '../../content/from-html/tree.ts'
import { trimStartOf } from '../../base/trim-text.ts'
import { findSections } from '../../content/sections/section-lines.ts'

export interface HomeService {
  readonly title: string
  readonly text: string
  /** Empty if there is none. */
  readonly link: string
}

/** The texts of one language. Empty ones are not shown. */
export interface HomeTexts {
  /** Undefined if the owner set none of its texts: the theme then makes the opening from the title and the tagline. */
  readonly hero:
    | {
        readonly title: string
        readonly text: string
        readonly image: string
        readonly button: string
        readonly link: string
      }
    | undefined
  readonly servicesTitle: string
  readonly services: readonly HomeService[]
}

/**
 * Returns a text with the texts of the settings before it. A text that begins with a `hero` keeps it, because the theme showed that
 * one alone. The services then follow it.
 */
export function withHomeTexts(body: string, texts: HomeTexts): string {
  const opening = openingEnd(body)
  if (opening === 0) return joined([markdownOf([...heroOf(texts), ...servicesOf(texts)]), body])
  const lines = body.split('\n')
  const parts = [lines.slice(0, opening).join('\n'), markdownOf(servicesOf(texts)), lines.slice(opening).join('\n')]
  return joined(parts)
}

/** The Markdown of the texts alone. */
export const homeTextsMarkdown = (texts: HomeTexts): string => markdownOf([...heroOf(texts), ...servicesOf(texts)])

/** The number of lines up to the end of the `hero` with which a text begins; 0 if it begins otherwise. */
function openingEnd(body: string): number {
  const first = body.split('\n').findIndex((line) => line.trim() !== '')
  const section = findSections(body).get(first)
  return section?.kind === 'hero' ? section.end + 1 : 0
}

const joined = (parts: readonly string[]): string => {
  const text = parts
    .map((part) => trimStartOf(part.trimEnd(), '\n'))
    .filter((part) => part !== '')
    .join('\n\n')
  return text === '' ? '' : `${text}\n`
}

const markdownOf = (nodes: readonly Node[]): string => fromTree(makeElement('div', {}, [...nodes])).markdown

const heading = (name: 'h2' | 'h3', ...children: Node[]): Node => makeElement(name, {}, children)
const paragraphs = (text: string): Node[] => (text === '' ? [] : [makeElement('p', {}, [makeText(text)])])

function heroOf({ hero }: HomeTexts): readonly Node[] {
  if (!hero) return []
  const { title, text, image, button, link } = hero
  const action = button !== '' && link !== '' ? { button, href: link } : {}
  return [makeSection('hero', { image, ...action }, [heading('h2', makeText(title)), ...paragraphs(text)])]
}

function servicesOf({ services, servicesTitle }: HomeTexts): readonly Node[] {
  if (services.length === 0) return []
  const cards = services.map(({ title, text, link }) => {
    const words = link === '' ? makeText(title) : makeElement('a', { href: link }, [makeText(title)])
    return makeSection('card', {}, [heading('h3', words), ...paragraphs(text)])
  })
  // Four stand in two rows, as they did.
  const columns = services.length === 4 ? { columns: '2' } : {}
  return [heading('h2', makeText(servicesTitle)), makeSection('cards', columns, cards)]
}
