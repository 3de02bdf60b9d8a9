// The messages of a script in the language of the page. The element that loads the script contains them (see `../script.ts`).

/** The messages as JSON, for a script that this one loads. */
export const wordsText = readWords()

const words = JSON.parse(wordsText) as Readonly<Record<string, string>>

/**
 * Returns a message with its placeholders replaced.
 * @param name of a message in `messages/en/scripts.json` that `../script.ts` lists for this script
 */
export function word(name: string, values: Readonly<Record<string, string | number>> = {}): string {
  return (words[name] ?? name).replace(/\{(\w{1,40})\}/g, (whole, key: string) => String(values[key] ?? whole))
}

/** Reads the messages. `document.currentScript` is only set while the script runs for the first time. */
function readWords(): string {
  const { currentScript } = document
  return currentScript?.dataset['words'] ?? '{}'
}
