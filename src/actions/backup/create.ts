import { Type } from 'typebox'
import { unsealedStays } from '../../backup/download-link.ts'
import type { BackupRow } from '../../store/core/schema.ts'
import { action } from '../call/action.ts'
import { itemOutput, nullable } from '../call/write-answer.ts'
import { backupItem, backupItemOf, passphraseProperty, touchesByPassphrase } from './backup-item.ts'
import { closed, nonEmptyText } from '../../base/schema.ts'

interface Made {
  readonly sealed: boolean
  /** Null in a dry run. */
  readonly row: BackupRow | null
}

export const create = action('SVC_Backup.create', {
  title: 'Make [the backup {title}|a backup]',
  summary: 'Makes and verifies a backup, and prunes older ones. With a passphrase, the backup is sealed.',
  did: 'made [the backup {title}|a backup]',
  tier: 'admin',
  effect: 'act',
  touches: touchesByPassphrase,
  job: true,
  input: closed({
    note: Type.Optional(nonEmptyText('What the backup is for. A backup with a note is never pruned.', 200)),
    passphrase: passphraseProperty(
      'Seals this backup instead of the passphrase of the site. It is not stored: without it, the backup is lost.',
    ),
  }),
  secrets: ['passphrase'],
  output: itemOutput(nullable(backupItem, 'Null in a dry run.')),
  examples: [
    { title: 'A backup like every night', input: {} },
    { title: 'A backup that is never pruned', input: { note: 'Before the redesign' } },
  ],
  async prepare({ site, dryRun, signal, progress }, { note, passphrase }): Promise<Made> {
    const sealed = passphrase !== undefined || (await site.backups.hasPassphrase())
    return { sealed, row: dryRun ? null : await site.backups.create({ note: note ?? null, passphrase, signal, progress }) }
  },
  async run(_context, _input, { sealed, row }: Made) {
    const warnings = sealed ? [] : [{ code: 'not_sealed', message: unsealedStays }]
    return { item: row && backupItemOf(row), changed: [], warnings, activity_id: null }
  },
})
