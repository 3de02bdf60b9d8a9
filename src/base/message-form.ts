// Messages of message files: a text with placeholders such as `{name}`, or one text for each plural form of a number:
// `{"one": "{count} page", "other": "{count} pages"}`.

/** A text, or texts by the categories of `Intl.PluralRules`; the value `count` chooses. */
export type MessageText = string | Readonly<Partial<Record<Intl.LDMLPluralRule, string>>>

const plurals = new Map<string, Intl.PluralRules>()

/** The text for a count. @param language BCP 47 */
export function formOf(message: MessageText, language: string, count: number): string {
  if (typeof message === 'string') return message
  return message[rulesOf(language).select(count)] ?? message.other ?? ''
}

function rulesOf(language: string): Intl.PluralRules {
  const rules = plurals.get(language) ?? new Intl.PluralRules(language)
  plurals.set(language, rules)
  return rules
}

/** Replaces the placeholders of a text. @param valueOf the value of a placeholder; `undefined` leaves the placeholder */
export function filled(text: string, valueOf: (name: string) => string | undefined): string {
  return text.replace(/\{(\w{1,40})\}/g, (whole, name: string) => valueOf(name) ?? whole)
}
