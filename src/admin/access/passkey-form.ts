// The forms that a passkey fills in. Their script makes them visible, because no passkey works without script.

import { attribute, html, type Html, type HtmlValue } from '../../doors/shared/html.ts'
import {
  type ChallengeFor,
  creationOptions,
  findAnswering,
  makeChallenge,
  notePasskeyUse,
  passkeyPlace,
  requestOptions,
  takeChallenge,
} from '../../identity/passkeys.ts'
import { listPasskeys } from '../../identity/second-factor-store.ts'
import type { AccountRow } from '../../store/core/schema.ts'
import { csrfField, type Fields } from '../form.ts'
import { linkTo } from '../paths.ts'
import type { Visit } from '../visit.ts'

interface PasskeyForm {
  readonly action: string
  readonly button: string
  readonly fields?: HtmlValue
}

function formOf(visit: Visit, does: 'add' | 'use', options: object, sealed: string, form: PasskeyForm): Html {
  return html`<form
      method="post"
      action="${linkTo(visit.request, form.action)}"
      data-passkey="${does}"
      ${attribute('data-options', JSON.stringify(options))}
      hidden
    >
      ${csrfField(visit, form.action)}
      <input type="hidden" name="challenge" value="${sealed}" />
      <input type="hidden" name="credential" value="" />
      ${form.fields}
      <p class="fault" role="alert" hidden></p>
      <button class="primary">${form.button}</button>
    </form>
    <noscript><p class="quiet">${visit.t('access.passkey_script')}</p></noscript>`
}

/** The form that adds a passkey to the account; undefined if browsers offer no passkeys at this address. */
export async function addPasskeyForm(visit: Visit, account: AccountRow, form: PasskeyForm): Promise<Html | undefined> {
  const { site, request, holder, now } = visit
  const place = passkeyPlace(request)
  if (!place) return undefined
  const { challenge, sealed } = makeChallenge(site.key, { does: 'add', account: account.id, holder }, now)
  const known = await listPasskeys(site.store.read, account.id)
  return formOf(
    visit,
    'add',
    creationOptions(place, site.settings.values.site_title, account, { challenge, known }),
    sealed,
    form,
  )
}

/** The form that asks for one of the account's passkeys; undefined if the account has none for this address. */
export async function usePasskeyForm(
  visit: Visit,
  account: Pick<AccountRow, 'id'>,
  does: 'sign-in' | 'confirm',
  form: PasskeyForm,
): Promise<Html | undefined> {
  const { site, request, holder, now } = visit
  const place = passkeyPlace(request)
  const known = await passkeysAt(visit, account)
  if (!place || known.length === 0) return undefined
  const { challenge, sealed } = makeChallenge(site.key, { does, account: account.id, holder }, now)
  return formOf(visit, 'use', requestOptions(place, { challenge, known }), sealed, form)
}

/** The account's passkeys for the address of this request. */
async function passkeysAt({ site, request }: Visit, { id }: Pick<AccountRow, 'id'>) {
  const place = passkeyPlace(request)
  return (await listPasskeys(site.store.read, id)).filter(({ rp_id: rpId }) => rpId === place?.rpId)
}

/** Returns true if a passkey of the account answered the form's challenge. The challenge is used up in either case. */
export async function tryPasskey(
  visit: Visit,
  account: Pick<AccountRow, 'id'>,
  does: 'sign-in' | 'confirm',
  fields: Fields,
): Promise<boolean> {
  const { site, request, now } = visit
  const place = passkeyPlace(request)
  const challenge = await takeFormChallenge(visit, { does, account: account.id, holder: visit.holder }, fields)
  if (!place || challenge === undefined) return false
  const known = await passkeysAt(visit, account)
  const found = await findAnswering(fields.get('credential'), { place, challenge, known })
  return found !== undefined && site.store.transaction((db) => notePasskeyUse(db, found.row, found.counter, now))
}

export const takeFormChallenge = ({ site, now }: Visit, whom: ChallengeFor, fields: Fields): Promise<string | undefined> =>
  site.store.transaction((db) => takeChallenge(db, site.key, fields.get('challenge'), whom, now))
