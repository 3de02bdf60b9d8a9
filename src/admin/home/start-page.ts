// The first hour, after the account: the name of the site, its kind, and its look. Each step saves at once, may be passed over, and
// can be gone back to.

import { settings } from '../../actions/settings/index.ts'
import { findExamples } from '../../actions/site/examples.ts'
import { siteActions } from '../../actions/site/index.ts'
import { themes } from '../../actions/themes/index.ts'
import { Failure } from '../../base/failure.ts'
import { type SiteKind, siteKinds } from '../../content/examples/example.ts'
import { html, raw, type Html } from '../../doors/shared/html.ts'
import type { Reply } from '../../http/reply.ts'
import { definitions } from '../../settings/definitions.ts'
import { isTimeZone } from '../../settings/time-zone.ts'
import { languageChoices } from '../content/language-names.ts'
import type { Fields } from '../form.ts'
import { framedReply, type Refused } from '../framed-reply.ts'
import { lookFrame } from '../appearance/look.ts'
import { themeWord } from '../appearance/theme-words.ts'
import { mayRun } from '../navigation.ts'
import { homeForPhoto, maxPictures, takePictures } from './first-pictures.ts'
import { withUpload } from '../operations/upload.ts'
import { zones } from '../operations/zones.ts'
import { get, notYours, run } from '../page.ts'
import { goDone } from '../parts/done-notice.ts'
import { fileField, radioField, selectField, textField } from '../parts/fields.ts'
import { faultsOf, formTaker, postForm, type Work } from '../parts/post-form.ts'
import { pageHead } from '../parts/table.ts'
import { adminPaths, linkTo } from '../paths.ts'
import { goTo } from '../reply.ts'
import type { SignedIn } from '../visit.ts'
import type { MessageKey } from '../words.ts'

const steps = ['name', 'kind', 'look'] as const
type Step = (typeof steps)[number]

const stepPath = (step: Step): string => `${adminPaths.start}?step=${step}`

const titles: Readonly<Record<Step, MessageKey>> = {
  name: 'home.start_name',
  kind: 'home.start_kind',
  look: 'home.start_look',
}

/** GET; `step` names the step. */
export async function showStart(visit: SignedIn): Promise<Reply> {
  if (!mayRun(visit, siteActions.begin)) throw notYours(visit)
  const asked = visit.request.query.get('step') ?? 'name'
  return stepReply(visit, steps.find((step) => step === asked) ?? 'name')
}

async function stepReply(visit: SignedIn, step: Step, refused: Refused = {}): Promise<Reply> {
  const { t } = visit
  const at = steps.indexOf(step)
  const back = steps[at - 1]
  const next = steps[at + 1]
  const body = html`${pageHead(t(titles[step]), t('home.start_step', { step: at + 1, of: steps.length }))}
    ${await forms[step](visit, refused)}
    <p class="start-ways">
      ${back && html`<a href="${linkTo(visit.request, stepPath(back))}">${t('home.start_back')}</a>`}
      ${next && html`<a href="${linkTo(visit.request, stepPath(next))}">${t('home.start_skip')}</a>`}
      <a href="${linkTo(visit.request, adminPaths.home)}">${t('home.start_later')}</a>
    </p>`
  return framedReply(visit, { title: t(titles[step]), body }, refused, { frames: step === 'look' })
}

const forms: Readonly<Record<Step, (visit: SignedIn, refused: Refused) => Html | Promise<Html>>> = {
  name: nameForm,
  kind: kindForm,
  look: lookForm,
}

const button = ({ t }: SignedIn, label: MessageKey = 'home.start_next'): Html =>
  html`<p class="actions"><button class="primary">${t(label)}</button></p>`

/** The time zone of most people who speak a language, for languages of one region. */
const usualZones: Readonly<Record<string, string>> = { de: 'Europe/Berlin' }

/** True as long as nobody has named the site. */
const isNew = ({ site }: SignedIn): boolean => site.settings.values.site_title === definitions.site_title.fallback

