// Site Settings: the table of settings as one form. The table defines the valid values; this page only shows and sends them.

import { content } from '../../actions/content/index.ts'
import { settings } from '../../actions/settings/index.ts'
import { usualType } from '../../content/types/entry-types.ts'
import { html, type Html, type HtmlValue } from '../../doors/shared/html.ts'
import type { Failure } from '../../base/failure.ts'
import type { Reply } from '../../http/reply.ts'
import { definitionOf, type SettingKey, settingKeys, type SettingKind } from '../../settings/definitions.ts'
import { goDone } from '../parts/done-notice.ts'
import { areaField, type Choice, type Field, selectField, textField } from '../parts/fields.ts'
import { languageChoices } from '../content/language-names.ts'
import { type Fields } from '../form.ts'
import { mayRun } from '../navigation.ts'
import { notYours, run } from '../page.ts'
import { adminPaths, linkTo } from '../paths.ts'
import { type PictureField, pictureFields } from '../parts/picture-field.ts'
import { addedTo, listField } from './setting-lists.ts'
import { pageHead, tabs } from '../parts/table.ts'
import { exactTime } from '../parts/time.ts'
import {
  pageOfSetting,
  partOfSetting,
  settingChoices,
  type SettingPage,
  settingPageNamed,
  settingPages,
  type SettingPart,
} from './setting-words.ts'
import { pictureScript, unsavedScript } from '../script.ts'
import { zones } from './zones.ts'
import type { SignedIn } from '../visit.ts'
import type { MessageKey, Words } from '../words.ts'
import { panel } from '../parts/panel.ts'
import { framedReply, type Refused } from '../framed-reply.ts'
import { formTaker, postForm, type Work } from '../parts/post-form.ts'

export function showSettings(visit: SignedIn): Promise<Reply> {
  if (!mayRun(visit, settings.update)) throw notYours(visit)
  return settingsReply(visit)
}

async function settingsReply(visit: SignedIn, refused: Refused = {}): Promise<Reply> {
  const { request, site, t } = visit
  const [pages, picture] = await Promise.all([listPages(visit), pictureFields(visit)])
  const { fields, failure } = refused
  const keys = settingKeys(site.release)
  const at = keys.find((key) => failure?.detail.field === `set.${key}`)
  const shownPage = at === undefined ? pageIn(visit, fields) : pageOfSetting(at)
  const toField = (key: SettingKey) => fieldOf(visit, key, { pages, picture, fields, failure: key === at ? failure : undefined })
  const groupsOf = (parts: readonly SettingPart[]) => Promise.all(parts.map((part) => groupOf(t, part, keys, toField)))
  const columns = await Promise.all(settingPages[shownPage].map(groupsOf))
  const lead = t.rich('operations.settings_lead', {
    link: html`<a href="${linkTo(request, adminPaths.maintenance)}">${t('operations.maintenance')}</a>`,
  })
  const links = Object.entries(pageWords).map(([name, label]) => ({
    label: t(label),
    href: linkTo(request, pagePath(name as SettingPage)),
    current: name === shownPage,
  }))
  const body = html`${pageHead(t('operations.site_settings'), lead)} ${tabs(t('operations.site_settings'), links)}
  ${postForm(visit, {
    path: adminPaths.settings,
    hidden: { page: shownPage },
    purpose: 'settings',
    unsaved: true,
    className: 'setting-groups',
    body: html`${columns.map((groups) => html`<div>${groups}</div>`)}
      <p class="actions">
        <button class="primary">${t('operations.save')}</button>
        <span class="unsaved" role="status" hidden>${t('operations.unsaved')}</span>
      </p>`,
  })}`
  const title = `${t(pageWords[shownPage])} – ${t('operations.site_settings')}`
  return framedReply(visit, { title, kind: 'full', body, scripts: [pictureScript, unsavedScript] }, refused)
}

const pageWords: Readonly<Record<SettingPage, MessageKey>> = {
  site: 'operations.page_site',
  content: 'operations.page_content',
  comments: 'operations.page_comments',
  technical: 'operations.page_technical',
}

const pageIn = ({ request }: SignedIn, fields?: Fields): SettingPage =>
  settingPageNamed(fields?.get('page') ?? request.query.get('page'))

const pagePath = (page: SettingPage): string => `${adminPaths.settings}?page=${page}`

/** The address of the field of a setting. */
export const settingPath = (key: SettingKey): string => `${pagePath(pageOfSetting(key))}#f-${key}`

async function groupOf(
  t: Words,
  part: SettingPart,
  keys: readonly SettingKey[],
  toField: (key: SettingKey) => Promise<Html>,
): Promise<HtmlValue> {
  const own = keys.filter((key) => partOfSetting[key] === part)
  return own.length > 0 && panel(`g-${part}`, t(`operations.part_${part}`), await Promise.all(own.map(toField)))
}

interface Shown {
  readonly pages: readonly ShownPage[] | undefined
  readonly picture: PictureField
  readonly fields: Fields | undefined
  readonly failure: Failure | undefined
}

