// Exact changes of a text: replace a text, rewrite a section, append, prepend. There are no patterns and no guesses: a text that
// doesn't occur exactly as often as expected is a failure, which quotes the most similar line.

import { Failure, invalid } from '../../base/failure.ts'
import { maxBodyBytes } from '../entries/entry-text.ts'
import type { Renderer } from './render.ts'

/** The texts of an entry that can be edited. */
export interface EditedTexts {
  readonly title: string
  readonly body: string
  readonly excerpt: string
  /** Texts in the fields of the entry's type. */
  readonly [field: `fields.${string}`]: string
}
export const editedFields = ['title', 'body', 'excerpt'] as const

/** One change, in exactly one form. The member `find`, `section`, `append` or `prepend` decides the form. */
export interface Edit {
  readonly find?: string
  readonly replace?: string
  /** The number of times that `find` must occur. The default is 1. */
  readonly expect?: number
  readonly field?: keyof EditedTexts
  readonly section?: string
  readonly text?: string
  readonly append?: string
  readonly prepend?: string
}

type Form = 'find' | 'section' | 'append' | 'prepend'

/** The other members that each form needs, and those that it accepts. */
const companions: Readonly<Record<Form, { readonly needs: readonly (keyof Edit)[]; readonly takes: readonly (keyof Edit)[] }>> = {
  find: { needs: ['replace'], takes: ['expect', 'field'] },
  section: { needs: ['text'], takes: [] },
  append: { needs: [], takes: [] },
  prepend: { needs: [], takes: [] },
}
const forms = Object.keys(companions) as readonly Form[]
const formsInWords = '{find, replace, expect, field}, {section, text}, {append} or {prepend}'

/** The renderer's thread finds sections, because that takes the Markdown parser. */
export type SectionReplacer = Pick<Renderer, 'replaceSection'>

/** True if some edit rewrites a section. Such an edit needs the renderer, so it is made before the transaction. */
export const editsSection = (edits: readonly Edit[]): boolean => edits.some(({ section }) => section !== undefined)

/**
 * Applies the edits one after the other.
 * @param replacer used for edits by section only
 * @throws Failure `conflict` when `find` doesn't occur as often as expected, `invalid` for an unknown section or a mixture of forms
 */
export async function applyEdits(texts: EditedTexts, edits: readonly Edit[], replacer: SectionReplacer): Promise<EditedTexts> {
  let edited = texts
  for (const [place, edit] of edits.entries()) {
    const at = `edits.${place}`
    edited = await makers[formOf(edit, at)](edited, edit, at, replacer)
  }
  return edited
}

type Maker = (texts: EditedTexts, edit: Edit, at: string, replacer: SectionReplacer) => EditedTexts | Promise<EditedTexts>

const makers: Readonly<Record<Form, Maker>> = {
  find(texts, edit, at) {
    const field = edit.field ?? 'body'
    const text = texts[field]
    // The schema allows the text fields of every type.
    if (text === undefined)
      throw invalid(`${at}.field`, `An entry of this type has no text ${field}.`, `one of ${Object.keys(texts).join(', ')}`)
    return { ...texts, [field]: replaceExact(text, edit, at) }
  },
  async section(texts, { section = '', text = '' }, at, replacer) {
    const replaced = await replacer.replaceSection(texts.body, section, text)
    return { ...texts, body: 'body' in replaced ? replaced.body : noSection(replaced.ids, section, at) }
  },
  append: (texts, { append = '' }) => ({ ...texts, body: joinBlocks(texts.body, append) }),
  prepend: (texts, { prepend = '' }) => ({ ...texts, body: joinBlocks(prepend, texts.body) }),
}

function formOf(edit: Edit, at: string): Form {
  const given = Object.keys(edit).filter((name) => edit[name as keyof Edit] !== undefined)
  const form = forms.find((name) => given.includes(name))
  const { needs, takes } = companions[form ?? 'find']
  const missing = needs.find((name) => !given.includes(name))
  const foreign = given.find(
    (name) => name !== form && !needs.includes(name as keyof Edit) && !takes.includes(name as keyof Edit),
  )
  if (form !== undefined && missing === undefined && foreign === undefined) return form
  const sentence =
    missing !== undefined && form !== undefined
      ? `An edit with \`${form}\` needs \`${missing}\`.`
      : 'This edit has no form, or two forms at once.'
  throw invalid(at, sentence, formsInWords)
}

function replaceExact(text: string, { find = '', replace = '', expect = 1 }: Edit, at: string): string {
  const parts = text.split(find)
  const found = parts.length - 1
  if (found === expect) {
    // Checked before the replacement, because replacing a short text a million times could exhaust the memory.
    if (text.length + found * (replace.length - find.length) > maxBodyBytes)
      throw new Failure('too_large', 'The text would be longer than 2 MiB.', { field: at, limit: maxBodyBytes })
    return parts.join(replace)
  }
  const near = found === 0 ? nearestLine(text, find) : undefined
  const times = found === 0 ? 'does not occur' : `occurs ${found === 1 ? 'once' : `${found} times`}`
  throw new Failure('conflict', `The text of \`find\` ${times}; it was expected ${expect === 1 ? 'once' : `${expect} times`}.`, {
    field: `${at}.find`,
    found,
    hint:
      found > 0
        ? 'Include more of the text around it in `find`, or give the number of occurrences as `expect`.'
        : near === undefined
          ? 'Read the entry again. The text must match exactly, including spaces and line ends.'
          : `The nearest text is in line ${near.number}: ${JSON.stringify(near.line)}. Letters, spaces and line ends must match.`,
  })
}

function noSection(ids: readonly string[], ref: string, at: string): never {
  throw invalid(
    `${at}.section`,
    `There is no section ${JSON.stringify(ref.slice(0, 100).toWellFormed())}.`,
    ids.length === 0 ? 'this text has no headings: use `append` or `find`' : ids,
  )
}

/** Joins two texts with a blank line between them. */
function joinBlocks(above: string, below: string): string {
  if (above === '' || below === '') return above + below
  const ends = /(?:\r?\n){0,2}$/.exec(above.slice(-4))?.[0].replaceAll('\r', '').length ?? 0
  return `${above}${'\n'.repeat(Math.max(0, 2 - ends))}${below}`
}

const maxLines = 5000
const maxLineChars = 200

/** The line that shares most words with the first line of `find`; undefined when no line shares half of them. */
function nearestLine(text: string, find: string): { readonly number: number; readonly line: string } | undefined {
  const wanted = wordsOf(find.split('\n').find((line) => line.trim() !== '') ?? '')
  if (wanted.size === 0) return undefined
  let best: { readonly number: number; readonly line: string } | undefined
  let most = wanted.size / 2
  for (const [index, line] of text.split('\n', maxLines).entries()) {
    const shared = [...wordsOf(line)].filter((word) => wanted.has(word)).length
    if (shared < most || (shared === most && best !== undefined)) continue
    most = shared
    best = { number: index + 1, line: line.slice(0, maxLineChars).toWellFormed() }
  }
  return best
}

const wordsOf = (line: string): ReadonlySet<string> =>
  new Set(
    line
      .slice(0, 1000)
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [],
  )
