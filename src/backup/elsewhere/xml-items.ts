// Reads the repeated elements of an answer in XML, as S3 and WebDAV list files.

import { Parser } from 'htmlparser2'

/** The texts of the elements below an item, by their names without a namespace prefix. An empty element has an empty text. */
export type XmlItem = ReadonlyMap<string, string>

/**
 * Reads the items of this name, at any depth. Entities of a document type are not expanded.
 * @param name of the items, without a namespace prefix
 */
export function readXmlItems(text: string, name: string): readonly XmlItem[] {
  const items: XmlItem[] = []
  let item: Map<string, string> | undefined
  const open: string[] = []
  const parser = new Parser(
    {
      onopentag(full) {
        const local = localName(full)
        if (local === name) item = new Map()
        else if (item && !item.has(local)) item.set(local, '')
        open.push(local)
      },
      ontext(part) {
        const at = open.at(-1)
        if (item && at !== undefined && at !== name) item.set(at, (item.get(at) ?? '') + part)
      },
      onclosetag(full) {
        open.pop()
        if (localName(full) !== name || !item) return
        items.push(item)
        item = undefined
      },
    },
    { xmlMode: true, decodeEntities: true },
  )
  parser.end(text)
  return items
}

/** The text of the first element of this name; undefined if there is none. */
export const xmlText = (text: string, name: string): string | undefined =>
  readXmlItems(`<one>${text.replace(/^\s*<\?[^>]*\?>/, '')}</one>`, 'one')[0]?.get(name)

const localName = (full: string): string => full.slice(full.indexOf(':') + 1)
