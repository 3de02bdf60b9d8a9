// The words of the filter `t`: those of the theme's own `locales/`, then those that ship with Postern, in the language of the page and else in
// English. A message may be a text, or several by plural form: `{"one": "{count} minute", "other": "{count} minutes"}`.

import { textOf } from './safe-markup.ts'

export type ThemeMessage = string | Readonly<Partial<Record<Intl.LDMLPluralRule, string>>>
/** Messages by key. */
export type Messages = Readonly<Record<string, ThemeMessage>>

/** Messages by language, the theme's own first. */
export type MessageTables = readonly Readonly<Record<string, Messages>>[]

const plurals = new Map<string, Intl.PluralRules>()

/** @throws Error for a key that no table has */
export function translated(tables: MessageTables, language: string, key: string, values: ReadonlyMap<string, unknown>): string {
  for (const tongue of tonguesOf(language)) {
    for (const table of tables) {
      const messages = Object.hasOwn(table, tongue) ? table[tongue] : undefined
      const message = messages && Object.hasOwn(messages, key) ? messages[key] : undefined
      if (message !== undefined) return filled(formOf(message, tongue, values), values)
    }
  }
  throw new Error(`there is no message ${JSON.stringify(key.slice(0, 60))}`)
}

/** `pt-BR`, `pt`, then English. */
function tonguesOf(language: string): readonly string[] {
  const base = language.split('-')[0] ?? ''
  return [...new Set([language, base.toLowerCase(), 'en'])]
}

function formOf(message: ThemeMessage, language: string, values: ReadonlyMap<string, unknown>): string {
  if (typeof message === 'string') return message
  const count = Number(values.get('count') ?? 0)
  return message[rulesOf(language).select(count)] ?? message.other ?? ''
}

function rulesOf(language: string): Intl.PluralRules {
  const rules = plurals.get(language) ?? new Intl.PluralRules(language)
  plurals.set(language, rules)
  return rules
}

function filled(text: string, values: ReadonlyMap<string, unknown>): string {
  return text.replace(/\{(\w{1,40})\}/g, (whole, name: string) => (values.has(name) ? textOf(values.get(name)) : whole))
}