function nameForm(visit: SignedIn, { fields, failure }: Refused): Html {
  const { site, t } = visit
  const { values } = site.settings
  const faults = faultsOf(t, failure, ['set.site_title', 'set.site_tagline', 'set.language', 'set.time_zone'])
  const usual = isNew(visit)
    ? { language: t.language, time_zone: usualZones[t.language] ?? values.time_zone }
    : { language: values.language, time_zone: values.time_zone }
  return postForm(visit, {
    path: adminPaths.start,
    hidden: { do: 'name' },
    body: html`${textField({
        name: 'site_title',
        label: t('operations.site_title'),
        value: fields?.get('site_title') ?? (isNew(visit) ? '' : values.site_title),
        help: t('home.start_title_help'),
        required: true,
        autofocus: true,
        fault: faults.at('set.site_title'),
      })}
      ${textField({
        name: 'site_tagline',
        label: t('operations.site_tagline'),
        value: fields?.get('site_tagline') ?? values.site_tagline,
        help: t('operations.site_tagline_help'),
        fault: faults.at('set.site_tagline'),
      })}
      <div class="two" ${isNew(visit) && fields === undefined ? raw('data-own-zone') : ''}>
        ${selectField({
          name: 'language',
          label: t('operations.language'),
          value: fields?.get('language') ?? usual.language,
          choices: languageChoices(visit.t, usual.language),
          fault: faults.at('set.language'),
        })}
        ${selectField({
          name: 'time_zone',
          label: t('operations.time_zone'),
          value: fields?.get('time_zone') ?? usual.time_zone,
          groups: zones(usual.time_zone),
          fault: faults.at('set.time_zone'),
        })}
      </div>
      ${button(visit)}`,
  })
}

const saveName: Work = async (visit, fields) => {
  const { language } = visit.site.settings.values
  const zone = fields.get('time_zone')
  const set = {
    site_title: fields.get('site_title').trim(),
    site_tagline: fields.get('site_tagline').trim(),
    ...(fields.get('language') !== language && { language: fields.get('language') }),
    ...(isTimeZone(zone) && { time_zone: zone }),
  }
  if (set.site_title === '')
    return new Failure('invalid', visit.t('home.start_title_missing'), {
      field: 'set.site_title',
      expected: visit.t('home.start_title_help'),
    })
  const { failure } = await run(visit, settings.update, { set })
  return failure ?? goTo(visit, stepPath('kind'))
}

const kindWords: Readonly<Record<SiteKind | 'empty' | 'import', readonly [MessageKey, MessageKey]>> = {
  business: ['home.start_business', 'home.start_business_help'],
  blog: ['home.start_blog', 'home.start_blog_help'],
  manual: ['home.start_manual', 'home.start_manual_help'],
  import: ['home.start_import', 'home.start_import_help'],
  empty: ['home.start_empty', 'home.start_empty_help'],
}

function kindForm(visit: SignedIn, { fields, failure }: Refused): Html {
  const { t } = visit
  return postForm(visit, {
    path: adminPaths.start,
    hidden: { do: 'kind' },
    body: html`${radioField({
        name: 'kind',
        label: t('home.start_kind_label'),
        value: fields?.get('kind') ?? 'business',
        choices: Object.entries(kindWords).map(([value, [label, help]]) => ({ value, label: t(label), help: t(help) })),
        fault: faultsOf(t, failure, ['kind']).at('kind'),
      })}
      <p class="help">${t('home.start_kind_note')}</p>
      ${button(visit)}`,
  })
}

const saveKind: Work = async (visit, fields) => {
  const kind = siteKinds.find((one) => one === fields.get('kind'))
  if (kind === undefined) {
    const { unchanged } = await findExamples(visit.site.store.read)
    const { failure } = unchanged.length > 0 ? await run(visit, siteActions.removeExamples, {}) : {}
    return failure ?? goTo(visit, fields.get('kind') === 'import' ? adminPaths.import : stepPath('look'))
  }
  const { failure } = await run(visit, siteActions.begin, { kind })
  return failure ?? goTo(visit, stepPath('look'))
}

