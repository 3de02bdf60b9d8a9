// What clients look for in words of their own, and the names that they guess: each leads to the action at the first try.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allActions } from '../../src/actions/all.ts'
import { findActions } from '../../src/actions/api/find-actions.ts'
import { callName } from '../../src/actions/call/action.ts'
import { nearestActions } from '../../src/actions/call/nearest-action.ts'

const actions = allActions()
const names = actions.map(callName)

/** A search, and the action that is among the first three. */
const phrases: readonly (readonly [phrase: string, action: string])[] = [
  ['rename a page', 'Content.update'],
  ['rename', 'Content.move'],
  ['change the title of a post', 'Content.update'],
  ['create a blog post', 'Content.create'],
  ['new article', 'Content.create'],
  ['write a page', 'Content.put'],
  ['delete a page', 'Content.delete'],
  ['remove posts', 'Content.delete'],
  ['empty the trash', 'Content.purge'],
  ['find and replace text', 'Content.replace-all'],
  ['broken links', 'Content.check'],
  ['which pages link here', 'Content.links'],
  ['change the url of a page', 'Content.move'],
  ['copy a page', 'Content.duplicate'],
  ['schedule a post', 'Content.publish'],
  ['earlier versions of a page', 'Content.revisions'],
  ['share a draft with a client', 'Content.preview'],
  ['user', 'Accounts.list'],
  ['add a user', 'Accounts.create'],
  ['invite an author', 'Accounts.create'],
  ['reset a password', 'Accounts.reset'],
  ['colour', 'Themes.configure'],
  ['change the colours', 'Themes.configure'],
  ['css', 'Themes.edit'],
  ['edit the stylesheet', 'Themes.edit'],
  ['logo', 'Settings.update'],
  ['site title', 'Settings.update'],
  ['navigation', 'Menus.list'],
  ['add a link to the navigation', 'Menus.add'],
  ['upload a photo', 'Media.upload'],
  ['import images', 'Media.upload'],
  ['import', 'Import.run'],
  ['categories', 'Terms.list'],
  ['create a tag', 'Terms.create'],
  ['api key', 'Tokens.create'],
  ['custom fields', 'Types.create'],
  ['undo my last change', 'Activity.undo'],
  ['what changed since yesterday', 'Activity.digest'],
  ['301 redirect', 'Redirects.create'],
  ['several changes at once', 'API.batch'],
  ['backup', 'Backup.create'],
  ['install an extension', 'Plugins.install'],
  ['error log', 'Logs.list'],
  ['search entries', 'Search.query'],
]

for (const [phrase, action] of phrases)
  test(`“${phrase}” finds SVC_${action}`, () => {
    const found = findActions(phrase, actions).map(callName)
    assert.ok(found.slice(0, 3).includes(`SVC_${action}`), found.slice(0, 6).join(', '))
  })

test('an action is found first by its whole name, and words that mean nothing find nothing', () => {
  assert.equal(findActions('SVC_Media.purge', actions).map(callName)[0], 'SVC_Media.purge')
  assert.deepEqual(findActions('xyzzy quux', actions), [])
})

