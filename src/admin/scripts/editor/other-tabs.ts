// The same entry in several tabs of a browser. Once one tab has saved it, the others show it as it is now, unless they have words
// of their own.

interface News {
  readonly id: string
  readonly revision: number
}

let channel: BroadcastChannel | undefined

const newsOf = (entry: HTMLFormElement): News => ({
  id: entry.dataset['entry'] ?? '',
  revision: Number(entry.querySelector<HTMLInputElement>('[name="revision"]')?.value),
})

/** Tells the other tabs which revision this one has. */
export function tellTabs(entry: HTMLFormElement): void {
  if (entry.dataset['entry'] !== '') channel?.postMessage(newsOf(entry))
}

/** @param isClean true if the form shows nothing that the server does not have */
export function followTabs(entry: HTMLFormElement, isClean: () => boolean): void {
  const showAnew = (): void => {
    if (isClean()) location.replace(entry.action)
  }
  // A page that comes back from the browser's memory may be old.
  addEventListener('pageshow', ({ persisted }) => persisted && showAnew())
  if (!('BroadcastChannel' in globalThis)) return
  channel = new BroadcastChannel(`postern ${entry.dataset['autosave'] ?? ''}`)
  channel.addEventListener('message', ({ data }: MessageEvent<News>) => {
    const own = newsOf(entry)
    if (data.id === own.id && data.revision > own.revision) showAnew()
  })
  tellTabs(entry)
}
