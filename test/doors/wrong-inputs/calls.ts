// Calls whose parts stand in the wrong place, or are of another kind than the schema has.

import { api, calling, mcp, rpc, tool, type WrongInput } from './wrong-input.ts'

const about = /"path":"\/about"/

export const wrongCalls: readonly WrongInput[] = [
  {
    what: 'flat arguments over MCP',
    send: calling({ action: 'SVC_Content.get', id: '/about' }),
    says: [/"?id/, /`?arguments/],
    taken: about,
  },
  {
    what: 'the class twice',
    send: calling({ class: 'SVC_Content', action: 'SVC_Content.get', arguments: { id: '/about' } }),
    says: [/class/, /once|twice/],
    taken: about,
  },
  {
    what: 'the class twice, on /api/',
    send: api({ class: 'SVC_Content', action: 'SVC_Content.get', id: '/about' }),
    says: [/class/, /once|twice/],
    taken: about,
  },
  {
    what: 'two classes that differ',
    send: calling({ class: 'SVC_Media', action: 'SVC_Content.get', arguments: { id: '/about' } }),
    says: [/class/, /SVC_Media/, /SVC_Content/],
  },
  {
    what: 'arguments as JSON in a string',
    send: calling({ action: 'SVC_Content.get', arguments: '{"id": "/about"}' }),
    says: [/arguments/, /object/],
    taken: about,
  },
  {
    what: 'params in place of arguments',
    send: calling({ action: 'SVC_Content.get', params: { id: '/about' } }),
    says: [/params/, /arguments/],
    taken: about,
  },
  {
    what: 'input in place of arguments, on /api/',
    send: api({ action: 'SVC_Content.get', input: { id: '/about' } }),
    says: [/input/, /arguments|takes id/],
    taken: about,
  },
  {
    what: 'arguments as a list',
    send: calling({ action: 'SVC_Content.get', arguments: ['/about'] }),
    says: [/arguments/, /object/],
  },
  {
    what: 'arguments that are null',
    send: calling({ action: 'SVC_API.welcome', arguments: null }),
    says: [/arguments/],
    taken: /"site"/,
  },
  { what: 'no action', send: calling({ arguments: { id: '/about' } }), says: [/action/] },
  {
    what: 'dry_run among the arguments',
    send: mcp('SVC_Content.update', { id: '/about', title: 'Trial', dry_run: true }),
    says: [/dry_run/, /beside|option/],
    taken: /"diff"/,
  },
  {
    what: 'dry_run as text',
    send: calling({ action: 'SVC_Content.update', arguments: { id: '/about', title: 'Trial' }, dry_run: 'true' }),
    says: [/dry_run/, /true or false|boolean/],
    taken: /"diff"/,
  },
  {
    what: 'if_revision as text',
    send: calling({ action: 'SVC_Content.update', arguments: { id: '/about', excerpt: 'A' }, if_revision: '999' }),
    says: [/no revision 999 yet|number/],
  },
  {
    what: 'select as text',
    send: calling({ action: 'SVC_Content.get', arguments: { id: '/about' }, select: 'title' }),
    says: [/select/, /list/],
    taken: /"title":"About"/,
  },
  {
    what: 'select of a field that there is none',
    send: calling({ action: 'SVC_Content.list', arguments: {}, select: ['headline'] }),
    says: [/headline/, /title/],
  },
  {
    what: 'arguments in both places, on /api/',
    send: api({ action: 'SVC_Content.get', id: '/about', arguments: { format: 'text' } }),
    says: [/arguments/, /beside|both|either/],
  },
  {
    what: 'a limit as text',
    send: mcp('SVC_Content.list', { limit: '5' }),
    says: [/limit/, /number/],
    taken: /"items"/,
  },
  {
    what: 'a limit as text, on /api/',
    send: api({ action: 'SVC_Content.list', limit: '5' }),
    says: [/limit/, /number/],
    taken: /"items"/,
  },
  {
    what: 'a boolean as text',
    send: mcp('SVC_Content.list', { count: 'true' }),
    says: [/count/, /true or false/],
    taken: /"total"/,
  },
  {
    what: 'a boolean as 1',
    send: mcp('SVC_Content.list', { count: 1 }),
    says: [/count/, /true or false/],
    taken: /"total"/,
  },
  {
    what: 'fields as JSON in a string',
    send: mcp('SVC_Content.create', { type: 'concert', title: 'Fields as text', fields: '{"seats": 5}' }),
    says: [/fields/, /object/],
    taken: /"title":"Fields as text"/,
  },
  {
    what: 'a number of a field as text',
    send: mcp('SVC_Content.create', { type: 'concert', title: 'A number as text', fields: { seats: '5' } }),
    says: [/seats/, /number/],
    taken: /"title":"A number as text"/,
  },
  {
    what: 'where as JSON in a string',
    send: mcp('SVC_Content.list', { where: '{"status": "draft"}' }),
    says: [/where/, /object/],
    taken: /"items"/,
  },
  {
    what: 'a list as JSON in a string',
    send: mcp('SVC_Content.create', { type: 'post', title: 'Terms as text', terms: '["category/news"]' }),
    says: [/terms/, /list/, /\[\\"category\/news\\"\]/],
    taken: /"title":"Terms as text"/,
  },
  {
    what: 'one term instead of a list',
    send: mcp('SVC_Content.create', { type: 'post', title: 'One term', terms: 'category/news' }),
    says: [/terms/, /list/, /\[\\"category\/news\\"\]/],
    taken: /"title":"One term"/,
  },
  {
    what: 'edits as one object',
    send: mcp('SVC_Content.edit', { id: '/team', edits: { find: 'Ann', replace: 'Anna' } }),
    says: [/edits/, /list/, /: \[\{\\"find/],
    taken: /"changed":\["body"\]/,
  },
  {
    what: 'ids as text with commas',
    send: calling({ action: 'SVC_Content.delete', arguments: { ids: '/about,/team' }, dry_run: true }),
    says: [/ids/, /\[\\"\/about\\",\\"\/team\\"\]/],
    taken: /"done"/,
  },
  {
    what: 'null for a required field',
    send: mcp('SVC_Content.create', { type: 'page', title: null }),
    says: [/title/, /text|missing|null/],
  },
  {
    what: 'a number for a title',
    send: mcp('SVC_Content.create', { type: 'page', title: 2027 }),
    says: [/title/, /text/],
    taken: /"title":"2027"/,
  },
  {
    what: 'a batch of bare names',
    send: mcp('SVC_API.batch', { calls: ['SVC_API.welcome'] }),
    says: [/calls/, /\{\\"action\\":\\"SVC_API.welcome\\"\}/],
  },
  {
    what: 'a batch whose calls have tools for names',
    send: mcp('SVC_API.batch', { calls: [{ name: 'SVC_API.welcome' }] }),
    says: [/name/, /action/],
  },
  { what: 'a description of nothing', send: tool('SVC_API__describe-action', {}), says: [/action/, /missing|SVC_/] },
  {
    what: 'a description by `name`',
    send: tool('SVC_API__describe-action', { name: 'SVC_Content.get' }),
    says: [/name/, /action/],
    taken: /"input"/,
  },
  {
    what: 'a description of an action of another system',
    send: tool('SVC_API__describe-action', { action: 'SVC_Posts.create' }),
    says: [/SVC_Content\.create/],
  },
  {
    what: 'a list of actions by `query`',
    send: tool('SVC_API__list-actions', { query: 'menu' }),
    says: [/query/, /mean \\"search/],
    taken: /SVC_Menus/,
  },
  {
    what: 'a class without its prefix in a list of actions',
    send: tool('SVC_API__list-actions', { class: 'Menus' }),
    says: [/SVC_Menus/],
    taken: /SVC_Menus/,
  },
  {
    what: 'a search for actions that finds none',
    send: tool('SVC_API__list-actions', { search: 'colour scheme' }),
    says: [/SVC_Themes/],
    taken: /SVC_Themes/,
  },
  {
    what: 'a method of MCP that there is none',
    send: rpc('tools/run', {}),
    says: [/tools\/run|Method/, /not found|unknown|There is no/i],
  },
]