/** A wrong name, and the one that is suggested first. */
const guesses: readonly (readonly [wrong: string, right: string])[] = [
  ['SVC_Posts.create', 'Content.create'],
  ['SVC_Posts.list', 'Content.list'],
  ['SVC_Pages.get', 'Content.get'],
  ['SVC_Page.create', 'Content.create'],
  ['SVC_Pages.delete', 'Content.delete'],
  ['SVC_Entries.update', 'Content.update'],
  ['SVC_Articles.publish', 'Content.publish'],
  ['create_post', 'Content.create'],
  ['wp_insert_post', 'Content.create'],
  ['updatePost', 'Content.update'],
  ['list-pages', 'Content.list'],
  ['getPages', 'Content.get'],
  ['posts.browse', 'Content.list'],
  ['SVC_Content.remove', 'Content.delete'],
  ['SVC_Content.patch', 'Content.edit'],
  ['SVC_Content.add', 'Content.create'],
  ['SVC_Content.insert', 'Content.create'],
  ['SVC_Content.save', 'Content.update'],
  ['SVC_Content.read', 'Content.get'],
  ['SVC_Content.show', 'Content.get'],
  ['SVC_Content.find', 'Content.list'],
  ['SVC_Content.rename', 'Content.update'],
  ['SVC_Content.trash', 'Content.delete'],
  ['SVC_Content.destroy', 'Content.purge'],
  ['SVC_Content.copy', 'Content.duplicate'],
  ['SVC_Content.clone', 'Content.duplicate'],
  ['SVC_Content.upsert', 'Content.put'],
  ['SVC_Content.history', 'Content.revisions'],
  ['SVC_Content.compare', 'Content.diff'],
  ['SVC_Content.rollback', 'Content.revert'],
  ['SVC_Content.hide', 'Content.unpublish'],
  ['SVC_Content.search', 'Search.query'],
  ['SVC_Content.replace', 'Content.replace-all'],
  ['SVC_Content.updateMany', 'Content.update-many'],
  ['SVC_Content.Get', 'Content.get'],
  ['svc_content.get', 'Content.get'],
  ['Content.get', 'Content.get'],
  ['content.publsh', 'Content.publish'],
  ['SVC_Contents.list', 'Content.list'],
  ['SVC_Users.create', 'Accounts.create'],
  ['SVC_Users.list', 'Accounts.list'],
  ['users.me', 'Accounts.me'],
  ['SVC_User.invite', 'Accounts.create'],
  ['SVC_Files.upload', 'Media.upload'],
  ['SVC_Images.list', 'Media.list'],
  ['SVC_Attachments.create', 'Media.upload'],
  ['media.add', 'Media.upload'],
  ['SVC_Categories.list', 'Terms.list'],
  ['SVC_Tags.create', 'Terms.create'],
  ['SVC_Taxonomies.list', 'Terms.taxonomies'],
  ['SVC_Navigation.update', 'Menus.update'],
  ['SVC_Menu.get', 'Menus.get'],
  ['SVC_Nav.list', 'Menus.list'],
  ['SVC_Options.get', 'Settings.list'],
  ['SVC_Config.set', 'Settings.update'],
  ['SVC_Settings.set', 'Settings.update'],
  ['SVC_Settings.get', 'Settings.list'],
  ['SVC_Templates.edit', 'Themes.edit'],
  ['SVC_Theme.enable', 'Themes.activate'],
  ['SVC_Themes.customize', 'Themes.configure'],
  ['SVC_Design.update', 'Themes.configure'],
  ['SVC_Extensions.install', 'Plugins.install'],
  ['SVC_ApiKeys.create', 'Tokens.create'],
  ['SVC_Keys.delete', 'Tokens.revoke'],
  ['SVC_History.list', 'Activity.list'],
  ['SVC_Activity.revert', 'Activity.undo'],
  ['SVC_Redirect.add', 'Redirects.create'],
  ['SVC_Backups.make', 'Backup.create'],
  ['SVC_Documentation.search', 'Docs.search'],
  ['SVC_API.help', 'API.list-actions'],
  ['SVC_API.listActions', 'API.list-actions'],
  ['SVC_Foo.publish', 'Content.publish'],
]

for (const [wrong, right] of guesses)
  test(`${wrong} is answered with SVC_${right}`, () => {
    const near = nearestActions(wrong, names)
    assert.equal(near[0], `SVC_${right}`, near.join(', '))
  })

test('attack 78: at most three are suggested, none for nonsense or a very long name, and only what the caller may run', () => {
  for (const [wrong] of guesses) assert.ok(nearestActions(wrong, names).length <= 3)
  assert.deepEqual(nearestActions('zzzzzzzzzz.qqqqqqqqqq', names), [])
  assert.deepEqual(nearestActions(`SVC_${'Posts'.repeat(100)}.create`, names), [])
  assert.deepEqual(nearestActions('SVC_Posts.create', ['SVC_Content.list']), ['SVC_Content.list'])
})
