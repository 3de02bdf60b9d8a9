// The handlers of the admin's pages by the names of their rows: who may open a page, which function shows it, and which takes its
// form. GET changes nothing.

import type { Services } from '../actions/call/services.ts'
import { HttpFailure } from '../http/failure.ts'
import { bytes, type Reply } from '../http/reply.ts'
import type { Handler } from '../http/route.ts'
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
import { saveProfile } from './account/save-profile.ts'
import { saveOwnMails } from './account/mails-section.ts'
import { saveWriting } from './account/writing-section.ts'
import { endSessions } from './account/sessions.ts'
import { changePassword, showNewPassword, takeNewPassword } from './access/password-page.ts'
import { takeSecondStep } from './access/second-step-page.ts'
import { showLogs } from './operations/logs-page.ts'
import { saveMaintenance, showMaintenance } from './operations/maintenance-page.ts'
import { adminPaths, assetPath } from './paths.ts'
import { addPerson, showPeople } from './people/people-page.ts'
import { changePerson, deletePerson, resetPerson, showPerson } from './people/person-page.ts'
import { decideApproval, showApprovals } from './activity/approvals-page.ts'
import { autosaveEntry } from './content/autosave.ts'
import { changeContent } from './content/bulk.ts'
import { showChecks, takeChecksForm } from './content/checks-page.ts'
import { showEditor, showNewEntry } from './content/editor-page.ts'
import { entryPurpose } from './content/entry-form.ts'
import { showContent } from './content/list-page.ts'
import { lookAtSettings } from './appearance/look.ts'
import { pasteHtml } from './content/paste.ts'
import { listSections } from './content/section-kinds.ts'
import { findLinks, previewDraft, uploadImage } from './content/helps.ts'
import { changeRevisions, showRevisions } from './content/revisions-page.ts'
import { saveEntry } from './content/save-entry.ts'
import { runInConsole, showConsole } from './console/console-page.ts'
import { showActivity } from './activity/activity-page.ts'
import { showUndo, undoChanges } from './activity/take-back-page.ts'
import { deleteBackup, saveSchedule, verifyBackup } from './operations/backup-changes.ts'
import { showImport, takeImportFile, takeImportForm } from './operations/import-page.ts'
import { saveElsewhere, showElsewhere } from './operations/elsewhere-page.ts'
import { createBackup, showBackups } from './operations/backups-page.ts'
import { runChecks, showHealth } from './operations/health-page.ts'
import { cancelJob, retryJob, showJobs } from './operations/jobs-page.ts'
import { showUpdates } from './operations/updates-page.ts'
import { showHome } from './home/home-page.ts'
import { takeHomeForm } from './home/home-forms.ts'
import { showSearch } from './home/search-page.ts'
import { showStart, takeStart } from './home/start-page.ts'
import { showThemeFiles } from './appearance/theme-files-page.ts'
import { showTheme, takeThemeForm } from './appearance/theme-page.ts'
import { showThemes, takeThemesForm } from './appearance/themes-page.ts'
import { showFile, takeFileForm, takeReplacement } from './media/file-page.ts'
import { showLibrary, takeLibraryForm } from './media/library-page.ts'
import { takeMenuForm } from './structure/menu-forms.ts'
import { showMenu } from './structure/menu-page.ts'
import { showMenus, takeMenusForm } from './structure/menus-page.ts'
import { showPreviews, takePreviewsForm } from './content/previews-page.ts'
import { showRedirects, takeRedirectsForm } from './structure/redirects-page.ts'
import { showStatistics } from './statistics/statistics-page.ts'
import { showTerm, takeTermForm } from './structure/term-page.ts'
import { showTerms, takeTermsForm } from './structure/terms-page.ts'
import { showType, takeTypeForm } from './structure/type-page.ts'
import { showTypes, takeTypesForm } from './structure/types-page.ts'
import { showSendPage, takeSendPage } from './media/send-page.ts'
import { framePicture } from './media/frame-picture.ts'
import { takeUpload, takeUploadedFile } from './media/take-upload.ts'
import { activatePlugin, showActivatePlugin } from './operations/plugin-activate-page.ts'
import { savePluginSettings, showPluginSettings } from './operations/plugin-settings-page.ts'
import { installPlugin } from './operations/plugin-upload.ts'
import { deactivatePlugin, deletePlugin, showPlugins } from './operations/plugins-page.ts'
import { deleteRootFile, saveRootFile, showRootFiles, uploadRootFile } from './operations/root-files-page.ts'
import { goTo } from './reply.ts'
import type { AdminHandlers } from './routes.ts'
import { browserScripts } from './script.ts'
import { saveSettings, showSettings } from './operations/settings-page.ts'
import { setUp, showSetUp } from './access/set-up-page.ts'
import { showSignIn, signIn, signOut } from './access/sign-in-page.ts'
import { deleteSkill, saveSkill, showSkills } from './connections/skills-page.ts'
import { stylesheet, stylesheetPath } from './style.ts'
import { mintToken, revokeToken, showTokens } from './connections/tokens-page.ts'
import { showReceiveMails, takeReceiveMails } from './access/receive-mails-page.ts'
import { addForm, showForms } from './forms/forms-page.ts'
import { saveForm, showForm } from './forms/form-page.ts'
import { sendFormFile } from './forms/form-file.ts'
import { sendSubmissions } from './forms/submissions.ts'
import { importSubscribers } from './newsletter/import-subscribers.ts'
import { showNewsletter, takeNewsletter } from './newsletter/newsletter-page.ts'
import { showNewsletterMail, showSend, takeSend } from './newsletter/send-page.ts'
import { sendSubscribers } from './newsletter/subscribers-panel.ts'
import { showForgot, takeForgot } from './access/forgot-page.ts'
import { showComment, takeCommentForm } from './comments/comment-page.ts'
import { showComments, takeCommentsForm } from './comments/comments-page.ts'
import { showDecide, takeDecide } from './comments/decide-page.ts'
import { saveMail, showMail } from './operations/mail-page.ts'
import { changeWebhookForm, showWebhook } from './connections/webhook-page.ts'
import { addWebhook, showWebhooks } from './connections/webhooks-page.ts'
import type { Visit } from './visit.ts'
import { wordsOf } from './words.ts'

