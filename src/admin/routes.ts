// The admin's pages as one table: path, who may open it, which function shows it and which takes its form. GET changes nothing.

import type { Services } from '../actions/services.ts'
import { downloadPath } from '../backup/download-link.ts'
import { HttpFailure } from '../http/failure.ts'
import type { AddressKind } from '../http/fetch-metadata.ts'
import { bytes, type Reply } from '../http/reply.ts'
import type { Handler, Methods, Route } from '../http/route.ts'
import { hasAccount } from '../identity/set-up.ts'
import { changeApp, changeToken, rotateToken, showApp, showToken } from './connections/credential-page.ts'
import { checkConnection, connectPurpose, listArrivals, showConnect } from './connections/connect-page.ts'
import { showDocument } from './connections/document-page.ts'
import { removeApp, showApps } from './connections/apps-page.ts'
import { serveBackup } from './operations/backup-file.ts'
import { answerConsent } from './access/consent-page.ts'
import { asSignedIn, forAnyone, forScript, forSignedIn } from './page.ts'
import { showAccount } from './account/account-page.ts'
import { addAuthenticator, showAuthenticator } from './account/authenticator-page.ts'
import { removeSecondFactor, replaceRecoveryCodes } from './account/factor-forms.ts'
import { takePasskey } from './account/passkeys.ts'
import { showConfirm, takeConfirm } from './access/confirm-page.ts'
import { saveProfile } from './account/profile-section.ts'
import { endSessions } from './account/sessions.ts'
import { changePassword, showNewPassword, takeNewPassword } from './access/password-page.ts'
import { takeSecondStep } from './access/second-step-page.ts'
import { showLogs } from './operations/logs-page.ts'
import { saveMaintenance, showMaintenance } from './operations/maintenance-page.ts'
import { adminPaths } from './paths.ts'
import { addPerson, showPeople } from './people/people-page.ts'
import { changePerson, deletePerson, resetPerson, showPerson } from './people/person-page.ts'
import { decideApproval, showApprovals } from './activity/approvals-page.ts'
import { autosaveEntry } from './content/autosave.ts'
import { changeContent } from './content/bulk.ts'
import { showChecks, takeChecksForm } from './content/checks-page.ts'
import { showEditor, showNewEntry } from './content/editor-page.ts'
import { entryPurpose } from './content/entry-form.ts'
import { showContent } from './content/list-page.ts'
import { findLinks, previewDraft, uploadImage } from './content/helps.ts'
import { changeRevisions, showRevisions } from './content/revisions-page.ts'
import { saveEntry } from './content/save-entry.ts'
import { runInConsole, showConsole } from './console/console-page.ts'
import { showActivity } from './activity/activity-page.ts'
import { showTakeBack, takeBack } from './activity/take-back-page.ts'
import { deleteBackup, saveSchedule, verifyBackup } from './operations/backup-changes.ts'
import { createBackup, showBackups } from './operations/backups-page.ts'
import { runChecks, showHealth } from './operations/health-page.ts'
import { cancelJob, retryJob, showJobs } from './operations/jobs-page.ts'
import { showUpdates } from './operations/updates-page.ts'
import { showHome } from './home/home-page.ts'
import { showSearch } from './home/search-page.ts'
import { showTheme, takeThemeForm } from './appearance/theme-page.ts'
import { showThemes, takeThemesForm } from './appearance/themes-page.ts'
import { showFile, takeFileForm, takeReplacement } from './media/file-page.ts'
import { showLibrary, takeLibraryForm } from './media/library-page.ts'
import { takeMenuForm } from './structure/menu-forms.ts'
import { showMenu } from './structure/menu-page.ts'
import { showMenus, takeMenusForm } from './structure/menus-page.ts'
import { showPreviews, takePreviewsForm } from './content/previews-page.ts'
import { showRedirects, takeRedirectsForm } from './structure/redirects-page.ts'
import { showTerm, takeTermForm } from './structure/term-page.ts'
import { showTerms, takeTermsForm } from './structure/terms-page.ts'
import { showType, takeTypeForm } from './structure/type-page.ts'
import { showTypes, takeTypesForm } from './structure/types-page.ts'
import { takeUpload, takeUploadedFile } from './media/upload-form.ts'
import { activatePlugin, showActivatePlugin } from './operations/plugin-activate-page.ts'
import { savePluginSettings, showPluginSettings } from './operations/plugin-settings-page.ts'
import { bringPlugin } from './operations/plugin-upload.ts'
import { deactivatePlugin, deletePlugin, showPlugins } from './operations/plugins-page.ts'
import { goTo } from './reply.ts'
import { browserScripts } from './script.ts'
import { saveSettings, showSettings } from './operations/settings-page.ts'
import { setUp, showSetUp } from './access/set-up-page.ts'
import { showSignIn, signIn, signOut } from './access/sign-in-page.ts'
import { deleteSkill, saveSkill, showSkills } from './connections/skills-page.ts'
import { stylesheet, stylesheetPath } from './style.ts'
import { mintToken, revokeToken, showTokens } from './connections/tokens-page.ts'
import type { Visit } from './visit.ts'
import { wordsOf } from './words.ts'