const accentPattern = /^#[0-9a-f]{6}$/i

async function lookForm(visit: SignedIn, { fields }: Refused): Promise<Html> {
  const { t } = visit
  const { items } = await get(visit, themes.list, {})
  const active = items.find((theme) => theme.active)?.id ?? items[0]?.id ?? ''
  const accent = await accentOf(visit, active)
  const one = ({ id, name, description }: (typeof items)[number]): Html =>
    html`<label class="card with-picture start-theme">
      ${lookFrame(visit, id, { name })}
      <span class="choice">
        <input type="radio" name="theme" value="${id}" ${(fields?.get('theme') ?? active) === id ? raw('checked') : ''} />
        <span><strong>${name}</strong> <small>${themeWord(t, description)}</small></span>
      </span>
    </label>`
  return postForm(visit, {
    path: `${adminPaths.start}?step=look`,
    multipart: true,
    hidden: { do: 'look', accent_before: accent },
    body: html`<fieldset class="start-themes">
        <legend>${t('home.start_theme')}</legend>
        ${items.map(one)}
      </fieldset>
      ${(await homeForPhoto(visit)) !== undefined && fileField({ name: 'photo', label: t('home.start_photo'), help: t('home.start_photo_help'), accept: 'image/*' })}
      <div class="two">
        ${fileField({ name: 'logo', label: t('operations.logo'), help: t('home.start_logo_help'), accept: 'image/*' })}
        ${
          accent !== undefined &&
          textField({
            name: 'accent',
            type: 'color',
            label: t('home.start_colour'),
            value: fields?.get('accent') ?? accent,
            help: t('home.start_colour_help'),
          })
        }
      </div>
      ${button(visit, 'home.start_finish')}`,
  })
}

/** The main colour of a theme; undefined if it has no such setting. */
async function accentOf({ site }: SignedIn, slug: string): Promise<string | undefined> {
  const value = (await site.themes.find(slug))?.settings['accent']
  return typeof value === 'string' && accentPattern.test(value) ? value.toLowerCase() : undefined
}

/** POST with the form of the last step, which has a file. */
function takeLook(visit: SignedIn): Promise<Reply> {
  return withUpload(
    visit,
    adminPaths.start,
    async ({ fields, files }) => {
      const failure = (await takePictures(visit, files)) ?? (await saveTheme(visit, fields))
      return failure ? stepReply(visit, 'look', { fields, failure }) : goDone(visit, adminPaths.home, 'home.done_started')
    },
    { maxFiles: maxPictures },
  )
}

async function saveTheme(visit: SignedIn, fields: Fields): Promise<Failure | undefined> {
  const id = fields.get('theme')
  const accent = fields.get('accent').toLowerCase()
  const isOther = accentPattern.test(accent) && accent !== fields.get('accent_before')
  if (isOther && (await accentOf(visit, id)) !== undefined) {
    const { failure } = await run(visit, themes.configure, { id, settings: { accent } })
    if (failure) return failure
  }
  const active = (await get(visit, themes.list, {})).items.find((theme) => theme.active)?.id
  return id === '' || id === active ? undefined : (await run(visit, themes.activate, { id })).failure
}

const works: Readonly<Record<'name' | 'kind', Work>> = { name: saveName, kind: saveKind }

const takeText = formTaker(adminPaths.start, works, (visit, refused) =>
  stepReply(visit, refused.fields.get('do') === 'kind' ? 'kind' : 'name', refused),
)

/** POST with the form of a step. */
export async function takeStart(visit: SignedIn): Promise<Reply> {
  if (!mayRun(visit, siteActions.begin)) throw notYours(visit)
  return visit.request.query.get('step') === 'look' ? takeLook(visit) : takeText(visit)
}
