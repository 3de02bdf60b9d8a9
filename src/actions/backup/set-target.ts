import { Type } from 'typebox'
import { checkTarget, hasSecret, needsPassphrase } from '../../backup/elsewhere/kinds.ts'
import {
  checkEveries,
  dropTarget,
  findTarget,
  isSamePlace,
  keepTarget,
  secretOf,
  sendEveries,
  type StoredTarget,
  wakeSending,
} from '../../backup/elsewhere/target-store.ts'
import { targetKinds, type TargetSettings } from '../../backup/elsewhere/target.ts'
import { invalid } from '../../base/failure.ts'
import { boundedText, closed, flag } from '../../base/schema.ts'
import type { SiteKey } from '../../identity/site-key.ts'
import { action } from '../call/action.ts'
import { itemOutput, nullable } from '../call/write-answer.ts'
import { toSettings } from './target-settings.ts'

const text = (description: string, maxLength = 200) => Type.Optional(boundedText(description, maxLength))

const input = closed({
  kind: Type.Enum(['off', ...targetKinds], { description: '`off` sends none, and forgets the place. The backups there stay.' }),
  address: text(
    '`https://s3.eu-central-1.amazonaws.com`, `https://cloud.example.org/remote.php/dav/files/me`, `sftp://nas.example.org:22`.',
    500,
  ),
  folder: text('The folder there. It is made where it is missing.'),
  user: text('The user; of S3 the access key.'),
  secret: text('The password; of S3 the secret key. It is stored sealed. Left out, the stored one of the same place stays.', 500),
  region: text('S3: such as `eu-central-1`.', 40),
  bucket: text('S3.', 63),
  bucket_in: Type.Optional(
    Type.Enum(['path', 'host'], {
      description: 'S3: `host` for a server that takes `bucket.host` alone. The default is `path`.',
    }),
  ),
  host_key: text('SFTP: the public keys of the server, as `ssh-keyscan HOST` prints them.', 8000),
  key_file: text('SFTP: the path of a private key on this machine that the service can read.', 300),
  private_network: flag('Allows an address in a private network. The default is false.'),
  every: Type.Optional(
    Type.Enum([...sendEveries], {
      description: 'Sends each backup, or at most one a day or week. The default is `backup`.',
    }),
  ),
  check_every: Type.Optional(
    Type.Enum([...checkEveries], {
      description: 'How often the newest is downloaded and verified. The default is `week`.',
    }),
  ),
})

export const setTarget = action('SVC_Backup.set-target', {
  title: 'Set where backups are sent',
  summary: 'Sets the place (S3, SFTP or WebDAV) to which sealed backups are sent, and where they are pruned and verified.',
  did: 'set where backups are sent',
  tier: 'admin',
  effect: 'act',
  touches: 'unlimited',
  input,
  secrets: ['secret'],
  output: itemOutput(nullable(Type.Object({ kind: Type.String(), address: Type.String() }), 'Null for `off`.')),
  examples: [
    {
      title: 'A bucket of S3',
      input: {
        kind: 's3',
        address: 'https://s3.eu-central-1.amazonaws.com',
        region: 'eu-central-1',
        bucket: 'example-backups',
        folder: 'example.org',
        user: 'AKIAIOSFODNN7EXAMPLE',
        secret: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
      },
    },
    { title: 'Send none', input: { kind: 'off' } },
  ],
  async run({ db, site, now, afterCommit }, given) {
    const before = await findTarget(db)
    if (given.kind === 'off') {
      await dropTarget(db)
    } else {
      if (!(await site.backups.hasPassphrase())) throw needsPassphrase()
      const settings = toSettings(given.kind, given)
      const secret = given.secret || (before && keptSecret(site.key, before, settings)) || ''
      checkTarget(settings, secret)
      const { every = 'backup', check_every: checkEvery = 'week' } = given
      await keepTarget(db, site.key, { settings, secret, every, checkEvery }, now)
      afterCommit(() => wakeSending(site.store, now))
    }
    const stored = await findTarget(db)
    const item = stored ? { kind: stored.settings.kind, address: stored.settings.address } : null
    return { item, changed: ['target'], warnings: [], activity_id: null }
  },
})

/** The stored secret, for the same place alone: at another address, somebody else would get it. @throws Failure `invalid` */
function keptSecret(key: SiteKey, before: StoredTarget, settings: TargetSettings): string {
  if (!hasSecret(settings.kind)) return ''
  if (isSamePlace(before.settings, settings)) return secretOf(key, before)
  const expected = 'the secret of the place'
  throw invalid('secret', 'The place is another one, so its secret must be given again in `secret`.', expected)
}
