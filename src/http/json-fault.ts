// Finds the place of a fault in JSON text, and describes it. V8 gives a position for some faults only. Runs only after a parse
// has failed.

interface Fault {
  readonly problem: string
  readonly position: number
}

/** Matches only the opening quote of a string: a pattern for the whole string would overflow the stack on long ones. */
const token = /[ \t\n\r]*(?:([{}[\],:])|(")|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)/y
const escape = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y
const space = /[ \t\n\r]*/y

/** The tokens that may come next. `first` is directly after an opening bracket, where the closing one is also allowed. */
type Expecting = 'value' | 'first value' | 'name' | 'first name' | 'colon' | 'comma or end'

const words: Readonly<Record<Expecting, string>> = {
  value: 'a value',
  'first value': 'a value or ]',
  name: 'a name in double quotes',
  'first name': 'a name in double quotes or }',
  colon: 'a colon',
  'comma or end': 'a comma or a closing bracket',
}

/** The first fault in text that is not JSON. */
export function findJsonFault(text: string): Fault {
  const open: string[] = []
  let expecting: Expecting | 'nothing more' = 'value'
  let at = 0
  for (;;) {
    const start = skipSpace(text, at)
    if (start === text.length)
      return {
        problem: text.trim() === '' ? 'The text is empty; JSON was expected.' : 'The JSON ends before it is complete.',
        position: start,
      }
    if (expecting === 'nothing more') return { problem: 'Something follows the end of the JSON.', position: start }
    token.lastIndex = at
    const found = token.exec(text)
    const next: Expecting | 'nothing more' | undefined | null = found && step(found, expecting, open)
    if (!found || !next) return { problem: `Not JSON: ${words[expecting]} was expected.`, position: start }
    expecting = next
    at = token.lastIndex
    if (found[2] === undefined) continue
    const end = walkString(text, at)
    if (typeof end !== 'number') return end
    at = end
  }
}

function skipSpace(text: string, at: number): number {
  space.lastIndex = at
  space.exec(text)
  return space.lastIndex
}

/** Returns the offset after the string whose content begins here, or its fault. */
function walkString(text: string, start: number): number | Fault {
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 34) return at + 1
    if (code < 32) return { problem: 'A string holds a control character; it must be escaped.', position: at }
    if (code !== 92) continue
    escape.lastIndex = at
    if (!escape.test(text)) return { problem: 'A string holds a backslash that begins no escape.', position: at }
    at = escape.lastIndex - 1
  }
  return { problem: 'The JSON ends before it is complete.', position: text.length }
}

/** Returns the tokens that may follow this one; undefined if this one is not allowed. */
function step(found: RegExpExecArray, expecting: Expecting, open: string[]): Expecting | 'nothing more' | undefined {
  const [, mark, string] = found
  const afterValue = () => (open.length === 0 ? 'nothing more' : 'comma or end')
  const closes = mark === '}' || mark === ']'
  if (closes) {
    const may = expecting === 'comma or end' || expecting === (mark === '}' ? 'first name' : 'first value')
    return may && open.pop() === (mark === '}' ? '{' : '[') ? afterValue() : undefined
  }
  switch (expecting) {
    case 'value':
    case 'first value':
      if (mark === '{' || mark === '[') {
        open.push(mark)
        return mark === '{' ? 'first name' : 'first value'
      }
      return mark === undefined ? afterValue() : undefined
    case 'name':
    case 'first name':
      return string === undefined ? undefined : 'colon'
    case 'colon':
      return mark === ':' ? 'value' : undefined
    case 'comma or end':
      return mark !== ',' ? undefined : open.at(-1) === '{' ? 'name' : 'value'
    default:
      return expecting satisfies never
  }
}
