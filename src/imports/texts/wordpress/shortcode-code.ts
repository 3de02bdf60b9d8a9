// `[code]` and the like: program text, which nothing else may read.

import { makeElement, makeText, type Node } from '../../../content/from-html/tree.ts'
import { decodeHtml } from '../decode-html.ts'
import { shortcodeValues, type ShortcodeTag } from './find-shortcodes.ts'

const generic: ReadonlySet<string> = new Set(['code', 'sourcecode', 'source', 'text', 'plain'])

export function codeNodes({ name, inner, code = '' }: ShortcodeTag): readonly Node[] {
  const values = shortcodeValues(inner)
  const plain = name.toLowerCase()
  const named = values.get('language') ?? values.get('lang') ?? (generic.has(plain) ? '' : plain)
  const language = /^[\w+#.-]{1,40}$/.test(named) && named !== 'plain' ? named : ''
  const source = code
    .replace(/^\s*<pre[^<>]{0,200}>|<\/pre>\s*$/gi, '')
    .replace(/^[ \t]*\n/, '')
    .trimEnd()
  const isMarkup = /<(?:br|p)\b[^<>]{0,100}>/i.test(source) && /&(?:lt|gt|quot|amp);/.test(source)
  const text = decodeHtml(isMarkup ? source.replace(/<\/?(?:br|p)\b[^<>]{0,100}>\n?/gi, '\n') : source)
  const title = (values.get('title') ?? '').trim()
  const block = makeElement('pre', { 'data-lang': language }, [makeText(text)])
  return title === '' ? [block] : [makeElement('p', {}, [makeText(title)]), block]
}
