// Actions are reached in one way: by the object of their class, such as `menus.create`, whose members are called as the actions are.

import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { test } from 'node:test'
import { callName } from '../../src/actions/call/action.ts'
import { accounts } from '../../src/actions/accounts/index.ts'
import { activity } from '../../src/actions/activity/index.ts'
import { apps } from '../../src/actions/apps/index.ts'
import { backups } from '../../src/actions/backup/index.ts'
import { commentActions } from '../../src/actions/comments/index.ts'
import { content } from '../../src/actions/content/index.ts'
import { docs } from '../../src/actions/docs/index.ts'
import { health } from '../../src/actions/health/index.ts'
import { jobs } from '../../src/actions/jobs/index.ts'
import { logs } from '../../src/actions/logs/index.ts'
import { media } from '../../src/actions/media/index.ts'
import { menus } from '../../src/actions/menus/index.ts'
import { plugins } from '../../src/actions/plugins/index.ts'
import { proposals } from '../../src/actions/proposals/index.ts'
import { redirects } from '../../src/actions/redirects/index.ts'
import { search } from '../../src/actions/search/index.ts'
import { settings } from '../../src/actions/settings/index.ts'
import { siteActions } from '../../src/actions/site/index.ts'
import { skills } from '../../src/actions/skills/index.ts'
import { stats } from '../../src/actions/stats/index.ts'
import { terms } from '../../src/actions/terms/index.ts'
import { themes } from '../../src/actions/themes/index.ts'
import { tokens } from '../../src/actions/tokens/index.ts'
import { types } from '../../src/actions/types/index.ts'
import { forms } from '../../src/actions/forms/index.ts'
import { subscribers } from '../../src/actions/subscribers/index.ts'
import { mailActions } from '../../src/actions/mail/index.ts'
import { webhooks } from '../../src/actions/webhooks/index.ts'
import { root } from '../site.ts'

const handles = { accounts, activity, apps, backups, content, docs, health, jobs, logs, media, menus, plugins, proposals }
const more = {
  redirects,
  search,
  settings,
  site: siteActions,
  skills,
  stats,
  terms,
  themes,
  tokens,
  types,
  webhooks,
  forms,
  subscribers,
  mailActions,
  commentActions,
}

const classes = join('src', 'actions')
const isAction = /^export const (\w+) = (?:a|listA)ction\(/gm

const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => ({ name: join('src', name), text: readFileSync(join(root, 'src', name), 'utf8') }))

const actionsIn = new Map(
  files.map(({ name, text }) => [name, [...text.matchAll(isAction)].map(([, declared = '']) => declared)]),
)

test('a member of a class is called as its action is', () => {
  for (const [name, members] of Object.entries({ ...handles, ...more }))
    for (const [member, action] of Object.entries(members)) {
      const camel = action.name.replace(/-(\w)/g, (_all: string, letter: string) => letter.toUpperCase())
      assert.equal(member, camel, `${name}.${member} is ${callName(action)}`)
    }
})

test('outside of the classes, an action is taken from the object of its class', () => {
  const direct = files
    .filter(({ name }) => !name.startsWith(classes))
    .flatMap(({ name, text }) =>
      [...text.matchAll(/import (?:type )?\{([^}]*)\} from '([^']*\/actions\/[^']+)'/g)].flatMap(([, names = '', path = '']) => {
        const target = relative(root, join(root, dirname(name), path))
        const actions = actionsIn.get(target) ?? []
        const imported = names.split(',').map(
          (one) =>
            one
              .trim()
              .replace(/^type /, '')
              .split(' as ')[0] ?? '',
        )
        return imported.filter((one) => actions.includes(one) && !target.endsWith('/batch.ts')).map((one) => `${name}: ${one}`)
      }),
    )
  assert.deepEqual(direct, [])
})
