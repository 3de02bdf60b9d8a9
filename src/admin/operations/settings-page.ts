// Site Settings: the table of settings as one form. What a value may be is the table's to say; here it is only shown and sent.

import { settingsUpdate } from '../../actions/classes/svc-settings.ts'
import { html, type Html, type HtmlValue } from '../../doors/html.ts'
import type { Failure } from '../../failure.ts'
import type { Reply } from '../../http/reply.ts'
import { definitionOf, type SettingKey, settingGroups, settingKeys, type SettingKind } from '../../settings/definitions.ts'
import { formStatus, sentenceOf } from '../failure.ts'
import { areaField, type Choice, doneBox, faultBox, type Field, selectField, textField } from '../parts/fields.ts'
import { csrfField, type Fields, readFields } from '../form.ts'
import { framed } from '../layout.ts'
import { mayRun } from '../navigation.ts'
import { notYours, run } from '../page.ts'
import { adminPaths, linkTo } from '../paths.ts'
import { goTo, pageReply } from '../reply.ts'
import { shownTime } from '../parts/time.ts'
import type { SignedIn } from '../visit.ts'

const groupTitles: Readonly<Record<(typeof settingGroups)[number], string>> = {
  site: 'The site',
  reading: 'Reading',
  assistants: 'Assistants',
  security: 'Security',
}

/** Labels and help for people. Programs get the help of the table of settings. */
const words: Readonly<Record<SettingKey, { readonly label: string; readonly help: string }>> = {
  site_title: { label: 'Name', help: 'Shown at the top of every page.' },
  site_tagline: { label: 'Tagline', help: 'What the site is about, in a few words.' },
  language: { label: 'Language', help: 'The language you write in, such as en, de or pt-BR.' },
  languages: {
    label: 'Further languages',
    help: 'Such as de or pt-BR, one per line. Pages and posts of each are below its path, such as /de.',
  },
  time_zone: { label: 'Time Zone', help: 'Dates are shown in this time zone. A date without a zone is read in it.' },
  logo: { label: 'Logo', help: 'An image such as /media/logo.png, or its id. The icon of the site is made from it.' },
  home: { label: 'Home page', help: 'A page such as /about, or its id. Leave the field empty to show the latest posts.' },
  posts_page: {
    label: 'Page of all posts',
    help: 'A page such as /blog, or its id, at which all posts are listed. Leave the field empty to list them at /posts.',
  },
  posts_per_page: { label: 'Posts per page', help: 'In the list of posts.' },
  stage_edits: {
    label: 'Edits of published entries',
    help: 'Whether they are public at once, or wait until somebody publishes them.',
  },
  image_format: { label: 'Image format', help: 'webp, or avif for AVIF beside WebP: a sixth smaller, for twice the work.' },
  max_file_mib: { label: 'Largest upload in MiB', help: 'For video, sound and documents. Images have at most 64 MiB.' },
  instructions: {
    label: 'Instructions to assistants',
    help: 'Given to every app that connects: tone, habits, what not to change.',
  },
  cache_seconds: {
    label: 'Keep pages in front for (seconds)',
    help: 'How long nginx may answer with a page that it keeps. 0 keeps no page.',
  },
  allowed_sources: {
    label: 'Origins that pages may load from',
    help: 'One per line, such as https://maps.example.org. Scripts from there run in the pages of your site.',
  },
  mcp_origins: {
    label: 'Web origins that may call /mcp/',
    help: 'One per line, such as https://claude.ai. Leave the field empty to allow all https origins.',
  },
}

/** GET */
export function showSettings(visit: SignedIn): Reply {
  if (!mayRun(visit, settingsUpdate)) throw notYours()
  return settingsReply(visit)
}

function settingsReply(visit: SignedIn, fields?: Fields, failure?: Failure): Reply {
  const { request, site } = visit
  const keys = settingKeys(site.release)
  const at = keys.find((key) => failure?.detail.field === `set.${key}`)
  const groups = settingGroups.map((group) =>
    groupOf(visit, group, keys, (key) => fieldOf(visit, key, fields, key === at ? failure : undefined)),
  )
  const done = request.query.get('done') === 'saved' ? 'Saved.' : undefined
  const body = html`<h1>Site Settings</h1>
    <p class="lead">To close the site for a while, use <a href="${linkTo(request, adminPaths.maintenance)}">Maintenance</a>.</p>
    ${doneBox(done)} ${faultBox(failure && !at ? sentenceOf(failure) : undefined)}
    <form method="post" action="${linkTo(request, adminPaths.settings)}">
      ${csrfField(visit, 'settings')} ${groups}
      <p class="actions"><button class="primary">Save</button></p>
    </form>`
  return pageReply(visit, failure ? formStatus[failure.code] : 200, framed(visit, { title: 'Site Settings', body }))
}

