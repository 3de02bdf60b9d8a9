// The Markdown form of an entry: fields, then the body. The fields are YAML between two lines of `---`, TOML between two lines of
// `+++`, or a JSON object. The caller interprets them.

import { stringify } from 'yaml'
import { checkJson, frontMatterFault } from './front-matter-fault.ts'
import { maxFieldsChars } from './file-form.ts'
import { readToml } from './front-matter-toml.ts'
import { readYaml } from './front-matter-yaml.ts'

/** The two parts of a file. */
export interface FrontMatter {
  readonly fields: Record<string, unknown>
  readonly body: string
}

interface Parts {
  /** The source of the fields. */
  readonly source: string
  readonly body: string
}

interface Format {
  readonly begins: RegExp
  /** @returns undefined for a text that only begins like front matter */
  split(text: string): Parts | undefined
  /** @returns undefined for something else than fields @throws Failure `unprocessable` */
  read(source: string): Record<string, unknown> | undefined
}

const formats: readonly Format[] = [
  { begins: /^---[ \t]*\r?\n/, split: (text) => between(text, /^(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/gm), read: readYaml },
  { begins: /^\+\+\+[ \t]*\r?\n/, split: betweenPluses, read: readToml },
  { begins: /^\{\s{0,100}["}]/, split: splitObject, read: readJson },
]

/**
 * Splits a file into fields and body. A text without front matter is all body. Dates are texts in each format. One blank line after
 * the fields is part of neither.
 * @throws Failure `unprocessable` for front matter that can't be parsed, or has a value that JSON doesn't have
 */
export function readFrontMatter(text: string): FrontMatter {
  const whole = text.startsWith('\ufeff') ? text.slice(1) : text
  const format = formats.find(({ begins }) => begins.test(whole))
  const parts = format?.split(whole)
  if (format === undefined || parts === undefined) return { fields: {}, body: whole }
  if (parts.source.length > maxFieldsChars) throw frontMatterFault(`is longer than ${maxFieldsChars} characters`)
  const fields = format.read(parts.source)
  // A text may begin with a horizontal rule. Then the part between the two lines of `---` isn't a map of fields.
  if (fields === undefined) return { fields: {}, body: whole }
  checkJson(fields)
  return { fields, body: parts.body.replace(/^\r?\n/, '') }
}

/** Makes a file of fields and body; `readFrontMatter` splits it into the same values. Fields must be JSON values. */
export function formatFrontMatter(fields: Readonly<Record<string, unknown>>, body: string): string {
  const yaml =
    Object.keys(fields).length === 0 ? '' : stringify(fields, { schema: 'core', lineWidth: 0, aliasDuplicateObjects: false })
  return `---\n${yaml}---\n\n${body}`
}

/** Splits a text after the line that closes its fields. @param closing matches that line */
function between(text: string, closing: RegExp): Parts | undefined {
  const begin = text.indexOf('\n') + 1
  closing.lastIndex = begin
  const end = closing.exec(text)
  if (end === null) return undefined
  return { source: text.slice(begin, end.index), body: text.slice(end.index + end[0].length) }
}

/** A line of `+++` is no Markdown. Without a second one the fields would be published as text. */
function betweenPluses(text: string): Parts {
  const parts = between(text, /^\+\+\+[ \t]*(?:\r?\n|$)/gm)
  if (parts === undefined) throw frontMatterFault('begins with a line of `+++` and has no second one')
  return parts
}

/** Splits a text after the object with which it begins. @throws Failure `unprocessable` for an object that does not end */
function splitObject(text: string): Parts {
  // A string without an end reaches to the end of the text, so that its quotes are not tried one by one.
  const marks = /"(?:[^"\\]|\\.)*(?:"|\\?$)|[{}]/gs
  const head = text.slice(0, maxFieldsChars + 1)
  let depth = 0
  for (let mark = marks.exec(head); mark !== null; mark = marks.exec(head)) {
    depth += { '{': 1, '}': -1 }[mark[0]] ?? 0
    if (depth > 0) continue
    const end = /[ \t]*(?:\r?\n|$)/y
    end.lastIndex = marks.lastIndex
    return { source: text.slice(0, marks.lastIndex), body: text.slice(marks.lastIndex + (end.exec(text)?.[0].length ?? 0)) }
  }
  throw frontMatterFault('is a JSON object without an end')
}

function readJson(source: string): Record<string, unknown> {
  try {
    return JSON.parse(source) as Record<string, unknown>
  } catch (error) {
    throw frontMatterFault(`is not valid JSON: ${(error as Error).message}`, undefined, error)
  }
}
