// Exact changes of a text: what is found is replaced, a section rewritten, something put before or after. No patterns, no guessing:
// what isn't there exactly so often is a failure that shows where it nearly is.

import { Failure } from '../failure.ts'
import { maxBodyBytes } from './entry-text.ts'
import type { Renderer } from './render.ts'

/** The texts of an entry that can be edited. */
export interface EditedTexts {
  readonly title: string
  readonly body: string
  readonly excerpt: string
}
export const editedFields = ['title', 'body', 'excerpt'] as const satisfies readonly (keyof EditedTexts)[]

/** One change; exactly one of its forms, which are told apart by `find`, `section`, `append` and `prepend`. */
export interface Edit {
  readonly find?: string
  readonly replace?: string
  /** How often `find` occurs; 1 unless given. */
  readonly expect?: number
  readonly field?: keyof EditedTexts
  readonly section?: string
  readonly text?: string
  readonly append?: string
  readonly prepend?: string
}

type Form = 'find' | 'section' | 'append' | 'prepend'

/** What stands beside each form's own member. */
const companions: Readonly<Record<Form, { readonly needs: readonly (keyof Edit)[]; readonly takes: readonly (keyof Edit)[] }>> = {
  find: { needs: ['replace'], takes: ['expect', 'field'] },
  section: { needs: ['text'], takes: [] },
  append: { needs: [], takes: [] },
  prepend: { needs: [], takes: [] },
}
const forms = Object.keys(companions) as readonly Form[]
const formsInWords = '{find, replace, expect, field}, {section, text}, {append} or {prepend}'

/** Where sections are found: in the renderer's thread, as that takes the parser. */
export type SectionReplacer = Pick<Renderer, 'replaceSection'>

/** Whether an edit asks for a section: it takes the renderer, and so has no place in a transaction. */
export const editsSection = (edits: readonly Edit[]): boolean => edits.some(({ section }) => section !== undefined)

/**
 * The texts after all edits, each made on what the one before left.
 * @param replacer asked for edits by section alone
 * @throws Failure `conflict` when `find` isn't there as often as expected, `invalid` for no such section or a mixture of forms
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
    return { ...texts, [field]: replaceExact(texts[field], edit, at) }
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
      : 'This edit is of no form, or of two at once.'
  throw new Failure('invalid', sentence, { field: at, expected: formsInWords })
}

function replaceExact(text: string, { find = '', replace = '', expect = 1 }: Edit, at: string): string {
  const parts = text.split(find)
  const found = parts.length - 1
  if (found === expect) {
    // Before it is made: a short text found a million times would become one that no memory holds.
    if (text.length + found * (replace.length - find.length) > maxBodyBytes) throw tooLong(at)
    return parts.join(replace)
  }
  const near = found === 0 ? nearestLine(text, find) : undefined
  const times = found === 0 ? 'is not in the text' : `is in the text ${found === 1 ? 'once' : `${found} times`}`
  throw new Failure('conflict', `What is to be found ${times}; expected was ${expect === 1 ? 'once' : `${expect} times`}.`, {
    field: `${at}.find`,
    found,
    hint:
      found > 0
        ? 'Give more of the text around it, or the true number as `expect`.'
        : near === undefined
          ? 'Read the entry again; the text must match to the letter, spaces and line ends included.'
          : `The nearest is in line ${near.number}: ${JSON.stringify(near.line)}. Letters, spaces and line ends must match.`,
  })
}

const tooLong = (at: string) =>
  new Failure('too_large', 'The text would be longer than 2 MiB.', { field: at, limit: maxBodyBytes })

function noSection(ids: readonly string[], ref: string, at: string): never {
  throw new Failure('invalid', `There is no section ${JSON.stringify(ref.slice(0, 100).toWellFormed())}.`, {
    field: `${at}.section`,
    expected: ids.length === 0 ? 'this text has no headings: use `append` or `find`' : ids,
  })
}

/** One text above the other, parted by a blank line. */
function joinBlocks(above: string, below: string): string {
  if (above === '' || below === '') return above + below
  const ends = /(?:\r?\n){0,2}$/.exec(above.slice(-4))?.[0].replaceAll('\r', '').length ?? 0
  return `${above}${'\n'.repeat(Math.max(0, 2 - ends))}${below}`
}

const maxLines = 5000
const maxLineChars = 200

/** The line that shares most words with the first line of what was looked for; undefined when none shares half of them. */
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
