// What a proposal would do, in the words of the reader: a heading of what it is about, and the deed beside it. The stored title is for the API, in English.

import { clauseOf } from '../../actions/proposing.ts'
import { type BatchCall, nameOf } from '../../actions/classes/batch-plan.ts'
import { callsOf } from '../../actions/classes/proposal-item.ts'
import type { SignedIn, Visit } from '../visit.ts'
import type { MessageKey } from '../words.ts'

/** What each writing action of the core would do. */
export const askedByCall: Readonly<Record<string, MessageKey>> = {
  'SVC_API.batch': 'activity.ask_batch',
  'SVC_Accounts.create': 'activity.ask_account_create',
  'SVC_Accounts.delete': 'activity.ask_account_delete',
  'SVC_Accounts.reset': 'activity.ask_account_reset',
  'SVC_Accounts.update': 'activity.ask_account_update',
  'SVC_Activity.mark': 'activity.ask_mark',
  'SVC_Activity.undo': 'activity.ask_undo',
  'SVC_Apps.revoke': 'activity.ask_app_revoke',
  'SVC_Apps.update': 'activity.ask_app_update',
  'SVC_Backup.create': 'activity.ask_backup_create',
  'SVC_Backup.delete': 'activity.ask_backup_delete',
  'SVC_Backup.restore': 'activity.ask_backup_restore',
  'SVC_Backup.schedule': 'activity.ask_backup_schedule',
  'SVC_Content.create': 'activity.ask_create',
  'SVC_Content.delete': 'activity.ask_trash',
  'SVC_Content.discard': 'activity.ask_discard',
  'SVC_Content.duplicate': 'activity.ask_duplicate',
  'SVC_Content.edit': 'activity.ask_change',
  'SVC_Content.end-preview': 'activity.ask_preview_end',
  'SVC_Content.move': 'activity.ask_move',
  'SVC_Content.preview': 'activity.ask_preview',
  'SVC_Content.publish': 'activity.ask_publish',
  'SVC_Content.purge': 'activity.ask_purge',
  'SVC_Content.put': 'activity.ask_put',
  'SVC_Content.replace-all': 'activity.ask_replace',
  'SVC_Content.restore': 'activity.ask_restore',
  'SVC_Content.revert': 'activity.ask_revert',
  'SVC_Content.unpublish': 'activity.ask_unpublish',
  'SVC_Content.update': 'activity.ask_change',
  'SVC_Content.update-many': 'activity.ask_change',
  'SVC_Health.clear-caches': 'activity.ask_clear_caches',
  'SVC_Health.doctor-key': 'activity.ask_doctor_key',
  'SVC_Jobs.cancel': 'activity.ask_job_cancel',
  'SVC_Jobs.retry': 'activity.ask_job_retry',
  'SVC_Media.begin-upload': 'activity.ask_upload',
  'SVC_Media.delete': 'activity.ask_trash',
  'SVC_Media.purge': 'activity.ask_purge',
  'SVC_Media.replace': 'activity.ask_file_replace',
  'SVC_Media.restore': 'activity.ask_restore',
  'SVC_Media.update': 'activity.ask_change',
  'SVC_Media.upload': 'activity.ask_upload',
  'SVC_Menus.add': 'activity.ask_menu_add',
  'SVC_Menus.create': 'activity.ask_menu_create',
  'SVC_Menus.delete': 'activity.ask_menu_delete',
  'SVC_Menus.remove': 'activity.ask_menu_remove',
  'SVC_Menus.update': 'activity.ask_menu_update',
  'SVC_Plugins.activate': 'activity.ask_plugin_activate',
  'SVC_Plugins.configure': 'activity.ask_plugin_configure',
  'SVC_Plugins.deactivate': 'activity.ask_plugin_deactivate',
  'SVC_Plugins.delete': 'activity.ask_plugin_delete',
  'SVC_Plugins.install': 'activity.ask_plugin_install',
  'SVC_Plugins.update': 'activity.ask_plugin_update',
  'SVC_Proposals.approve': 'activity.ask_proposal_approve',
  'SVC_Proposals.create': 'activity.ask_proposal_create',
  'SVC_Proposals.reject': 'activity.ask_proposal_reject',
  'SVC_Redirects.create': 'activity.ask_redirect_create',
  'SVC_Redirects.delete': 'activity.ask_redirect_delete',
  'SVC_Redirects.put-many': 'activity.ask_redirect_put',
  'SVC_Redirects.update': 'activity.ask_redirect_update',
  'SVC_Search.reindex': 'activity.ask_reindex',
  'SVC_Settings.maintenance': 'activity.ask_maintenance',
  'SVC_Settings.update': 'activity.ask_setting',
  'SVC_Skills.delete': 'activity.ask_skill_delete',
  'SVC_Skills.put': 'activity.ask_skill_put',
  'SVC_Terms.create': 'activity.ask_term_create',
  'SVC_Terms.delete': 'activity.ask_term_delete',
  'SVC_Terms.delete-taxonomy': 'activity.ask_taxonomy_delete',
  'SVC_Terms.merge': 'activity.ask_term_merge',
  'SVC_Terms.save-taxonomy': 'activity.ask_taxonomy_save',
  'SVC_Terms.update': 'activity.ask_term_update',
  'SVC_Themes.activate': 'activity.ask_theme_activate',
  'SVC_Themes.configure': 'activity.ask_theme_configure',
  'SVC_Themes.create': 'activity.ask_theme_create',
  'SVC_Themes.delete': 'activity.ask_theme_delete',
  'SVC_Themes.edit': 'activity.ask_theme_edit',
  'SVC_Themes.preview': 'activity.ask_preview',
  'SVC_Themes.remove': 'activity.ask_theme_remove',
  'SVC_Themes.revert': 'activity.ask_theme_revert',
  'SVC_Themes.write': 'activity.ask_theme_edit',
  'SVC_Tokens.create': 'activity.ask_token_create',
  'SVC_Tokens.revoke': 'activity.ask_token_revoke',
  'SVC_Tokens.rotate': 'activity.ask_token_rotate',
  'SVC_Tokens.update': 'activity.ask_token_update',
  'SVC_Types.create': 'activity.ask_type_create',
  'SVC_Types.delete': 'activity.ask_type_delete',
  'SVC_Types.update': 'activity.ask_type_update',
}