export { askOwner } from './access/consent-page.ts'
export { adminFailure } from './failure.ts'

/** The handlers of this site's rows. */
export function adminHandlers(site: Services): AdminHandlers {
  return {
    home: { GET: forAnyone(site, firstPage), POST: forSignedIn(site, takeHomeForm) },
    start: { GET: forSignedIn(site, showStart), POST: forSignedIn(site, takeStart) },
    search: { GET: forSignedIn(site, showSearch) },
    content: { GET: forSignedIn(site, showContent), POST: forSignedIn(site, changeContent) },
    newEntry: { GET: forSignedIn(site, showNewEntry), POST: forSignedIn(site, saveEntry) },
    editEntry: { GET: forSignedIn(site, showEditor), POST: forSignedIn(site, saveEntry) },
    entryRevisions: { GET: forSignedIn(site, showRevisions), POST: forSignedIn(site, changeRevisions) },
    autosaveEntry: { POST: forScript(site, autosaveEntry) },
    previewEntry: { POST: forScript(site, previewDraft) },
    uploadImage: { POST: forScript(site, uploadImage) },
    framePicture: { POST: forScript(site, framePicture) },
    pasteHtml: { POST: forScript(site, pasteHtml) },
    lookTheme: { POST: forScript(site, lookAtSettings) },
    findLinks: { GET: forScript(site, findLinks, entryPurpose) },
    sectionKinds: { GET: forScript(site, listSections, entryPurpose) },
    checks: { GET: forSignedIn(site, showChecks), POST: forSignedIn(site, takeChecksForm) },
    activity: { GET: forSignedIn(site, showActivity) },
    undo: { GET: forSignedIn(site, showUndo), POST: forSignedIn(site, undoChanges) },
    health: { GET: forSignedIn(site, showHealth), POST: forSignedIn(site, runChecks) },
    import: { GET: forSignedIn(site, showImport), POST: forSignedIn(site, takeImportForm) },
    sendImport: { POST: forSignedIn(site, takeImportFile) },
    backups: { GET: forSignedIn(site, showBackups), POST: forSignedIn(site, createBackup) },
    backupsElsewhere: { GET: forSignedIn(site, showElsewhere), POST: forSignedIn(site, saveElsewhere) },
    backupSchedule: { POST: forSignedIn(site, saveSchedule) },
    verifyBackup: { POST: forSignedIn(site, verifyBackup) },
    deleteBackup: { POST: forSignedIn(site, deleteBackup) },
    updates: { GET: forSignedIn(site, showUpdates) },
    jobs: { GET: forSignedIn(site, showJobs) },
    cancelJob: { POST: forSignedIn(site, cancelJob) },
    retryJob: { POST: forSignedIn(site, retryJob) },
    approvals: { GET: forSignedIn(site, showApprovals), POST: forSignedIn(site, decideApproval) },
    media: { GET: forSignedIn(site, showLibrary), POST: forSignedIn(site, takeLibraryForm) },
    mediaFile: { GET: forSignedIn(site, showFile), POST: forSignedIn(site, takeFileForm) },
    uploadMedia: { POST: forSignedIn(site, takeUpload) },
    uploadMediaFile: { POST: forScript(site, takeUploadedFile) },
    replaceMedia: { POST: forSignedIn(site, takeReplacement) },
    menus: { GET: forSignedIn(site, showMenus), POST: forSignedIn(site, takeMenusForm) },
    menu: { GET: forSignedIn(site, showMenu), POST: forSignedIn(site, takeMenuForm) },
    terms: { GET: forSignedIn(site, showTerms), POST: forSignedIn(site, takeTermsForm) },
    term: { GET: forSignedIn(site, showTerm), POST: forSignedIn(site, takeTermForm) },
    previews: { GET: forSignedIn(site, showPreviews), POST: forSignedIn(site, takePreviewsForm) },
    comments: { GET: forSignedIn(site, showComments), POST: forSignedIn(site, takeCommentsForm) },
    comment: { GET: forSignedIn(site, showComment), POST: forSignedIn(site, takeCommentForm) },
    decideComment: { GET: forAnyone(site, showDecide), POST: forAnyone(site, takeDecide) },
    redirects: { GET: forSignedIn(site, showRedirects), POST: forSignedIn(site, takeRedirectsForm) },
    types: { GET: forSignedIn(site, showTypes), POST: forSignedIn(site, takeTypesForm) },
    type: { GET: forSignedIn(site, showType), POST: forSignedIn(site, takeTypeForm) },
    themes: { GET: forSignedIn(site, showThemes), POST: forSignedIn(site, takeThemesForm) },
    theme: { GET: forSignedIn(site, showTheme), POST: forSignedIn(site, takeThemeForm) },
    themeFiles: { GET: forSignedIn(site, showThemeFiles) },
    console: { GET: forSignedIn(site, showConsole), POST: forSignedIn(site, runInConsole) },
    setUp: { POST: forAnyone(site, setUp) },
    signIn: { GET: forAnyone(site, showSignIn), POST: forAnyone(site, signIn) },
    secondStep: { POST: forAnyone(site, takeSecondStep) },
    signOut: { POST: forAnyone(site, signOut) },
    consent: { POST: forSignedIn(site, answerConsent) },
    receiveMails: { GET: forAnyone(site, showReceiveMails), POST: forAnyone(site, takeReceiveMails) },
    forgot: { GET: forAnyone(site, showForgot), POST: forAnyone(site, takeForgot) },
    newPassword: { GET: forAnyone(site, showNewPassword), POST: forAnyone(site, takeNewPassword) },
    account: { GET: forSignedIn(site, showAccount) },
    password: { POST: forSignedIn(site, changePassword) },
    profile: { POST: forSignedIn(site, saveProfile) },
    ownMails: { POST: forSignedIn(site, saveOwnMails) },
    writing: { POST: forSignedIn(site, saveWriting) },
    authenticator: { GET: forSignedIn(site, showAuthenticator), POST: forSignedIn(site, addAuthenticator) },
    passkeys: { POST: forSignedIn(site, takePasskey) },
    confirm: { GET: forSignedIn(site, showConfirm), POST: forSignedIn(site, takeConfirm) },
    recoveryCodes: { POST: forSignedIn(site, replaceRecoveryCodes) },
    removeFactor: { POST: forSignedIn(site, removeSecondFactor) },
    endSessions: { POST: forSignedIn(site, endSessions) },
    people: { GET: forSignedIn(site, showPeople), POST: forSignedIn(site, addPerson) },
    person: { GET: forSignedIn(site, showPerson), POST: forSignedIn(site, changePerson) },
    resetPerson: { POST: forSignedIn(site, resetPerson) },
    deletePerson: { POST: forSignedIn(site, deletePerson) },
    apps: { GET: forSignedIn(site, showApps) },
    connect: { GET: forSignedIn(site, showConnect), POST: forSignedIn(site, checkConnection) },
    documents: { GET: forSignedIn(site, showDocument) },
    arrivals: { GET: forScript(site, listArrivals, connectPurpose) },
    app: { GET: forSignedIn(site, showApp), POST: forSignedIn(site, changeApp) },
    token: { GET: forSignedIn(site, showToken), POST: forSignedIn(site, changeToken) },
    rotateToken: { POST: forSignedIn(site, rotateToken) },
    removeApp: { POST: forSignedIn(site, removeApp) },
    tokens: { GET: forSignedIn(site, showTokens), POST: forSignedIn(site, mintToken) },
    revokeToken: { POST: forSignedIn(site, revokeToken) },
    statistics: { GET: forSignedIn(site, showStatistics) },
    webhooks: { GET: forSignedIn(site, showWebhooks), POST: forSignedIn(site, addWebhook) },
    webhook: { GET: forSignedIn(site, showWebhook), POST: forSignedIn(site, changeWebhookForm) },
    mail: { GET: forSignedIn(site, showMail), POST: forSignedIn(site, saveMail) },
    forms: { GET: forSignedIn(site, showForms), POST: forSignedIn(site, addForm) },
    form: { GET: forSignedIn(site, showForm), POST: forSignedIn(site, saveForm) },
    formCsv: { GET: forSignedIn(site, sendSubmissions) },
    newsletter: { GET: forSignedIn(site, showNewsletter), POST: forSignedIn(site, takeNewsletter) },
    sendNewsletter: { GET: forSignedIn(site, showSend), POST: forSignedIn(site, takeSend) },
    newsletterMail: { GET: forSignedIn(site, showNewsletterMail) },
    newsletterCsv: { GET: forSignedIn(site, sendSubscribers) },
    importSubscribers: { POST: forSignedIn(site, importSubscribers) },
    formFile: { GET: forSignedIn(site, sendFormFile) },
    skills: { GET: forSignedIn(site, showSkills), POST: forSignedIn(site, saveSkill) },
    deleteSkill: { POST: forSignedIn(site, deleteSkill) },
    settings: { GET: forSignedIn(site, showSettings), POST: forSignedIn(site, saveSettings) },
    rootFiles: { GET: forSignedIn(site, showRootFiles), POST: forSignedIn(site, saveRootFile) },
    uploadRootFile: { POST: forSignedIn(site, uploadRootFile) },
    deleteRootFile: { POST: forSignedIn(site, deleteRootFile) },
    logs: { GET: forSignedIn(site, showLogs) },
    maintenance: { GET: forSignedIn(site, showMaintenance), POST: forSignedIn(site, saveMaintenance) },
    plugins: { GET: forSignedIn(site, showPlugins), POST: forSignedIn(site, installPlugin) },
    activatePlugin: { GET: forSignedIn(site, showActivatePlugin), POST: forSignedIn(site, activatePlugin) },
    deactivatePlugin: { POST: forSignedIn(site, deactivatePlugin) },
    configurePlugin: { GET: forSignedIn(site, showPluginSettings), POST: forSignedIn(site, savePluginSettings) },
    deletePlugin: { POST: forSignedIn(site, deletePlugin) },
    backup: { GET: serveBackup(site) },
    sendFiles: { GET: showSendPage(site), POST: takeSendPage(site) },
    asset: { GET: sendAsset },
    missing: { GET: missing, POST: missing, PUT: missing, PATCH: missing, DELETE: missing },
  }
}

const missing: Handler = (request) => {
  throw new HttpFailure('not_found', wordsOf(request)('shell.no_such_page'))
}

/** Shows the home page, the sign-in page, or the set-up page on a site without an account. */
async function firstPage(visit: Visit): Promise<Reply> {
  if (visit.session) return asSignedIn({ ...visit, session: visit.session }, showHome)
  return (await hasAccount(visit.site.store.read)) ? goTo(visit, adminPaths.signIn) : showSetUp(visit)
}

/** The style sheet and the scripts, by path. */
const assets: ReadonlyMap<string, Reply> = new Map([
  [stylesheetPath, asset('text/css', stylesheet)],
  ...browserScripts.map(({ path, text }) => [path, asset('text/javascript', text)] as const),
])

const sendAsset: Handler = (request, { file = '' }) => assets.get(assetPath(file)) ?? missing(request, {})

/** A file whose name holds the hash of its content. */
function asset(type: string, text: string): Reply {
  const headers = { 'content-type': `${type}; charset=utf-8`, 'cache-control': 'public, max-age=31536000, immutable' }
  return bytes(200, Buffer.from(text), headers)
}
