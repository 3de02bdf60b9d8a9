// Delays a pressed button while an autosave or an upload is in progress, and submits the form afterwards. Leaving the page too
// early would lose the press, so the browser asks first.

interface Press {
  readonly form: HTMLFormElement
  readonly submitter: HTMLElement | null
}

let held: Press | undefined

const askBeforeLeaving = (event: BeforeUnloadEvent): void => event.preventDefault()

/** Stops the delay, and returns the last press. */
function release(): Press | undefined {
  const last = held
  held = undefined
  removeEventListener('beforeunload', askBeforeLeaving)
  return last
}

/**
 * Delays a press until its form may be sent. Only the last of several presses counts.
 * @param ready resolves to false if the form must not be sent, and the person has seen the reason
 */
export async function sendWhenReady(form: HTMLFormElement, event: SubmitEvent, ready: Promise<boolean>): Promise<void> {
  event.preventDefault()
  const isFirst = held === undefined
  held = { form, submitter: event.submitter }
  if (!isFirst) return
  addEventListener('beforeunload', askBeforeLeaving)
  const isReady = await ready.catch((error: unknown) => {
    release()
    throw error
  })
  const last = release()
  if (isReady) last?.form.requestSubmit(last.submitter)
}
