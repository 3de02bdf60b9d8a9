// The `style` attribute of an element, as far as it says something that Markdown can say: bold, italic, struck out, raised,
// lowered.

/** A style of HTML, without the element's other facts. */
interface Styled {
  readonly attributes: Readonly<Record<string, string>>
}

const maxStyleChars = 4000
const none: ReadonlyMap<string, string> = new Map()

/** The properties of the `style` attribute, in lower case. */
export function styleOf({ attributes }: Styled): ReadonlyMap<string, string> {
  const text = Object.hasOwn(attributes, 'style') ? (attributes['style'] ?? '') : ''
  if (text === '') return none
  const properties = new Map<string, string>()
  for (const part of text.slice(0, maxStyleChars).split(';')) {
    const colon = part.indexOf(':')
    if (colon > 0)
      properties.set(
        part.slice(0, colon).trim().toLowerCase(),
        part
          .slice(colon + 1)
          .trim()
          .toLowerCase(),
      )
  }
  return properties
}

/** True or false if a style makes the text bold, or not bold; undefined if it says nothing. */
export function isBold(style: ReadonlyMap<string, string>): boolean | undefined {
  const weight = style.get('font-weight')
  if (weight === undefined) return undefined
  if (weight === 'bold' || weight === 'bolder') return true
  if (weight === 'normal' || weight === 'lighter') return false
  const number = Number.parseInt(weight, 10)
  return Number.isNaN(number) ? undefined : number >= 600
}

/** As `isBold`, for italic text. */
export function isItalic(style: ReadonlyMap<string, string>): boolean | undefined {
  const slant = style.get('font-style')
  if (slant === undefined) return undefined
  return slant.startsWith('italic') || slant.startsWith('oblique') ? true : slant === 'normal' ? false : undefined
}

/** As `isBold`, for text that is struck out. */
export function isStruck(style: ReadonlyMap<string, string>): boolean | undefined {
  const line = style.get('text-decoration-line') ?? style.get('text-decoration')
  return line === undefined ? undefined : line.includes('line-through')
}

/** `sup` or `sub` for raised or lowered text. */
export function shiftOf(style: ReadonlyMap<string, string>): 'sup' | 'sub' | undefined {
  const align = style.get('vertical-align')
  return align === 'super' ? 'sup' : align === 'sub' ? 'sub' : undefined
}

/** True for lines of program text, as editors of programs put them on the clipboard. */
export const isProgramText = (style: ReadonlyMap<string, string>): boolean =>
  style.get('white-space') === 'pre' && /mono|consolas|courier|menlo/.test(style.get('font-family') ?? '')
