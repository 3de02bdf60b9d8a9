// Saves by itself a moment after the last change, and tries again while there is no connection. Until the server has the text, the device keeps it.
// Where somebody else saved the entry meanwhile, nothing more is saved by itself: the person sees both texts first.

import { word } from '../words.ts'
import { forget, keep } from './kept-text.ts'
import { sendForm } from './send-form.ts'

/** Milliseconds after the last change, and at most after the first. */
const restMs = 2000
const longestMs = 10_000
const retryMs = 5000

interface Answer {
  readonly id?: string
  readonly revision?: number
  readonly staged?: boolean
  readonly conflict?: boolean
  readonly message?: string
  readonly signed_out?: boolean
}

export interface Autosave {
  /** Saves at once. */
  now(): Promise<void>
}

export function createAutosave(entry: HTMLFormElement, say: (words: string) => void): Autosave {
  const isPaused = (): boolean => document.querySelector('#conflict') !== null
  let timer: ReturnType<typeof setTimeout> | undefined
  let dirtySince: number | undefined
  let running: Promise<void> | undefined
  let changes = 0

  const plan = (ms: number): void => {
    clearTimeout(timer)
    timer = setTimeout(() => void save(), ms)
  }

  entry.addEventListener('input', (event) => {
    if ((event.target as HTMLElement).closest('dialog')) return
    changes++
    dirtySince ??= Date.now()
    keep(entry)
    if (!isPaused()) plan(Math.max(0, Math.min(restMs, dirtySince + longestMs - Date.now())))
  })
  addEventListener('online', () => dirtySince !== undefined && plan(0))
  // A form that is sent while an autosave is on its way would name the revision before it, and be taken for another person's.
  entry.addEventListener('submit', (event) => {
    clearTimeout(timer)
    if (!running) return
    event.preventDefault()
    const { submitter } = event
    void running.then(() => entry.requestSubmit(submitter))
  })

  const save = (): Promise<void> => (running ??= send().finally(() => (running = undefined)))

  async function send(): Promise<void> {
    clearTimeout(timer)
    if (isPaused()) return
    // The address of a new entry is made from its title, which should be whole by then.
    if (entry.dataset['entry'] === '' && !isTitled(entry)) return plan(restMs)
    const sent = changes
    const { status, answer } = await sendForm<Answer>(entry, entry.dataset['autosave'] ?? '')
    if (answer?.conflict === true) return askToCompare(entry, say)
    if (status === 200 && answer?.revision !== undefined) {
      saved(entry, answer)
      if (sent !== changes) return plan(restMs)
      dirtySince = undefined
      forget(entry)
      return say(
        word(answer.staged ? 'editor_saved_later' : 'editor_saved', {
          time: new Date().toLocaleTimeString(document.documentElement.lang),
        }),
      )
    }
    say(notSaved(status, answer))
    // What the server refuses is tried again with the next change.
    if (status !== 422) plan(retryMs)
  }

  return {
    async now() {
      await running
      await save()
    },
  }
}

function isTitled(entry: HTMLFormElement): boolean {
  const title = entry.querySelector<HTMLInputElement>('[name="title"]')
  return title !== null && title.value.trim() !== '' && document.activeElement !== title
}

/** The form goes on from the revision that was saved, and a new entry has its own page from now on. */
function saved(entry: HTMLFormElement, { id, revision }: Answer): void {
  const field = entry.querySelector<HTMLInputElement>('[name="revision"]')
  if (field) field.value = String(revision)
  for (const other of document.querySelectorAll<HTMLInputElement>('.entry-menu [name="revision"]')) other.value = String(revision)
  if (id === undefined || entry.dataset['entry'] === id) return
  forget(entry)
  entry.dataset['entry'] = id
  entry.action = `${location.pathname.replace(/new\/?$/, 'edit')}?id=${id}`
  history.replaceState(null, '', entry.action)
}

function notSaved(status: number, answer: Answer | undefined): string {
  if (status === 0) return word('editor_offline')
  if (answer?.signed_out) return word('editor_signed_out')
  return word('editor_not_saved', { reason: answer?.message ?? word('editor_server_answered', { status }) })
}

function askToCompare(entry: HTMLFormElement, say: (words: string) => void): void {
  say(word('editor_conflict'))
  const box = document.createElement('div')
  const words = document.createElement('p')
  const compare = document.createElement('button')
  box.className = 'notice warn'
  box.id = 'conflict'
  box.setAttribute('role', 'alert')
  words.textContent = word('editor_conflict_long')
  compare.textContent = word('editor_compare')
  compare.setAttribute('form', entry.id)
  compare.name = 'do'
  compare.value = 'save'
  box.append(words, compare)
  entry.before(box)
}
