// The form that sets the place elsewhere. Each kind of place has its own fields, and a link shows those of another kind.

import type { AnswerOf } from '../../actions/call/call-action.ts'
import { backups } from '../../actions/backup/index.ts'
import { checkEveries, sendEveries } from '../../backup/elsewhere/target-store.ts'
import { type TargetKind, targetKinds } from '../../backup/elsewhere/target.ts'
import { html, type Html } from '../../doors/shared/html.ts'
import { passwordAgain } from '../access/confirm-password.ts'
import type { Fields } from '../form.ts'
import type { Refused } from '../framed-reply.ts'
import { areaField, checkField, selectField, textField } from '../parts/fields.ts'
import { panel } from '../parts/panel.ts'
import { faultsOf, postForm } from '../parts/post-form.ts'
import { tabs } from '../parts/table.ts'
import { adminPaths, linkTo } from '../paths.ts'
import type { SignedIn } from '../visit.ts'
import type { MessageKey } from '../words.ts'

export type TargetItem = NonNullable<AnswerOf<typeof backups.getTarget.output>['item']>

/** A text of the settings. */
interface TextRow {
  readonly name: 'address' | 'folder' | 'user' | 'region' | 'bucket' | 'host_key' | 'key_file'
  readonly label: MessageKey
  readonly help?: MessageKey
  readonly example?: string
  readonly isArea?: boolean
}

const folder: TextRow = { name: 'folder', label: 'operations.place_folder', help: 'operations.place_folder_help' }

/** The texts of each kind, in the order of the form. */
const rows: Readonly<Record<TargetKind, readonly TextRow[]>> = {
  s3: [
    { name: 'address', label: 'operations.place_address', example: 'https://s3.eu-central-1.amazonaws.com' },
    { name: 'region', label: 'operations.place_region', example: 'eu-central-1' },
    { name: 'bucket', label: 'operations.place_bucket' },
    folder,
    { name: 'user', label: 'operations.place_access_key' },
  ],
  sftp: [
    { name: 'address', label: 'operations.place_address', example: 'sftp://nas.example.org:22' },
    { name: 'user', label: 'operations.place_user' },
    {
      name: 'key_file',
      label: 'operations.place_key_file',
      help: 'operations.place_key_file_help',
      example: '/etc/postern/backup-key',
    },
    { name: 'host_key', label: 'operations.place_host_key', help: 'operations.place_host_key_help', isArea: true },
    folder,
  ],
  webdav: [
    {
      name: 'address',
      label: 'operations.place_address',
      help: 'operations.place_webdav_help',
      example: 'https://cloud.example.org/remote.php/dav/files/me',
    },
    folder,
    { name: 'user', label: 'operations.place_user' },
  ],
}

/** The name of the secret of each kind that has one. */
const secrets: Readonly<Partial<Record<TargetKind, MessageKey>>> = {
  s3: 'operations.place_secret_key',
  webdav: 'operations.place_password',
}

export const kindKeys: Readonly<Record<TargetKind, MessageKey>> = {
  s3: 'operations.place_s3',
  sftp: 'operations.place_sftp',
  webdav: 'operations.place_webdav',
}

const everyKeys: Readonly<Record<(typeof sendEveries)[number], MessageKey>> = {
  backup: 'operations.send_each',
  day: 'operations.send_day',
  week: 'operations.send_week',
}

const checkKeys: Readonly<Record<(typeof checkEveries)[number], MessageKey>> = {
  copy: 'operations.check_each',
  week: 'operations.check_week',
  month: 'operations.check_month',
}

/** The kind that the page shows: that of a refused form, the one in the address, or that of the place. */
function kindOf({ request }: SignedIn, item: TargetItem | null, fields: Fields | undefined): TargetKind {
  const asked = fields?.get('kind') ?? request.query.get('kind') ?? item?.kind
  return targetKinds.find((kind) => kind === asked) ?? 's3'
}

export function placeForm(visit: SignedIn, item: TargetItem | null, { fields: all, failure, passwordFault }: Refused): Html {
  const { t, request } = visit
  const fields = all?.get('do') === 'set' ? all : undefined
  const kind = kindOf(visit, item, fields)
  const stored = item?.kind === kind ? item : undefined
  const secret = secrets[kind]
  const faults = faultsOf(t, fields && failure, [...rows[kind].map(({ name }) => name), 'secret', 'private_network'])
  const text = ({ name, label, help, example, isArea }: TextRow) => {
    const field = { name, label: t(label), value: fields?.get(name) ?? stored?.[name], fault: faults.at(name) }
    const more = { ...(help && { help: t(help) }), ...(example !== undefined && { placeholder: example }) }
    return isArea ? areaField({ ...field, ...more, rows: 3, code: true }) : textField({ ...field, ...more })
  }
  const choose = (name: 'every' | 'check_every', label: MessageKey, keys: Readonly<Record<string, MessageKey>>) => {
    const choices = Object.entries(keys).map(([value, key]) => ({ value, label: t(key) }))
    return selectField({ name, label: t(label), value: fields?.get(name) ?? item?.[name] ?? choices[0]?.value, choices })
  }
  const isPrivate = fields ? fields.has('private_network') : stored?.private_network === true
  const links = targetKinds.map((one) => ({
    label: t(kindKeys[one]),
    href: `${linkTo(request, adminPaths.backupsElsewhere)}?kind=${one}#place`,
    current: one === kind,
  }))
  const form = postForm(visit, {
    path: adminPaths.backupsElsewhere,
    hidden: { do: 'set', kind },
    body: html`${rows[kind].map(text)}
      ${
        secret &&
        textField({
          name: 'secret',
          label: t(secret),
          type: 'password',
          autocomplete: 'new-password',
          help: stored && t('operations.place_secret_help'),
          fault: faults.at('secret'),
        })
      }
      ${
        kind === 's3' &&
        checkField({
          name: 'bucket_host',
          label: t('operations.place_bucket_host'),
          help: t('operations.place_bucket_host_help'),
          value: (fields ? fields.has('bucket_host') : stored?.bucket_in === 'host') ? 'yes' : '',
        })
      }
      ${checkField({
        name: 'private_network',
        label: t('operations.place_private'),
        help: t('operations.place_private_help'),
        value: isPrivate ? 'yes' : '',
        fault: faults.at('private_network'),
      })}
      ${choose('every', 'operations.send_every', everyKeys)} ${choose('check_every', 'operations.check_every', checkKeys)}
      ${passwordAgain(visit, fields && passwordFault)}
      <p class="actions"><button class="primary">${t('operations.save')}</button></p>`,
  })
  return panel('place', t('operations.place'), html`${tabs(t('operations.place'), links)} ${form}`)
}

/** The input of the action from the form. */
export function placeInput(fields: Fields) {
  const kind = targetKinds.find((one) => one === fields.get('kind')) ?? 's3'
  const texts = rows[kind].map(({ name }) => [name, fields.get(name)] as const)
  const secret = fields.get('secret')
  return {
    ...Object.fromEntries(texts),
    kind,
    ...(secret === '' ? {} : { secret }),
    bucket_in: fields.has('bucket_host') ? ('host' as const) : ('path' as const),
    private_network: fields.has('private_network'),
    every: sendEveries.find((one) => one === fields.get('every')) ?? 'backup',
    check_every: checkEveries.find((one) => one === fields.get('check_every')) ?? 'week',
  }
}
