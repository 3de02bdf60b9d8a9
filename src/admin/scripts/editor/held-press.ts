// A button that was pressed while an autosave or an upload is on its way. Its form is sent once that is done. Leaving the page before would lose the
// press, so the browser asks first.

let held: { submitter: HTMLElement | null } | undefined

const askBeforeLeaving = (event: BeforeUnloadEvent): void => event.preventDefault()

/**
 * Holds a press until the form may be sent. Of several presses the last one counts.
 * @param ready answers false if the form is not to be sent, and the person has been told why
 */
export async function hold(form: HTMLFormElement, event: SubmitEvent, ready: Promise<boolean>): Promise<void> {
  const { submitter } = event
  event.preventDefault()
  if (held) return void (held.submitter = submitter)
  const press = { submitter }
  held = press
  addEventListener('beforeunload', askBeforeLeaving)
  const isReady = await ready.finally(() => {
    held = undefined
    removeEventListener('beforeunload', askBeforeLeaving)
  })
  if (isReady) form.requestSubmit(press.submitter)
}