export { createAskOwner } from './access/consent-page.ts'
export { adminFailure } from './failure.ts'

/** The rows of this door. */
export function adminRoutes(site: Services): readonly Route[] {
  return [
    { ...row(adminPaths.home, { GET: forAnyone(site, firstPage) }), slash: 'redirect' },
    row(adminPaths.search, { GET: forSignedIn(site, showSearch) }),
    row(adminPaths.content, { GET: forSignedIn(site, showContent), POST: forSignedIn(site, changeContent) }),
    row(adminPaths.newEntry, { GET: forSignedIn(site, showNewEntry), POST: forSignedIn(site, saveEntry) }),
    row(adminPaths.editEntry, { GET: forSignedIn(site, showEditor), POST: forSignedIn(site, saveEntry) }),
    row(adminPaths.entryRevisions, { GET: forSignedIn(site, showRevisions), POST: forSignedIn(site, changeRevisions) }),
    row(adminPaths.autosaveEntry, { POST: forScript(site, autosaveEntry) }, 'script'),
    row(adminPaths.previewEntry, { POST: forScript(site, previewDraft) }, 'script'),
    row(adminPaths.uploadImage, { POST: forScript(site, uploadImage) }, 'script'),
    row(adminPaths.findLinks, { GET: forScript(site, findLinks, entryPurpose) }, 'script'),
    row(adminPaths.checks, { GET: forSignedIn(site, showChecks), POST: forSignedIn(site, takeChecksForm) }),
    row(adminPaths.activity, { GET: forSignedIn(site, showActivity) }),
    row(adminPaths.takeBack, { GET: forSignedIn(site, showTakeBack), POST: forSignedIn(site, takeBack) }),
    row(adminPaths.health, { GET: forSignedIn(site, showHealth), POST: forSignedIn(site, runChecks) }),
    row(adminPaths.backups, { GET: forSignedIn(site, showBackups), POST: forSignedIn(site, createBackup) }),
    row(adminPaths.backupSchedule, { POST: forSignedIn(site, saveSchedule) }),
    row(adminPaths.verifyBackup, { POST: forSignedIn(site, verifyBackup) }),
    row(adminPaths.deleteBackup, { POST: forSignedIn(site, deleteBackup) }),
    row(adminPaths.updates, { GET: forSignedIn(site, showUpdates) }),
    row(adminPaths.jobs, { GET: forSignedIn(site, showJobs) }),
    row(adminPaths.cancelJob, { POST: forSignedIn(site, cancelJob) }),
    row(adminPaths.retryJob, { POST: forSignedIn(site, retryJob) }),
    row(adminPaths.approvals, { GET: forSignedIn(site, showApprovals), POST: forSignedIn(site, decideApproval) }),
    row(adminPaths.media, { GET: forSignedIn(site, showLibrary), POST: forSignedIn(site, takeLibraryForm) }),
    row(adminPaths.mediaFile, { GET: forSignedIn(site, showFile), POST: forSignedIn(site, takeFileForm) }),
    row(adminPaths.uploadMedia, { POST: forSignedIn(site, takeUpload) }),
    row(adminPaths.uploadMediaFile, { POST: forScript(site, takeUploadedFile) }, 'script'),
    row(adminPaths.replaceMedia, { POST: forSignedIn(site, takeReplacement) }),
    row(adminPaths.menus, { GET: forSignedIn(site, showMenus), POST: forSignedIn(site, takeMenusForm) }),
    row(adminPaths.menu, { GET: forSignedIn(site, showMenu), POST: forSignedIn(site, takeMenuForm) }),
    row(adminPaths.terms, { GET: forSignedIn(site, showTerms), POST: forSignedIn(site, takeTermsForm) }),
    row(adminPaths.term, { GET: forSignedIn(site, showTerm), POST: forSignedIn(site, takeTermForm) }),
    row(adminPaths.previews, { GET: forSignedIn(site, showPreviews), POST: forSignedIn(site, takePreviewsForm) }),
    row(adminPaths.redirects, { GET: forSignedIn(site, showRedirects), POST: forSignedIn(site, takeRedirectsForm) }),
    row(adminPaths.types, { GET: forSignedIn(site, showTypes), POST: forSignedIn(site, takeTypesForm) }),
    row(adminPaths.type, { GET: forSignedIn(site, showType), POST: forSignedIn(site, takeTypeForm) }),
    row(adminPaths.themes, { GET: forSignedIn(site, showThemes), POST: forSignedIn(site, takeThemesForm) }),
    row(adminPaths.theme, { GET: forSignedIn(site, showTheme), POST: forSignedIn(site, takeThemeForm) }),
    row(adminPaths.console, { GET: forSignedIn(site, showConsole), POST: forSignedIn(site, runInConsole) }),
    row(adminPaths.setUp, { POST: forAnyone(site, setUp) }),
    row(adminPaths.signIn, { GET: forAnyone(site, showSignIn), POST: forAnyone(site, signIn) }),
    row(adminPaths.secondStep, { POST: forAnyone(site, takeSecondStep) }),
    row(adminPaths.signOut, { POST: forAnyone(site, signOut) }),
    row(adminPaths.consent, { POST: forSignedIn(site, answerConsent) }),
    row(adminPaths.newPassword, { GET: forAnyone(site, showNewPassword), POST: forAnyone(site, takeNewPassword) }),
    row(adminPaths.account, { GET: forSignedIn(site, showAccount) }),
    row(adminPaths.password, { POST: forSignedIn(site, changePassword) }),
    row(adminPaths.profile, { POST: forSignedIn(site, saveProfile) }),
    row(adminPaths.authenticator, { GET: forSignedIn(site, showAuthenticator), POST: forSignedIn(site, addAuthenticator) }),
    row(adminPaths.passkeys, { POST: forSignedIn(site, takePasskey) }),
    row(adminPaths.confirm, { GET: forSignedIn(site, showConfirm), POST: forSignedIn(site, takeConfirm) }),
    row(adminPaths.recoveryCodes, { POST: forSignedIn(site, replaceRecoveryCodes) }),
    row(adminPaths.removeFactor, { POST: forSignedIn(site, removeSecondFactor) }),
    row(adminPaths.endSessions, { POST: forSignedIn(site, endSessions) }),
    row(adminPaths.people, { GET: forSignedIn(site, showPeople), POST: forSignedIn(site, addPerson) }),
    row(adminPaths.person, { GET: forSignedIn(site, showPerson), POST: forSignedIn(site, changePerson) }),
    row(adminPaths.resetPerson, { POST: forSignedIn(site, resetPerson) }),
    row(adminPaths.deletePerson, { POST: forSignedIn(site, deletePerson) }),
    row(adminPaths.apps, { GET: forSignedIn(site, showApps) }),
    row(adminPaths.connect, { GET: forSignedIn(site, showConnect), POST: forSignedIn(site, checkConnection) }),
    row(adminPaths.documents, { GET: forSignedIn(site, showDocument) }),
    row(adminPaths.arrivals, { GET: forScript(site, listArrivals, connectPurpose) }, 'script'),
    row(adminPaths.app, { GET: forSignedIn(site, showApp), POST: forSignedIn(site, changeApp) }),
    row(adminPaths.token, { GET: forSignedIn(site, showToken), POST: forSignedIn(site, changeToken) }),
    row(adminPaths.rotateToken, { POST: forSignedIn(site, rotateToken) }),
    row(adminPaths.removeApp, { POST: forSignedIn(site, removeApp) }),
    row(adminPaths.tokens, { GET: forSignedIn(site, showTokens), POST: forSignedIn(site, mintToken) }),
    row(adminPaths.revokeToken, { POST: forSignedIn(site, revokeToken) }),
    row(adminPaths.skills, { GET: forSignedIn(site, showSkills), POST: forSignedIn(site, saveSkill) }),
    row(adminPaths.deleteSkill, { POST: forSignedIn(site, deleteSkill) }),
    row(adminPaths.settings, { GET: forSignedIn(site, showSettings), POST: forSignedIn(site, saveSettings) }),
    row(adminPaths.logs, { GET: forSignedIn(site, showLogs) }),
    row(adminPaths.maintenance, { GET: forSignedIn(site, showMaintenance), POST: forSignedIn(site, saveMaintenance) }),
    row(adminPaths.plugins, { GET: forSignedIn(site, showPlugins), POST: forSignedIn(site, bringPlugin) }),
    row(adminPaths.activatePlugin, { GET: forSignedIn(site, showActivatePlugin), POST: forSignedIn(site, activatePlugin) }),
    row(adminPaths.deactivatePlugin, { POST: forSignedIn(site, deactivatePlugin) }),
    row(adminPaths.configurePlugin, { GET: forSignedIn(site, showPluginSettings), POST: forSignedIn(site, savePluginSettings) }),
    row(adminPaths.deletePlugin, { POST: forSignedIn(site, deletePlugin) }),
    { ...row(downloadPath(':id'), { GET: serveBackup(site) }, 'download'), slash: 'exact' },
    asset(stylesheetPath, 'text/css', stylesheet),
    ...browserScripts.map(({ path, text }) => asset(path, 'text/javascript', text)),
    { path: '/admin/*', slash: 'exact', letterCase: 'any', methods: every(missing), door: 'admin', kind: 'window' },
  ]
}

