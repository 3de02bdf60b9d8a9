// The documents, named: what `SVC_Docs` reads and the admin's help shows. Their texts are built into the program.

import accounts from './accounts.md'
import actions from './actions.md'
import admin from './admin.md'
import backups from './backups.md'
import basicAuth from './basic-auth.md'
import cannotConnect from './cannot-connect.md'
import cloudflare from './cloudflare.md'
import commandLine from './command-line.md'
import connectingClients from './connecting-clients.md'
import files from './files.md'
import forms from './forms.md'
import languages from './languages.md'
import contentTypes from './content-types.md'
import comments from './comments.md'
import mail from './mail.md'
import markdown from './markdown.md'
import media from './media.md'
import mcpConnection from './mcp-connection.md'
import moving from './moving.md'
import newsletter from './newsletter.md'
import nginx from './nginx.md'
import oauth from './oauth.md'
import plugins from './plugins.md'
import publishing from './publishing.md'
import postgresql from './postgresql.md'
import releaseProfiles from './release-profiles.md'
import rest from './rest.md'
import search from './search.md'
import security from './security.md'
import settings from './settings.md'
import staging from './staging.md'
import severalMachines from './several-machines.md'
import severalProcesses from './several-processes.md'
import sizing from './sizing.md'
import statistics from './statistics.md'
import subdirectories from './subdirectories.md'
import themes from './themes.md'
import tokensAndTiers from './tokens-and-tiers.md'
import upgrades from './upgrades.md'
import webhooks from './webhooks.md'

/** A document: its identifier, its first heading, and the whole text in Markdown. */
export interface Doc {
  readonly doc: string
  readonly title: string
  readonly text: string
}

const document = (doc: string, text: string): Doc => ({ doc, title: /^# (.+)$/m.exec(text)?.[1] ?? doc, text })

export const documents: readonly Doc[] = [
  document('mcp-connection', mcpConnection),
  document('connecting-clients', connectingClients),
  document('cannot-connect', cannotConnect),
  document('oauth', oauth),
  document('admin', admin),
  document('rest', rest),
  document('command-line', commandLine),
  document('tokens-and-tiers', tokensAndTiers),
  document('security', security),
  document('accounts', accounts),
  document('actions', actions),
  document('content-types', contentTypes),
  document('staging', staging),
  document('markdown', markdown),
  document('search', search),
  document('files', files),
  document('languages', languages),
  document('publishing', publishing),
  document('media', media),
  document('themes', themes),
  document('plugins', plugins),
  document('webhooks', webhooks),
  document('comments', comments),
  document('mail', mail),
  document('forms', forms),
  document('newsletter', newsletter),
  document('statistics', statistics),
  document('settings', settings),
  document('postgresql', postgresql),
  document('moving', moving),
  document('backups', backups),
  document('upgrades', upgrades),
  document('sizing', sizing),
  document('several-processes', severalProcesses),
  document('several-machines', severalMachines),
  document('nginx', nginx),
  document('subdirectories', subdirectories),
  document('basic-auth', basicAuth),
  document('cloudflare', cloudflare),
  document('release-profiles', releaseProfiles),
]
