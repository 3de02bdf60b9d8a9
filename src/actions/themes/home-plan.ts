// Plans the move of texts from the settings of a theme into the home page: what each home page's text becomes. Refuses where the
// move would lose something, or would pass over a rule of the owner.

import { basePathOf } from '../../base/config.ts'
import { Failure } from '../../base/failure.ts'
import { isPublic } from '../../content/entries/entry.ts'
import { branchOf, languageOf, languagePath, languagesOf } from '../../content/languages/languages.ts'
import { listPublishedGroup } from '../../content/languages/translations.ts'
import type { EntryRow } from '../../store/core/schema.ts'
import { translated } from '../../themes/engine/theme-words.ts'
import { namesRetired, retiredValues } from '../../themes/retired.ts'
import { retiredFiles } from '../../themes/shipped.ts'
import type { Theme } from '../../themes/theme.ts'
import type { Context } from '../call/action.ts'
import { homeTextsMarkdown, type HomeTexts, withHomeTexts } from './home-texts.ts'

export interface HomePlan {
  /** The ids of the settings to clear; empty if there is nothing to move. */
  readonly settings: readonly string[]
  /** The home pages, as they were read, each with its new text. */
  readonly pages: readonly { readonly entry: EntryRow; readonly body: string }[]
}

/** The shipped theme whose retired settings a theme has. */
export const shippedOf = ({ shipped, slug, base }: Pick<Theme, 'shipped' | 'slug' | 'base'>): string | undefined =>
  shipped ? slug : base

/** @throws Failure `refused`, with what stands in the way */
export async function planHome(context: Context, theme: Theme): Promise<HomePlan> {
  const shipped = shippedOf(theme)
  const settings = shipped === undefined ? [] : retiredValues(shipped, theme.chosen)
  if (shipped === undefined || settings.length === 0) return { settings: [], pages: [] }
  checkOwnFiles(theme, shipped)
  const pages: { entry: EntryRow; body: string }[] = []
  for (const entry of await listHomes(context)) {
    const texts = await textsOf(context, theme, entry)
    const body = withHomeTexts(entry.body, texts)
    await checkRendered(context, texts)
    pages.push({ entry, body })
  }
  return { settings, pages }
}

/** The rule of every refusal: the settings then keep their texts, and the theme shows them as before. */
const rule = 'the texts are moved whole or stay as they are'

/** Files of the owner may show the settings in their own way, or replace the templates that did. */
function checkOwnFiles({ slug, shipped, own }: Theme, base: string): void {
  if (shipped) return
  const replaces = [...(retiredFiles().get(base)?.keys() ?? [])].some((path) => path.endsWith('.liquid') && own.has(path))
  if (!replaces && !namesRetired(base, own)) return
  throw new Failure('refused', `The theme ${slug} has files of its own that show these texts.`, {
    rule,
    hint: 'SVC_Content.edit writes sections into the home page, and SVC_Themes.remove brings back the files of the base.',
  })
}

/** The home page of each language. */
async function listHomes({ site, db, now }: Context): Promise<readonly EntryRow[]> {
  const { values } = site.settings
  const home = values.home === null ? undefined : await site.entries.named(values.home)
  if (!home || !isPublic(home, now))
    throw new Failure('refused', 'The home page is the list of posts, so it has no text of its own.', {
      rule,
      hint: 'SVC_Settings.update {"set": {"home": "/welcome"}} makes a public page the home page.',
    })
  const languages = languagesOf(values)
  const group = await listPublishedGroup(db, home, languages, now)
  const homes = [home]
  for (const language of languages.further) {
    const member = group.find((one) => one.locale === language && isPublic(one, now))
    const row = member && (await site.entries.named(member.id))
    if (!row)
      throw new Failure('refused', `The home page has no public translation into the language ${language}.`, {
        rule,
        hint: 'SVC_Content.create with `translation_of` makes one.',
      })
    homes.push(row)
  }
  for (const entry of homes) checkWritable(entry, values.stage_edits)
  return homes
}

