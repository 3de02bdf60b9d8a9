// Names that other systems have, that were remembered in part, or that are spelt as elsewhere.

import { api, mcp, tool, type WrongInput } from './wrong-input.ts'

/** A name, and what the answer must name instead. */
const names: readonly (readonly [name: string, meant: RegExp])[] = [
  ['SVC_Posts.create', /SVC_Content\.create/],
  ['SVC_Pages.create', /SVC_Content\.create/],
  ['SVC_Content.remove', /SVC_Content\.delete/],
  ['SVC_Content.patch', /SVC_Content\.(?:edit|update)/],
  ['SVC_Content.read', /SVC_Content\.get/],
  ['SVC_Content.save', /SVC_Content\.(?:update|put|create)/],
  ['SVC_Content.search', /SVC_Search\.query/],
  ['SVC_Content.find', /SVC_Search\.query|SVC_Content\.list/],
  ['SVC_Content.trash', /SVC_Content\.delete/],
  ['SVC_Content.rename', /SVC_Content\.(?:move|update)/],
  ['SVC_Content.copy', /SVC_Content\.duplicate/],
  ['SVC_Content.schedule', /SVC_Content\.publish/],
  ['SVC_Content.getAll', /SVC_Content\.list/],
  ['SVC_Content.history', /SVC_Content\.revisions/],
  ['SVC_Content.rollback', /SVC_Content\.revert/],
  ['SVC_Content.replace_all', /SVC_Content\.replace-all/],
  ['SVC_Content.unpublsih', /SVC_Content\.unpublish/],
  ['SVC_Users.list', /SVC_Accounts\.list/],
  ['SVC_Images.upload', /SVC_Media\.upload/],
  ['SVC_Files.list', /SVC_Media\.list/],
  ['SVC_Categories.create', /SVC_Terms\.create/],
  ['SVC_Navigation.update', /SVC_Menus\.update/],
  ['SVC_Options.update', /SVC_Settings\.update/],
  ['SVC_Templates.edit', /SVC_Themes\.edit/],
  ['SVC_Redirect.create', /SVC_Redirects\.create/],
  ['SVC_Revisions.list', /SVC_Content\.revisions/],
  ['wp_insert_post', /SVC_Content\.create/],
  ['create_page', /SVC_Content\.create/],
  ['get_posts', /SVC_Content\.list/],
]

/** Spellings of a name that exists: it is run, or the answer has it as it is spelt here. */
const spellings = [
  'svc_redirects.list',
  'SVC_Redirects.List',
  'Redirects.list',
  'redirects/list',
  'SVC_Redirects__list',
  'SVC_Redirects:list',
]

/** Names of tools that a client doesn't have. The answer has the ready call; it runs nothing. */
const tools: readonly (readonly [name: string, says: RegExp])[] = [
  ['SVC_Content.create', /SVC_API__call-action[^]*SVC_Content\.create/],
  ['SVC_Content__create', /SVC_API__call-action[^]*SVC_Content\.create/],
  ['SVC_API__welcome', /SVC_API__call-action[^]*SVC_API\.welcome/],
  ['call-action', /SVC_API__call-action/],
  ['list_actions', /SVC_API__list-actions/],
  ['create_post', /SVC_API__(?:call|list)-action/],
]

const page = { type: 'page', title: 'By a wrong name' }

export const wrongNames: readonly WrongInput[] = [
  ...names.map(([name, meant]) => ({ what: `an action ${name}`, send: mcp(name, {}), says: [meant] })),
  ...spellings.map((name) => ({
    what: `an action "${name}"`,
    send: mcp(name, {}),
    says: [/SVC_Redirects\.list/],
    taken: /"items"/,
  })),
  ...tools.map(([name, says]) => ({ what: `a tool ${name}`, send: tool(name, page), says: [says] })),
  {
    what: 'a class without its action, on /api/',
    send: api({ class: 'SVC_Content' }),
    says: [/action/, /missing|both|needs|Send|class and/i],
  },
  { what: 'a method in place of an action, on /api/', send: api({ method: 'SVC_Content.list' }), says: [/action/] },
]
