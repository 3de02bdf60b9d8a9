// The migrations, in the order in which they run. The code of a released migration is never changed.

import type { Migration } from 'kysely'
import * as first from './0001-first.ts'
import * as signIn from './0002-sign-in.ts'
import * as session from './0003-session.ts'
import * as plugins from './0004-plugins.ts'
import * as backups from './0005-backups.ts'
import * as codeLimits from './0006-code-limits.ts'
import * as jobs from './0007-jobs.ts'
import * as folded from './0008-folded.ts'
import * as lists from './0009-lists.ts'
import * as recentChanges from './0010-recent-changes.ts'
import * as backupNode from './0011-backup-node.ts'
import * as entryTypes from './0012-entry-types.ts'
import * as terms from './0013-terms.ts'
import * as pending from './0014-pending.ts'
import * as media from './0015-media.ts'
import * as themes from './0016-themes.ts'
import * as searchTerms from './0017-search-terms.ts'
import * as languages from './0018-languages.ts'
import * as proposals from './0019-proposals.ts'
import * as secondFactors from './0020-second-factors.ts'
import * as publicLists from './0021-public-lists.ts'
import * as proposalChanges from './0022-proposal-changes.ts'
import * as previewLinks from './0023-preview-links.ts'
import * as shownEntries from './0024-shown-entries.ts'
import * as vouchedFiles from './0026-vouched-files.ts'

export const migrations: Readonly<Record<string, Migration>> = {
  '0001-first': first,
  '0002-sign-in': signIn,
  '0003-session': session,
  '0004-plugins': plugins,
  '0005-backups': backups,
  '0006-code-limits': codeLimits,
  '0007-jobs': jobs,
  '0008-folded': folded,
  '0009-lists': lists,
  '0010-recent-changes': recentChanges,
  '0011-backup-node': backupNode,
  '0012-entry-types': entryTypes,
  '0013-terms': terms,
  '0014-pending': pending,
  '0015-media': media,
  '0016-themes': themes,
  '0017-search-terms': searchTerms,
  '0018-languages': languages,
  '0019-proposals': proposals,
  '0020-second-factors': secondFactors,
  '0021-public-lists': publicLists,
  '0022-proposal-changes': proposalChanges,
  '0023-preview-links': previewLinks,
  '0024-shown-entries': shownEntries,
  '0026-vouched-files': vouchedFiles,
}
