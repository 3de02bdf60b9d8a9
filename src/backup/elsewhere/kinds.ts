// The kinds of targets as one table, the settings that each needs, and the check of settings before they are stored.

import { Failure, invalid } from '../../base/failure.ts'
import { checkHostKey, checkKeyFile, openSftp } from './sftp.ts'
import { openS3 } from './s3.ts'
import type { BackupTarget, TargetKind, TargetParts, TargetSettings } from './target.ts'
import { openWebdav } from './webdav.ts'

type Setting = 'user' | 'region' | 'bucket' | 'host_key' | 'key_file'

interface Kind {
  /** The schemes of its addresses. The second one, if any, is only for private networks, because it does not encrypt. */
  readonly schemes: readonly string[]
  readonly needs: readonly Setting[]
  /** The name of its secret in sentences; undefined if it has none. */
  readonly secret?: string
  check?(settings: TargetSettings): void
  open(parts: TargetParts): BackupTarget
}

const kinds: Readonly<Record<TargetKind, Kind>> = {
  s3: {
    schemes: ['https:', 'http:'],
    needs: ['bucket', 'region', 'user'],
    secret: 'the secret key',
    check({ bucket, region }) {
      checkForm(
        'bucket',
        bucket,
        /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/,
        'the name of a bucket: 3 to 63 of a-z, 0-9, dots and dashes',
      )
      checkForm('region', region, /^[a-z0-9-]{1,40}$/, 'the name of a region, such as eu-central-1')
    },
    open: openS3,
  },
  sftp: {
    schemes: ['sftp:'],
    needs: ['user', 'host_key', 'key_file'],
    check({ user, host_key: hostKey, key_file: keyFile }) {
      checkForm(
        'user',
        user,
        /^[A-Za-z0-9_][A-Za-z0-9_.@-]{0,63}$/,
        'a user name of letters, digits, dots, dashes and underscores',
      )
      checkHostKey(hostKey)
      checkKeyFile(keyFile)
    },
    open: openSftp,
  },
  webdav: { schemes: ['https:', 'http:'], needs: ['user'], secret: 'the password', open: openWebdav },
}

/** True if targets of this kind have a secret. */
export const hasSecret = (kind: TargetKind): boolean => kinds[kind].secret !== undefined

/** Opens a target. Nothing is connected before its first operation. */
export const openTargetOf = (parts: TargetParts): BackupTarget => kinds[parts.settings.kind].open(parts)

/** Checks the settings of a target. @throws Failure `invalid` with the field, and one sentence that says what would be right */
export function checkTarget(settings: TargetSettings, secret: string): void {
  const { kind, address, folder, private_network: isPrivate } = settings
  const { schemes, needs, secret: secretName, check } = kinds[kind]
  const url = URL.canParse(address) ? new URL(address) : undefined
  const example = schemes[0] === 'sftp:' ? 'sftp://nas.example.org' : 'https://storage.example.org'
  const expected = `an address such as ${example}, without a user, a query or a fragment`
  if (
    !url ||
    !schemes.includes(url.protocol) ||
    !hostForm.test(url.hostname) ||
    `${url.username}${url.password}${url.search}${url.hash}` !== ''
  )
    throw invalid('address', `The address of the target must be ${expected}.`, expected)
  if (url.protocol === 'sftp:' && !/^\/?$/.test(url.pathname))
    throw invalid('address', 'The address of an SFTP server has no path. Name the folder in `folder`.', example)
  if (url.protocol === 'http:' && !isPrivate)
    throw invalid('address', 'http sends the bytes unencrypted, so it is only for a private network: write https.', 'https')
  checkFolder(folder)
  for (const name of needs)
    if (settings[name] === '') throw invalid(name, `A target of the kind ${kind} needs \`${name}\`.`, `a text in \`${name}\``)
  check?.(settings)
  if (secretName !== undefined && secret === '')
    throw invalid('secret', `A target of the kind ${kind} needs ${secretName} in \`secret\`.`, secretName)
}

/** The form of a name or an address of a host. */
const hostForm = /^(?:\[[0-9a-f:.]+\]|[a-z0-9][a-z0-9.-]*)$/i

/** Checks a folder. Its characters mean the same in addresses, keys of S3 and paths of SFTP, so no kind has to quote them. */
function checkFolder(folder: string): void {
  const parts = folder.replace(/^\//, '').split('/')
  const isPlain = (part: string) => /^[A-Za-z0-9._-]+$/.test(part) && part !== '.' && part !== '..'
  if (folder === '' || (folder.length <= 200 && parts.every(isPlain))) return
  const expected = 'a path of letters, digits, dots, dashes, underscores and slashes, such as backups/example.org'
  throw invalid('folder', `The folder must be ${expected}.`, expected)
}

function checkForm(field: string, value: string, form: RegExp, expected: string): void {
  if (!form.test(value)) throw invalid(field, `\`${field}\` must be ${expected}.`, expected)
}

/** The refusal of a target for a site without a passphrase. */
export const needsPassphrase = (): Failure =>
  new Failure('refused', 'Backups are sent only sealed, and this site has no passphrase that seals them.', {
    rule: 'what leaves the machine is sealed',
    hint: 'Keep a passphrase in /etc/credstore/postern-backup-passphrase or POSTERN_BACKUP_PASSPHRASE_FILE, and restart the service.',
  })
