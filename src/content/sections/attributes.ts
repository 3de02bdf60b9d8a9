// The attributes of a section: `{image="/media/bread.jpg" wide}`, read once against the kind's table.

import { didYouMean, nearest } from '../../base/nearest.ts'

/** The values that an attribute takes. */
export interface SectionAttribute {
  readonly type: 'text' | 'link' | 'image' | 'choice' | 'number'
  /** One sentence. */
  readonly about: string
  /** The values of a choice, the default first. */
  readonly choices?: readonly string[]
  /** The limits of a number, and its default. */
  readonly from?: number
  readonly to?: number
  readonly usual?: number
  readonly required?: true
}

/** The attributes of a kind, by name. */
export type SectionAttributes = Readonly<Record<string, SectionAttribute>>

/** The longest value of an attribute, in UTF-16 units. */
export const maxValueChars = 2048

export interface ReadAttributes {
  readonly values: Readonly<Record<string, string>>
  /** One sentence for each mistake. */
  readonly faults: readonly string[]
}

const pair = /[ \t]*([A-Za-z][\w-]{0,39})(?:[ \t]*=[ \t]*(?:"([^"]*)"|'([^']*)'|([^\s"'{}=]+)))?(?=[ \t}]|$)/y

/**
 * Reads `{name="value" …}`. A value that does not fit is left out, and told.
 * @param text with its braces; empty for a section without attributes
 */
export function readAttributes(text: string, kind: string, known: SectionAttributes): ReadAttributes {
  const values: Record<string, string> = {}
  const faults: string[] = []
  const inner = text.trim().replace(/^\{|\}$/g, '')
  pair.lastIndex = 0
  let at = 0
  while (at < inner.trimEnd().length) {
    pair.lastIndex = at
    const found = pair.exec(inner)
    if (!found) {
      faults.push(`“${inner.slice(at, at + 30).trim()}” is no attribute: write name="value", with spaces between.`)
      break
    }
    at = pair.lastIndex
    const [, name = '', double, single, bare] = found
    const fault = take(values, { name, value: double ?? single ?? bare ?? '', kind, known })
    if (fault !== undefined) faults.push(fault)
  }
  for (const [name, { required }] of Object.entries(known))
    if (required && values[name] === undefined) faults.push(`The section “${kind}” needs the attribute “${name}”.`)
  return { values, faults }
}

interface Given {
  readonly name: string
  readonly value: string
  readonly kind: string
  readonly known: SectionAttributes
}

/** Keeps a value that fits. @returns the mistake of one that doesn't */
function take(values: Record<string, string>, { name, value, kind, known }: Given): string | undefined {
  const row = Object.hasOwn(known, name) ? known[name] : undefined
  if (!row) {
    const names = Object.keys(known)
    const has = names.length === 0 ? 'It has none.' : `It has ${names.join(', ')}.`
    return `The section “${kind}” has no attribute “${name}”.${didYouMean(nearest(name, names)) || ` ${has}`}`
  }
  if (value.length > maxValueChars) return `“${name}” is longer than ${maxValueChars} characters.`
  const fault = faults[row.type](value, row)
  if (fault !== undefined) return `“${name}” must be ${fault}.`
  values[name] = value
  return undefined
}

const isAddress = (value: string): boolean => /^(?:\/(?!\/)|#|https?:\/\/|mailto:|tel:)/i.test(value)

const faults: Readonly<Record<SectionAttribute['type'], (value: string, row: SectionAttribute) => string | undefined>> = {
  text: () => undefined,
  link: (value) => (isAddress(value) ? undefined : 'a path such as /about, or an address that begins with https://'),
  image: (value) => (/^(?:\/(?!\/)|https?:\/\/)/i.test(value) ? undefined : 'the path of an image such as /media/bread.jpg'),
  choice: (value, { choices = [] }) => (choices.includes(value) ? undefined : `one of ${choices.join(', ')}`),
  number: (value, { from = 0, to = 0 }) =>
    /^\d{1,4}$/.test(value) && Number(value) >= from && Number(value) <= to ? undefined : `a number from ${from} to ${to}`,
}
