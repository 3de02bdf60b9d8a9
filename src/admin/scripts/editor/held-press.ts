// A button that was pressed while an autosave or an upload is on its way. Its form is sent once that is done. Leaving the page before
// would lose the press, so the browser asks first.

interface Press {
  readonly form: HTMLFormElement
  readonly submitter: HTMLElement | null
}

let held: Press | undefined

const askBeforeLeaving = (event: BeforeUnloadEvent): void => event.preventDefault()

/** Ends the holding, and answers the last press. */
function release(): Press | undefined {
  const last = held
  held = undefined
  removeEventListener('beforeunload', askBeforeLeaving)
  return last
}

/**
 * Holds a press until its form may be sent. Of several presses the last one counts.
 * @param ready answers false if no form is to be sent, and the person has been told why
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