/** A row of a page, which opens in a window, unless it says otherwise. The rows with `script` are all that the admin's own scripts ask. */
function row(path: string, methods: Methods, kind: AddressKind = 'window'): Route {
  return { path, slash: 'either', letterCase: 'exact', methods, door: 'admin', kind }
}

const every = (handler: Handler): Methods => ({ GET: handler, POST: handler, PUT: handler, PATCH: handler, DELETE: handler })

const missing: Handler = (request) => {
  throw new HttpFailure('not_found', wordsOf(request)('shell.no_such_page'))
}

/** Home; the sign-in for others; or the set-up on a site without an account. */
async function firstPage(visit: Visit): Promise<Reply> {
  if (visit.session) return asSignedIn({ ...visit, session: visit.session }, showHome)
  return (await hasAccount(visit.site.store.read)) ? goTo(visit, adminPaths.signIn) : showSetUp(visit)
}

/** A file whose name holds the hash of its content. */
function asset(path: string, type: string, text: string): Route {
  const content = Buffer.from(text)
  const headers = { 'content-type': `${type}; charset=utf-8`, 'cache-control': 'public, max-age=31536000, immutable' }
  return {
    path,
    slash: 'exact',
    letterCase: 'exact',
    methods: { GET: () => bytes(200, content, headers) },
    door: 'admin',
    kind: 'asset',
  }
}
