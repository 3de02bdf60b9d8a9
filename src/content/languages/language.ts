// The parts of a BCP 47 language tag that rendering needs.

/** The language itself: `pt` of `pt-BR`, in lower case. */
export function primaryOf(language: string): string {
  const end = language.indexOf('-')
  return (end < 0 ? language : language.slice(0, end)).toLowerCase()
}
