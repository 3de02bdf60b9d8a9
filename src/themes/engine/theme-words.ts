// The words of the filter `t`: first the theme's own `locales/`, then the messages that ship with Postern, in the language of the
// page or in English. A message is a text, or texts by plural form: `{"one": "{count} minute", "other": "{count} minutes"}`.

import { filled, formOf, type MessageText } from '../../base/message-form.ts'

export type Messages = Readonly<Record<string, MessageText>>

/** Messages by language, the theme's own first. */
export type MessageTables = readonly Readonly<Record<string, Messages>>[]

/** @throws Error for a key that no table has */
export function translated(tables: MessageTables, language: string, key: string, values: ReadonlyMap<string, string>): string {
  for (const tongue of tonguesOf(language)) {
    for (const table of tables) {
      const messages = Object.hasOwn(table, tongue) ? table[tongue] : undefined
      const message = messages && Object.hasOwn(messages, key) ? messages[key] : undefined
      if (message !== undefined) {
        const text = formOf(message, tongue, Number(values.get('count') ?? 0))
        return filled(text, (name) => values.get(name))
      }
    }
  }
  throw new Error(`there is no message ${JSON.stringify(key.slice(0, 60))}`)
}

/** The languages to try: `pt-BR`, `pt`, then English. */
function tonguesOf(language: string): readonly string[] {
  const base = language.split('-')[0] ?? ''
  return [...new Set([language, base.toLowerCase(), 'en'])]
}