function checkWritable({ path, staged }: EntryRow, stageEdits: boolean): void {
  if (staged === 1)
    throw new Failure('refused', `Changes of ${path} wait to be published.`, {
      rule,
      hint: 'SVC_Content.publish or SVC_Content.discard ends the waiting.',
    })
  if (stageEdits)
    throw new Failure('refused', 'On this site, edits of published entries wait until a person publishes them.', {
      rule: 'setting stage_edits',
      hint: 'SVC_Settings.update {"set": {"stage_edits": false}} lets this edit through.',
    })
}

/** Refuses texts of which the page would leave something out, such as a link to an address that texts can't have. */
async function checkRendered({ site }: Context, texts: HomeTexts): Promise<void> {
  const { formulas } = site.settings.values
  const { html, removed, notices } = await site.renderer.render(homeTextsMarkdown(texts), { formulas })
  const links = linksOf(texts).filter((link) => link !== '').length
  // A heading has a link to itself.
  const isWhole = (html.match(/<a (?!href="#)/g) ?? []).length >= links && (!texts.hero?.image || html.includes('<img '))
  if (isWhole && removed.length + notices.length === 0) return
  throw new Failure('refused', 'One of these texts has an address that a page can’t have.', {
    rule,
    hint: 'SVC_Themes.get shows the settings; correct the addresses of links and of the picture there.',
  })
}

const linksOf = ({ hero, services }: HomeTexts): readonly string[] => [
  ...(hero && hero.button !== '' ? [hero.link] : []),
  ...services.map(({ link }) => link),
]

async function textsOf(context: Context, theme: Theme, entry: EntryRow): Promise<HomeTexts> {
  const { site } = context
  const { site_tagline: tagline } = site.settings.values
  const languages = languagesOf(site.settings.values)
  const valueOf = (id: string): string => String(theme.settings[id] ?? '').trim()
  const branch = branchOf(languages, entry.locale)
  const address = (id: string) => addressOf(context, valueOf(id), branch === null ? '/' : languagePath(branch))
  const services = await Promise.all(
    [1, 2, 3, 4, 5, 6].map(async (number) => ({
      title: valueOf(`service_${number}_title`),
      text: valueOf(`service_${number}_text`),
      link: await address(`service_${number}_link`),
    })),
  )
  const isOpened = ['hero_title', 'hero_text', 'hero_image'].some((id) => valueOf(id) !== '')
  const words = translated(theme.source.messages, languageOf(languages, entry.locale) || 'en', 'services', new Map())
  return {
    hero: isOpened
      ? {
          title: valueOf('hero_title') || entry.title,
          text: valueOf('hero_text') || tagline,
          image: await address('hero_image'),
          button: valueOf('hero_button'),
          link: await address('hero_link'),
        }
      : undefined,
    servicesTitle: valueOf('services_title') || words,
    // Without the first, the theme showed none.
    services: valueOf('service_1_title') === '' ? [] : services.filter(({ title }) => title !== ''),
  }
}

/**
 * Returns an address of a setting as a text of a home page needs it: a path of the site, or an address elsewhere. A text leads
 * `#contact` to one of its own headings, so a place of the theme needs the path before it.
 * @param home the path of the home page
 */
async function addressOf({ site, db }: Context, written: string, home: string): Promise<string> {
  if (written === '') return ''
  const base = basePathOf(site.config)
  if (/^[#?]/.test(written)) return `${base}${home}${written}`
  if (written.startsWith('//')) return `https:${written}`
  if (/^[a-z][a-z0-9+.-]*:/i.test(written)) return written
  const media = await db.selectFrom('media').select('path').where('id', '=', written).executeTakeFirst()
  const path = media?.path ?? (written.startsWith('/') ? written : `/${written}`)
  const [bare = ''] = path.split(/[?#]/, 1)
  // Texts know the paths of entries and of media; any other path needs that of the site before it.
  const isKnown = bare.startsWith('/media/') || (bare !== '/' && (await site.entries.named(bare)) !== undefined)
  return isKnown ? path : base + path
}
