// The messages of a script in the language of the page. The element that loads the script contains them (see `../script.ts`).

const words = readWords()

/**
 * Returns a message with its placeholders replaced.
 * @param name of a message in `messages/en/scripts.json` that `../script.ts` lists for this script
 */
export function word(name: string, values: Readonly<Record<string, string | number>> = {}): string {
  return (words[name] ?? name).replace(/\{(\w{1,40})\}/g, (whole, key: string) => String(values[key] ?? whole))
}

/** Reads the messages. `document.currentScript` is only set while the script runs for the first time. */
function readWords(): Readonly<Record<string, string>> {
  const { currentScript } = document
  return JSON.parse(currentScript?.dataset['words'] ?? '{}') as Readonly<Record<string, string>>
}
