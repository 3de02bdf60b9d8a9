// Saves the form a moment after the last change, and retries while there is no connection. The device stores a copy until the
// server has everything. If another person has saved the entry, autosave stops until this person has seen both texts.

import { make } from '../element.ts'
import { word } from '../words.ts'
import { sendWhenReady } from './held-press.ts'
import { forget, hasComeBack, keep, keepSent } from './kept-text.ts'
import { followTabs, tellTabs } from './other-tabs.ts'
import { bodyOf, sendBody } from './send-form.ts'
import { isHalfTyped, listUnread, showUnsaved, type Unsaved } from './unsaved-fields.ts'

/** The delays in milliseconds after the last change, and after the first one at most. */
const restMs = 2000
const longestMs = 10_000
const retryMs = 5000

interface Answer {
  readonly id?: string
  readonly revision?: number
  readonly slug?: string
  readonly staged?: boolean
  readonly unsaved?: readonly Unsaved[]
  readonly conflict?: boolean
  /** True if the same person has saved the entry in another tab. */
  readonly own?: boolean
  readonly message?: string
  readonly signed_out?: boolean
}

export interface Autosave {
  now(): Promise<void>
}

export function createAutosave(entry: HTMLFormElement, say: (words: string) => void): Autosave {
  const isPaused = (): boolean => document.querySelector('#conflict') !== null
  let timer: ReturnType<typeof setTimeout> | undefined
  let dirtySince: number | undefined
  let running: Promise<void> | undefined
  /** The request without an answer. The server may have processed it or not. */
  let unanswered: URLSearchParams | undefined
  let changes = 0
  let half: EventTarget | null = null
  let hasUnsaved = hasComeBack(entry)

  const plan = (ms: number): void => {
    clearTimeout(timer)
    timer = setTimeout(() => void save(), ms)
  }

  entry.addEventListener('input', ({ target }) => {
    if ((target as HTMLElement).closest('dialog')) return
    changes++
    if (dirtySince === undefined && !isPaused()) say(word('editor_saving'))
    dirtySince ??= Date.now()
    if (isHalfTyped(target)) half = target
    keep(entry)
    if (!isPaused()) plan(Math.max(0, Math.min(restMs, dirtySince + longestMs - Date.now())))
  })
  entry.addEventListener('change', ({ target }) => {
    if (target !== half) return
    half = null
    dirtySince ??= Date.now()
    if (!isPaused()) plan(0)
  })
  addEventListener('online', () => dirtySince !== undefined && plan(0))
  // The form would name the revision before the pending autosave, and the server would refuse it as outdated.
  entry.addEventListener('submit', (event) => {
    clearTimeout(timer)
    // The browser would show a page of its own in place of the editor.
    if (!navigator.onLine) {
      event.preventDefault()
      keep(entry)
      if (dirtySince !== undefined) plan(retryMs)
      return say(word('editor_not_sent'))
    }
    if (!running && !unanswered) return keepSent(entry)
    void sendWhenReady(entry, event, settle())
  })
  // The forms next to the editor name the same revision.
  for (const form of document.querySelectorAll<HTMLFormElement>('.entry-menu form'))
    form.addEventListener('submit', (event) => {
      if (running || unanswered) void sendWhenReady(form, event, settle())
    })

  /** Waits for the answer to everything that was sent. @returns false without a connection */
  async function settle(): Promise<boolean> {
    await running
    if (unanswered) await save()
    if (unanswered) say(word('editor_not_sent'))
    return unanswered === undefined
  }

  const save = (): Promise<void> => (running ??= send().finally(() => (running = undefined)))

  async function send(): Promise<void> {
    clearTimeout(timer)
    if (isPaused()) return
    const isAgain = unanswered !== undefined
    if (!isAgain && entry.dataset['entry'] === '' && !isTitled(entry)) {
      if (titleOf(entry)?.value.trim() === '') say(word('editor_needs_title'))
      return plan(restMs)
    }
    const sent = isAgain ? -1 : changes
    const unread = listUnread(entry, half)
    const body = unanswered ?? bodyOf(entry, unread)
    const { status, answer } = await sendBody<Answer>(entry, entry.dataset['autosave'] ?? '', body)
    // A gateway may fail after the site has stored the text. A request that fails twice is not repeated unchanged.
    unanswered = status === 0 || (status >= 500 && !isAgain) ? body : undefined
    unanswered?.set('again', 'yes')
    if (answer?.conflict === true) return askToCompare(entry, say, answer.own === true)
    if (status === 200 && answer?.revision !== undefined) {
      saved(entry, answer)
      if (sent !== changes) {
        keep(entry)
        return plan(isAgain ? 0 : restMs)
      }
      dirtySince = undefined
      return tell([...unread, ...(answer.unsaved ?? [])], answer.staged === true)
    }
    say(notSaved(status, answer))
    // A refused request is retried with the next change.
    if (status !== 422) plan(retryMs)
  }

  /** Shows "saved" only if everything is saved. */
  function tell(unsaved: readonly Unsaved[], isStaged: boolean): void {
    const fields = showUnsaved(entry, unsaved)
    hasUnsaved = fields.length > 0
    if (hasUnsaved) {
      keep(entry)
      return say(word('editor_saved_but', { fields: fields.join(', ') }))
    }
    forget(entry)
    tellTabs(entry)
    document.querySelector('#refusal')?.remove()
    const time = new Date().toLocaleTimeString(document.documentElement.lang)
    say(word(isStaged ? 'editor_saved_later' : 'editor_saved', { time }))
  }

  followTabs(entry, () => dirtySince === undefined && !hasUnsaved)
  return {
    async now() {
      half = null
      await running
      await save()
    },
  }
}

