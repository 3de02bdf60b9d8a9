// The attributes of a section in its opening line, as a person changes them: what the form does not know stays as it is.

const pair = /([A-Za-z][\w-]*)(?:[ \t]*=[ \t]*(?:"([^"]*)"|'([^']*)'|([^\s"'{}]+)))?/g

/** Reads `{name="value" …}`. */
export function readValues(attributes: string): Map<string, string> {
  const inner = attributes.trim().replace(/^\{|\}$/g, '')
  return new Map([...inner.matchAll(pair)].map(([, name = '', double, single, bare]) => [name, double ?? single ?? bare ?? '']))
}

/** Writes attributes with a space before them; empty without any. */
export function writeValues(values: ReadonlyMap<string, string>): string {
  const written = [...values].map(([name, value]) => `${name}="${value.replace(/"/g, '”')}"`).join(' ')
  return written === '' ? '' : ` {${written}}`
}
