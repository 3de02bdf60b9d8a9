// Hugo: shortcodes in `{{< >}}` and `{{% %}}`, and attribute lists.

import { withoutAttributeLists } from './attribute-lists.ts'
import { codeMarkdown, type Dialect, type DialectContext, pictureMarkdown, resolved } from './dialect.ts'
import { replacePairs, replaceTags, type TagForm, tagValues } from './template-tags.ts'
import { youtubePage, vimeoPage } from './video-pages.ts'

const forms: readonly TagForm[] = [
  { open: '{{<', close: '>}}' },
  { open: '{{%', close: '%}}' },
]

type Values = ReadonlyMap<string, string>
type ShortcodeWriter = (values: Values, context: DialectContext) => string | undefined

const first = (values: Values, ...names: readonly string[]): string =>
  names.map((name) => values.get(name)).find((value) => value !== undefined && value !== '') ?? ''

/** Shortcodes without content. */
const writers: Readonly<Record<string, ShortcodeWriter>> = {
  figure(values, context) {
    const caption = [...new Set([first(values, 'title'), first(values, 'caption'), first(values, 'attr')])].filter(
      (one) => one !== '',
    )
    const picture = pictureMarkdown(first(values, 'alt'), resolved(first(values, 'src'), context), caption.join(' – '))
    const link = first(values, 'link')
    return link === '' ? picture : `[${picture}](${resolved(link, context)})`
  },
  youtube: (values) => youtubePage(first(values, 'id', '0')),
  vimeo: (values) => vimeoPage(first(values, 'id', '0')),
  vimeo_simple: (values) => vimeoPage(first(values, 'id', '0')),
  ref: (values, context) => reference(values, context),
  relref: (values, context) => reference(values, context),
}

function reference(values: Values, context: DialectContext): string | undefined {
  const path = first(values, 'path', '0')
  return path === '' ? undefined : resolved(path, context)
}

export const hugo: Dialect = {
  before(text, context) {
    const { masked } = context
    // `{{</* x */>}}` shows the shortcode, also in code.
    const shown = text.replace(
      /\{\{([<%])\/\*([^*]{0,2000})\*\/([>%])\}\}/g,
      (_all, open: string, inner: string, close: string) => masked.keep(`{{${open}${inner}${close}}}`),
    )
    return replacePairs(
      shown,
      /\{\{[<%]-?\s{0,9}(highlight)\s([^<>{}]{0,500}?)[>%]\}\}/g,
      { highlight: /\{\{[<%]\s{0,9}\/\s{0,9}highlight\s{0,9}[>%]\}\}/g },
      ([, name = '', inner = ''], code) => {
        countShortcode(context, name)
        return masked.keep(codeMarkdown(code, first(tagValues(inner), 'lang', '0')))
      },
    )
  },
  after(text, context) {
    const details = replacePairs(
      text,
      /\{\{[<%]\s{0,9}(details)(\s[^<>{}]{0,500}?)?[>%]\}\}/g,
      { details: /\{\{[<%]\s{0,9}\/\s{0,9}details\s{0,9}[>%]\}\}/g },
      ([, name = '', inner = ''], content) => {
        countShortcode(context, name)
        const summary = first(tagValues(inner), 'summary', 'title', '0') || 'Details'
        return `<details>\n\n<summary>${context.masked.keep(summary.replaceAll('<', '&lt;'))}</summary>\n\n${content.trim()}\n\n</details>`
      },
    )
    return withoutAttributeLists(
      forms.reduce((all, form) => shortcodes(all, form, context), details),
      'goldmark',
    )
  },
}

const shortcodeName = (name: string): string => `{{< ${name} >}}`

const countShortcode = ({ state }: DialectContext, name: string): void => state.count('shortcode', shortcodeName(name))

const shortcodes = (text: string, form: TagForm, context: DialectContext): string =>
  replaceTags(text, form, ({ name, isEnd, inner, whole }) => {
    if (!isEnd && name !== '') countShortcode(context, name)
    const writer = Object.hasOwn(writers, name) ? writers[name] : undefined
    const written = isEnd ? undefined : writer?.(tagValues(inner), context)
    if (written !== undefined) return written
    if (!isEnd && name !== '')
      context.state.lose('shortcode', shortcodeName(name), 'It is unknown here, and stays as its source.')
    return context.masked.keep(whole)
  })