const titleOf = (entry: HTMLFormElement) => entry.querySelector<HTMLInputElement>('[name="title"]')

/** Returns true if a new entry has its whole title, because its address is made from the title. */
function isTitled(entry: HTMLFormElement): boolean {
  const title = titleOf(entry)
  return title !== null && title.value.trim() !== '' && document.activeElement !== title
}

/** Updates the form to the saved revision. A new entry gets its own address. */
function saved(entry: HTMLFormElement, { id, revision, slug = '' }: Answer): void {
  const field = entry.querySelector<HTMLInputElement>('[name="revision"]')
  if (field) field.value = String(revision)
  for (const other of document.querySelectorAll<HTMLInputElement>('.entry-menu [name="revision"]')) other.value = String(revision)
  const address = entry.querySelector<HTMLInputElement>('[name="slug"]')
  if (address?.value.trim() === '' && document.activeElement !== address) address.value = slug
  if (id !== undefined && entry.dataset['entry'] !== id) {
    forget(entry)
    entry.dataset['entry'] = id
    entry.action = `${location.pathname.replace(/new\/?$/, 'edit')}?id=${id}`
    history.replaceState(null, '', entry.action)
  }
}

function notSaved(status: number, answer: Answer | undefined): string {
  if (status === 0) return word('editor_offline')
  if (answer?.signed_out) return word('editor_signed_out')
  return word('editor_not_saved', { reason: answer?.message ?? word('editor_server_answered', { status }) })
}

/** @param isOwn true if the same person has saved the entry in another tab */
function askToCompare(entry: HTMLFormElement, say: (words: string) => void, isOwn: boolean): void {
  say(word(isOwn ? 'editor_conflict_own' : 'editor_conflict'))
  const words = make('p', {}, word(isOwn ? 'editor_conflict_own_long' : 'editor_conflict_long'))
  const compare = make('button', { form: entry.id, name: 'do', value: 'save' }, word('editor_compare'))
  entry.before(make('div', { class: 'notice warn', id: 'conflict', role: 'alert' }, words, compare))
}
