// Reads a form with files from a page of the site. The address names the form, so that its files are taken only if it asks for
// them, its page was made here, and the site has room.

import { askedFields } from '../../actions/forms/submit-form.ts'
import type { Services } from '../../actions/call/services.ts'
import { isVisitorForm, type FilesRefusal, readVisitorForm, type VisitorForm } from '../../doors/shared/read-visitor-form.ts'
import { hasRoom, maxFormFiles, maxPostBytes } from '../../forms/form-files.ts'
import { fieldsOf, findForm } from '../../forms/form-store.ts'
import { readFormToken } from '../../forms/form-token.ts'
import { rateKey } from '../../http/addresses.ts'
import type { Request } from '../../http/request.ts'
import { dropIncoming } from '../../media/incoming.ts'
import { counted } from './link-turns.ts'
import { formNames } from './page-data/forms.ts'

/** The parameter of the address that names a form with files. */
export const formParameter = 'form'

/** The numbers of forms with files that may arrive at once in this process: of one network, and of all. */
const maxOfOne = 4
const maxOfAll = 32
const arriving = new Map<string, number>()

/**
 * Reads a form with files and answers it. The files that the answer did not use are removed.
 * @returns undefined for a request that is no such form
 * @throws HttpFailure `malformed`, `too_large`, `timeout`, `client_left`
 */
export async function withFiles<T>(
  site: Services,
  request: Request,
  textBytes: number,
  answer: (form: VisitorForm) => Promise<T>,
): Promise<T | undefined> {
  const ref = request.query.get(formParameter)
  if (ref === null || !isVisitorForm(request)) return undefined
  const form = await findForm(site.store.read, ref)
  const now = site.clock.now()
  const asks = form !== undefined && form.open === 1 && fieldsOf(form).some(({ kind }) => kind === 'files')
  const isRoom = asks && (await hasRoom(site.store.read, 1, false))
  return whileArriving(rateKey(request.client), async (isBusy) => {
    const refusal = (fields: URLSearchParams): FilesRefusal | undefined => {
      const page = form && readFormToken(site.key, form.id, askedFields(form), fields.get(formNames.token) ?? '', now)
      if (!asks || page?.isSame !== true) return 'unasked'
      return isBusy || !isRoom ? 'full' : undefined
    }
    const home = site.config.POSTERN_HOME
    const limits = { home, now, textBytes, fileBytes: maxPostBytes, files: maxFormFiles, refusal }
    const sent = await readVisitorForm(request, limits)
    try {
      return await answer(sent)
    } finally {
      for (const { id } of sent.files) await dropIncoming(home, id)
    }
  })
}

/** @param read gets true if too many forms with files arrive already, so that this one is read without its files */
function whileArriving<T>(network: string, read: (isBusy: boolean) => Promise<T>): Promise<T> {
  const all = [...arriving.values()].reduce((sum, count) => sum + count, 0)
  return counted(arriving, network, (others) => read(others >= maxOfOne || all >= maxOfAll))
}
