// The words of a script in the language of the page. The element that loads the script has them (see `../script.ts`).

const words = readWords()

/**
 * A message with its placeholders replaced.
 * @param name of a message in `messages/en/scripts.json` that `../script.ts` names for this script
 */
export function word(name: string, values: Readonly<Record<string, string | number>> = {}): string {
  return (words[name] ?? name).replace(/\{(\w{1,40})\}/g, (whole, key: string) => String(values[key] ?? whole))
}

/** Only while the script runs for the first time does the document say which element loaded it. */
function readWords(): Readonly<Record<string, string>> {
  const { currentScript } = document
  return JSON.parse(currentScript?.dataset['words'] ?? '{}') as Readonly<Record<string, string>>
}