/** A proposal as lists name it. */
interface NamedProposal {
  readonly heading: string
  /** What its calls do; undefined where the proposer gave the heading, which says it. */
  readonly deed?: string
}

/**
 * How a proposal is called. One with a title of its own, or with an action of a plugin, keeps its title.
 * @param calls the calls of the proposal, in order
 */
export function proposalWords({ site, t }: Pick<Visit, 'site' | 't'>, title: string, calls: readonly BatchCall[]): NamedProposal {
  const [first, ...others] = calls
  const name = first ? nameOf(first) : ''
  const key = askedByCall[name]
  const clause = clauseOf(site, name)
  if (!key || !(title === clause || title.startsWith(`${clause}: `) || title.startsWith(`${clause}, and `)))
    return { heading: title }
  const what = others.length === 0 ? t(key) : t('activity.ask_and_more', { what: t(key), count: others.length })
  const more = `, and ${others.length} more`
  const whole = others.length > 0 && title.endsWith(more) ? title.slice(0, -more.length) : title
  const about = whole.slice(clause.length + 2)
  return about === '' ? { heading: what } : { heading: about, deed: what }
}

/** How each of these proposals is called. The list of proposals has only the number of calls, so they are read here. */
export async function namedProposals<T extends { readonly id: string; readonly title: string }>(
  visit: SignedIn,
  items: readonly T[],
): Promise<readonly (T & NamedProposal)[]> {
  if (items.length === 0) return []
  const ids = items.map(({ id }) => id)
  const rows = await visit.site.store.read.selectFrom('proposal').select(['id', 'calls']).where('id', 'in', ids).execute()
  const calls = new Map(rows.map((row) => [row.id, callsOf(row)]))
  return items.map((item) => ({ ...item, ...proposalWords(visit, item.title, calls.get(item.id) ?? []) }))
}
