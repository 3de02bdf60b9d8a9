// The messages of the admin, from the files in `messages/`: one folder for each language, one file for each folder of pages. Pages
// get them with `visit.t`. The failures of actions are worded in English, and `said` has them in the language of the page.

import Negotiator from 'negotiator'
import { Html, html, type HtmlValue } from '../doors/shared/html.ts'
import type { Request } from '../http/request.ts'
import { filled, formOf, type MessageText } from '../base/message-form.ts'
import * as de from './messages/de/index.ts'
import * as en from './messages/en/index.ts'
import { sentenceIn } from './sentences.ts'

type Groups = typeof en

/** `people.saved`: the key `saved` in `messages/en/people.json`. */
export type MessageKey = { [G in keyof Groups]: `${G}.${keyof Groups[G] & string}` }[keyof Groups]

/** The values of placeholders. Numbers are formatted for the language; `count` also chooses the plural form. */
type Values = Readonly<Record<string, string | number>>

/** The messages in one language. */
export interface Words {
  /** The text of a message with its placeholders replaced. */
  (key: MessageKey, values?: Values): string
  /** Returns the same as markup; placeholders may be markup, such as a link. */
  readonly rich: (key: MessageKey, values: Readonly<Record<string, HtmlValue>>) => Html
  /**
   * Returns the text of a key that only the other languages have, such as `content.update.did`. Its English text is in the
   * declaration of the action.
   */
  readonly twin: (key: string) => string | undefined
  /** Returns the sentence of a failure or a finding in the language, or the English one if there is no other (`sentences.ts`). */
  readonly said: (english: string) => string
  /** The BCP 47 tag for the `lang` of the page. */
  readonly language: string
}

/** The messages by language. A language that lacks an English key does not compile. */
const tables: Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, MessageText>>>>>> = {
  en,
  de,
} satisfies Readonly<Record<string, Groups>>

/** Returns true for the key of a message. */
export function isMessage(key: string): key is MessageKey {
  const [group = '', name = ''] = key.split('.', 2)
  return Object.hasOwn(tables['en']?.[group] ?? {}, name)
}

/** The languages that have message files. The first one is the default. */
export const adminLanguages: readonly string[] = Object.keys(tables)

const english = wordsIn('en')
const spoken = new Map<string, Words>(
  adminLanguages.map((language) => [language, language === 'en' ? english : wordsIn(language)]),
)

/** Returns the first language of the browser that has message files, or else English. */
export function wordsOf(request: Pick<Request, 'header'> | undefined): Words {
  const accepted = request?.header('accept-language')
  if (accepted === undefined) return english
  const [language = ''] = new Negotiator({ headers: { 'accept-language': accepted } }).languages([...adminLanguages])
  return spoken.get(language) ?? english
}

function wordsIn(language: string): Words {
  const numbers = new Intl.NumberFormat(language)
  const shown = <T>(value: T): T | string => (typeof value === 'number' ? numbers.format(value) : value)
  const rawOf = (key: MessageKey, { count = 0 }: Readonly<Record<string, unknown>>): string => {
    const [group, name] = key.split('.', 2) as [string, string]
    return formOf(tables[language]?.[group]?.[name] ?? key, language, Number(count))
  }
  const t = (key: MessageKey, values: Values = {}): string =>
    filled(rawOf(key, values), (name) => (name in values ? String(shown(values[name])) : undefined))
  const rich = (key: MessageKey, values: Readonly<Record<string, HtmlValue>>): Html =>
    new Html(
      filled(html`${rawOf(key, values)}`.toString(), (name) =>
        name in values ? html`${shown(values[name])}`.toString() : undefined,
      ),
    )
  const twins = new Map(Object.values(tables[language] ?? {}).flatMap((group) => Object.entries(group)))
  const twin = (key: string): string | undefined => {
    const text = twins.get(key)
    return text === undefined ? undefined : formOf(text, language, 1)
  }
  const said = (sentence: string): string => sentenceIn(language, sentence) ?? sentence
  return Object.assign(t, { rich, twin, said, language })
}