function groupOf(
  visit: SignedIn,
  group: (typeof settingGroups)[number],
  keys: readonly SettingKey[],
  toField: (key: SettingKey) => Html,
): HtmlValue {
  const own = keys.filter((key) => definitionOf(key).group === group)
  return (
    own.length > 0 &&
    html`<section class="card" aria-labelledby="g-${group}">
      <h2 id="g-${group}">${groupTitles[group]}</h2>
      ${own.map(toField)}
    </section>`
  )
}

function fieldOf(visit: SignedIn, key: SettingKey, fields: Fields | undefined, failure: Failure | undefined): Html {
  const { kind } = definitionOf(key)
  const { label, help } = words[key]
  const expected = failure?.detail.expected
  const field: Field = {
    name: key,
    label,
    value: fields ? fields.get(key) : shown(visit, key),
    help: key === 'time_zone' ? html`${help} It is now ${shownTime(visit, new Date(visit.now).toISOString())}.` : help,
    fault: typeof expected === 'string' ? `It must be ${expected}.` : failure?.message,
  }
  return key === 'time_zone' ? selectField({ ...field, groups: zones(field.value) }) : controls[kind](field)
}

const controls: Readonly<Record<SettingKind, (field: Field) => Html>> = {
  text: textField,
  choice: textField,
  entry: (field) => textField({ ...field, placeholder: '/about' }),
  number: (field) => textField({ ...field, type: 'number' }),
  long_text: (field) => areaField({ ...field, rows: 6 }),
  boolean: (field) => selectField({ ...field, groups: new Map([['', yesOrNo]]) }),
  list: (field) => areaField({ ...field, rows: 3 }),
}

const yesOrNo: readonly Choice[] = [
  { value: 'false', label: 'Public at once' },
  { value: 'true', label: 'Wait for publish' },
]

function shown({ site }: SignedIn, key: SettingKey): string {
  const value: unknown = site.settings.values[key]
  return Array.isArray(value)
    ? value.join('\n')
    : typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
      ? String(value)
      : ''
}

/** All zones of this machine by their part of the world, UTC first. */
function zones(current = 'UTC'): ReadonlyMap<string, readonly Choice[]> {
  const names = new Set(['UTC', current, ...Intl.supportedValuesOf('timeZone')])
  const groups = new Map<string, Choice[]>()
  for (const name of names) {
    const [area = '', ...rest] = name.split('/')
    const group = rest.length > 0 ? area : ''
    const choice = { value: name, label: (rest.length > 0 ? rest.join('/') : name).replaceAll('_', ' ') }
    groups.set(group, [...(groups.get(group) ?? []), choice])
  }
  return groups
}

/** POST */
export async function saveSettings(visit: SignedIn): Promise<Reply> {
  const fields = await readFields(visit, 'settings')
  if (!mayRun(visit, settingsUpdate)) throw notYours()
  const changed = settingKeys(visit.site.release).filter((key) => fields.has(key) && fields.get(key).trim() !== shown(visit, key))
  if (changed.length === 0) return goTo(visit, `${adminPaths.settings}?done=saved`)
  const set = Object.fromEntries(changed.map((key) => [key, valueOf(key, fields.get(key).trim())]))
  const { failure } = await run(visit, settingsUpdate, { set })
  return failure ? settingsReply(visit, fields, failure) : goTo(visit, `${adminPaths.settings}?done=saved`)
}

/** The value of a field, as the action takes it. An empty field brings the default back. */
function valueOf(key: SettingKey, text: string): unknown {
  if (text === '') return null
  const { kind } = definitionOf(key)
  if (kind === 'number' && /^-?\d+$/.test(text)) return Number(text)
  if (kind === 'boolean' && (text === 'true' || text === 'false')) return text === 'true'
  return kind === 'list' ? text.split(/[\s,]+/) : text
}