async function fieldOf(visit: SignedIn, key: SettingKey, { pages, picture, fields, failure }: Shown): Promise<Html> {
  const { t } = visit
  const { kind } = definitionOf(key)
  const help = t(`operations.${key}_help`)
  const expected = failure?.detail.expected
  const field: Field = {
    name: key,
    label: t(`operations.${key}`),
    value: fields ? typedIn(fields, key) : shown(visit, key),
    help:
      key === 'time_zone'
        ? t.rich('operations.now_is', { help, time: exactTime(visit, new Date(visit.now).toISOString()) })
        : help,
    fault:
      kind === 'picture' && failure
        ? t(pictureFaults[key] ?? 'operations.logo_fault')
        : typeof expected === 'string'
          ? t('operations.must_be', { expected: t.said(expected) })
          : failure && t.said(failure.message),
  }
  if (kind === 'picture') return picture(field)
  if (key === 'language') return selectField({ ...field, choices: languageChoices(t, field.value ?? '') })
  if (key === 'time_zone') return selectField({ ...field, groups: zones(field.value) })
  if (kind === 'entry' && pages) return selectField({ ...field, choices: pageChoices(t, key, pages, field.value ?? '') })
  if (kind === 'list') return listField(visit, key, field, shown(visit, key).split('\n').filter(Boolean))
  const few = settingChoices[key] ?? (kind === 'boolean' ? yesOrNo : undefined)
  if (!few) return controls[kind](field)
  return selectField({ ...field, choices: few.map((choice) => ({ ...choice, label: t(choice.label) })) })
}

/** The sentences about pictures that can't serve. */
const pictureFaults: Readonly<Partial<Record<SettingKey, MessageKey>>> = {
  logo: 'operations.logo_fault',
  logo_dark: 'operations.logo_fault',
  site_icon: 'operations.site_icon_fault',
  social_image: 'operations.social_image_fault',
}

/** The text of a field. A list has a value for each checkbox, and what is added. */
const typedIn = (fields: Fields, key: SettingKey): string =>
  definitionOf(key).kind === 'list'
    ? [...fields.all(key), ...fields.all(addedTo(key))]
        .flatMap((one) => one.split(/[\s,]+/))
        .filter((one) => one !== '')
        .join('\n')
    : fields.get(key)

const controls: Readonly<Record<Exclude<SettingKind, 'picture' | 'list'>, (field: Field) => Html>> = {
  text: textField,
  choice: textField,
  entry: (field) => textField({ ...field, placeholder: '/about' }),
  number: (field) => textField({ ...field, type: 'number' }),
  long_text: (field) => areaField({ ...field, rows: 2 }),
  boolean: textField,
}

interface ShownPage {
  readonly id: string
  readonly title: string
  readonly path: string | null
}

/** The words for no page, by setting. */
const noPage: Readonly<Partial<Record<SettingKey, MessageKey>>> = {
  home: 'operations.home_none',
  posts_page: 'operations.posts_page_none',
}

/** The most pages of a list to choose from. A site with more has a field for the path. */
const maxPages = 100

/** The published pages by title; undefined if there are too many. */
async function listPages(visit: SignedIn): Promise<readonly ShownPage[] | undefined> {
  const where = { type: usualType, status: 'published' as const }
  const asked = { where, sort: 'title', limit: maxPages } as const
  const { data } = await run(visit, content.list, asked, { select: ['id', 'title', 'path'] })
  return data && data.items.length < maxPages ? data.items : undefined
}

/** The stored value stays as it is, whether it is an id or a path. */
function pageChoices(t: Words, key: SettingKey, pages: readonly ShownPage[], value: string): readonly Choice[] {
  const isChosen = ({ id, path }: ShownPage): boolean => value === id || value === path
  const choices = pages.map((page) => ({ value: isChosen(page) ? value : page.id, label: `${page.title} (${page.path ?? ''})` }))
  const other = value === '' || pages.some(isChosen) ? [] : [{ value, label: value }]
  return [{ value: '', label: t(noPage[key] ?? 'operations.home_none') }, ...other, ...choices]
}

const yesOrNo = [
  { value: 'false', label: 'operations.no' },
  { value: 'true', label: 'operations.yes' },
] as const

function shown({ site }: SignedIn, key: SettingKey): string {
  const value: unknown = site.settings.values[key]
  return Array.isArray(value)
    ? value.join('\n')
    : typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
      ? String(value)
      : ''
}

const save: Work = async (visit, fields) => {
  if (!mayRun(visit, settings.update)) throw notYours(visit)
  const changed = settingKeys(visit.site.release).filter(
    (key) => fields.has(key) && typedIn(fields, key).trim() !== shown(visit, key),
  )
  if (changed.length === 0) return goDone(visit, pagePath(pageIn(visit, fields)), 'operations.done_saved')
  const set = Object.fromEntries(changed.map((key) => [key, valueOf(key, typedIn(fields, key).trim())]))
  const { failure } = await run(visit, settings.update, { set })
  return failure ?? goDone(visit, pagePath(pageIn(visit, fields)), 'operations.done_saved')
}

export const saveSettings = formTaker('settings', save, settingsReply)

/** Returns the value of a field for the action. An empty field restores the default. */
function valueOf(key: SettingKey, text: string): unknown {
  if (text === '') return null
  const { kind } = definitionOf(key)
  if (kind === 'number' && /^-?\d+$/.test(text)) return Number(text)
  if (kind === 'boolean' && (text === 'true' || text === 'false')) return text === 'true'
  return kind === 'list' ? text.split(/[\s,]+/) : text
}
