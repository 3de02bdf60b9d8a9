// What was done, in the words of a list of what happened: `changed`, `put into the trash`. The summary of an action says what it does when it is called.

import type { ActivityItem } from '../../actions/classes/svc-activity.ts'
import type { Visit } from '../visit.ts'
import type { MessageKey } from '../words.ts'

/** What each writing action of the core did. The word stands behind the titles of the objects that it changed. */
export const doneByCall: Readonly<Record<string, MessageKey>> = {
  'SVC_API.batch': 'activity.did_batch',
  'SVC_Accounts.create': 'activity.did_account_create',
  'SVC_Accounts.delete': 'activity.did_account_delete',
  'SVC_Accounts.reset': 'activity.did_account_reset',
  'SVC_Accounts.update': 'activity.did_account_update',
  'SVC_Activity.mark': 'activity.did_mark',
  'SVC_Activity.undo': 'activity.did_undo',
  'SVC_Apps.revoke': 'activity.did_app_revoke',
  'SVC_Apps.update': 'activity.did_app_update',
  'SVC_Backup.create': 'activity.did_backup_create',
  'SVC_Backup.delete': 'activity.did_backup_delete',
  'SVC_Backup.restore': 'activity.did_backup_restore',
  'SVC_Backup.schedule': 'activity.did_backup_schedule',
  'SVC_Content.create': 'activity.did_create',
  'SVC_Content.delete': 'activity.did_trash',
  'SVC_Content.discard': 'activity.did_discard',
  'SVC_Content.duplicate': 'activity.did_duplicate',
  'SVC_Content.edit': 'activity.did_change',
  'SVC_Content.end-preview': 'activity.did_preview_end',
  'SVC_Content.move': 'activity.did_move',
  'SVC_Content.preview': 'activity.did_preview',
  'SVC_Content.publish': 'activity.did_publish',
  'SVC_Content.purge': 'activity.did_purge',
  'SVC_Content.put': 'activity.did_put',
  'SVC_Content.replace-all': 'activity.did_replace',
  'SVC_Content.restore': 'activity.did_restore',
  'SVC_Content.revert': 'activity.did_revert',
  'SVC_Content.unpublish': 'activity.did_unpublish',
  'SVC_Content.update': 'activity.did_change',
  'SVC_Content.update-many': 'activity.did_change',
  'SVC_Health.clear-caches': 'activity.did_clear_caches',
  'SVC_Health.doctor-key': 'activity.did_doctor_key',
  'SVC_Jobs.cancel': 'activity.did_job_cancel',
  'SVC_Jobs.retry': 'activity.did_job_retry',
  'SVC_Media.begin-upload': 'activity.did_begin_upload',
  'SVC_Media.delete': 'activity.did_trash',
  'SVC_Media.purge': 'activity.did_purge',
  'SVC_Media.replace': 'activity.did_file_replace',
  'SVC_Media.restore': 'activity.did_restore',
  'SVC_Media.update': 'activity.did_change',
  'SVC_Media.upload': 'activity.did_upload',
  'SVC_Menus.add': 'activity.did_menu_add',
  'SVC_Menus.create': 'activity.did_menu_create',
  'SVC_Menus.delete': 'activity.did_menu_delete',
  'SVC_Menus.remove': 'activity.did_menu_remove',
  'SVC_Menus.update': 'activity.did_menu_update',
  'SVC_Plugins.activate': 'activity.did_plugin_activate',
  'SVC_Plugins.configure': 'activity.did_plugin_configure',
  'SVC_Plugins.deactivate': 'activity.did_plugin_deactivate',
  'SVC_Plugins.delete': 'activity.did_plugin_delete',
  'SVC_Plugins.install': 'activity.did_plugin_install',
  'SVC_Plugins.update': 'activity.did_plugin_update',
  'SVC_Proposals.approve': 'activity.did_proposal_approve',
  'SVC_Proposals.create': 'activity.did_proposal_create',
  'SVC_Proposals.reject': 'activity.did_proposal_reject',
  'SVC_Redirects.create': 'activity.did_redirect_create',
  'SVC_Redirects.delete': 'activity.did_redirect_delete',
  'SVC_Redirects.put-many': 'activity.did_redirect_put',
  'SVC_Redirects.update': 'activity.did_redirect_update',
  'SVC_Search.reindex': 'activity.did_reindex',
  'SVC_Settings.maintenance': 'activity.did_maintenance',
  'SVC_Settings.update': 'activity.did_setting',
  'SVC_Skills.delete': 'activity.did_skill_delete',
  'SVC_Skills.put': 'activity.did_skill_put',
  'SVC_Terms.create': 'activity.did_term_create',
  'SVC_Terms.delete': 'activity.did_term_delete',
  'SVC_Terms.delete-taxonomy': 'activity.did_taxonomy_delete',
  'SVC_Terms.merge': 'activity.did_term_merge',
  'SVC_Terms.save-taxonomy': 'activity.did_taxonomy_save',
  'SVC_Terms.update': 'activity.did_term_update',
  'SVC_Themes.activate': 'activity.did_theme_activate',
  'SVC_Themes.configure': 'activity.did_theme_configure',
  'SVC_Themes.create': 'activity.did_theme_create',
  'SVC_Themes.delete': 'activity.did_theme_delete',
  'SVC_Themes.edit': 'activity.did_theme_edit',
  'SVC_Themes.preview': 'activity.did_preview',
  'SVC_Themes.remove': 'activity.did_theme_remove',
  'SVC_Themes.revert': 'activity.did_theme_revert',
  'SVC_Themes.write': 'activity.did_theme_edit',
  'SVC_Tokens.create': 'activity.did_token_create',
  'SVC_Tokens.revoke': 'activity.did_token_revoke',
  'SVC_Tokens.rotate': 'activity.did_token_rotate',
  'SVC_Tokens.update': 'activity.did_token_update',
  'SVC_Types.create': 'activity.did_type_create',
  'SVC_Types.delete': 'activity.did_type_delete',
  'SVC_Types.update': 'activity.did_type_update',
}

/** What is recorded without an action of that summary: what people do at their own account, connections, and accounts made by the command line. */
const doneBySummary: Readonly<Record<string, MessageKey>> = {
  'Adds a passkey as a second factor.': 'activity.did_passkey_add',
  'Adds an authenticator app as a second factor.': 'activity.did_authenticator_add',
  'Changes a password.': 'activity.did_password',
  'Changes their own name and profile.': 'activity.did_profile',
  'Connects an app.': 'activity.did_app_connect',
  'Creates an account.': 'activity.did_account_create',
  'Makes new recovery codes.': 'activity.did_recovery',
  'Proposes calls, which wait for an admin.': 'activity.did_proposal_create',
  'Removes a passkey.': 'activity.did_passkey_remove',
  'Removes the authenticator app.': 'activity.did_authenticator_remove',
  'Sets a password by a one-time link.': 'activity.did_password_link',
  'Sets the site up with its first admin.': 'activity.did_set_up',
}

/** The first clause of a summary says what was done; the rest is for callers of the action. */
const firstClause = (summary: string): string => summary.replace(/(?:[,;:]|\. ).*$/s, '').replace(/\.?$/, '')

/**
 * What a record did. A record with another summary than its action, such as that of a connection that was ended because its code was used twice, says
 * what its summary says; so do the actions of plugins.
 */
export function doneWords({ site, t }: Visit, { call, summary }: Pick<ActivityItem, 'call' | 'summary'>): string {
  const isActions = site.registry.find(call)?.summary === summary
  const key = isActions ? doneByCall[call] : doneBySummary[summary]
  return key === undefined ? firstClause(summary) : t(key)
}
