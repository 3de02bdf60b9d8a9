// The same entry in several tabs of a browser. After one tab has saved it, the others show the new version, unless they have
// unsaved text.

interface News {
  readonly id: string
  readonly revision: number
}

let channel: BroadcastChannel | undefined

const newsOf = (entry: HTMLFormElement): News => ({
  id: entry.dataset['entry'] ?? '',
  revision: Number(entry.querySelector<HTMLInputElement>('[name="revision"]')?.value),
})

/** Announces the revision of this tab to the other tabs. */
export function tellTabs(entry: HTMLFormElement): void {
  if (entry.dataset['entry'] !== '') channel?.postMessage(newsOf(entry))
}

/** @param isClean returns true if the form shows only what the server has */
export function followTabs(entry: HTMLFormElement, isClean: () => boolean): void {
  const showAnew = (): void => {
    if (isClean()) location.replace(entry.action)
  }
  // A page from the back/forward cache may be outdated.
  addEventListener('pageshow', ({ persisted }) => persisted && showAnew())
  if (!('BroadcastChannel' in globalThis)) return
  channel = new BroadcastChannel(`postern ${entry.dataset['autosave'] ?? ''}`)
  channel.addEventListener('message', ({ data }: MessageEvent<News>) => {
    const own = newsOf(entry)
    if (data.id === own.id && data.revision > own.revision) showAnew()
  })
  tellTabs(entry)
}
