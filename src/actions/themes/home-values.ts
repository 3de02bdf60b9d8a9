// Reads the texts of a front page from the settings of a theme, with the fallbacks and the addresses that its templates gave them.

import { basePathOf } from '../../base/config.ts'
import { branchOf, languageOf, languagePath, languagesOf } from '../../content/languages/languages.ts'
import type { EntryRow } from '../../store/core/schema.ts'
import { translated } from '../../themes/engine/theme-words.ts'
import type { Theme } from '../../themes/theme.ts'
import type { Context } from '../call/action.ts'
import type { HomeTexts } from './home-texts.ts'

/** The texts for a home page, with the words of its language where the owner has set none. */
export async function homeTextsOf(context: Context, theme: Theme, entry: EntryRow): Promise<HomeTexts> {
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
