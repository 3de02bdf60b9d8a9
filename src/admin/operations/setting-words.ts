// The part of the settings page for each setting, and the choices of some. The names and helps are messages with the key of the
// setting. The help in the table of settings is for programs.

import type { SettingKey } from '../../settings/definitions.ts'
import type { MessageKey } from '../words.ts'

/** The pages of settings, each with columns of parts. A wide screen shows a page in one view. */
export const settingPages = {
  site: [['site'], ['contact'], ['pictures']],
  content: [['languages'], ['reading'], ['writing']],
  comments: [['comments'], ['webmentions'], ['newsletter', 'statistics']],
  technical: [['media'], ['assistants'], ['security']],
} as const

export type SettingPage = keyof typeof settingPages
export type SettingPart = (typeof settingPages)[SettingPage][number][number]

const pageNames = Object.keys(settingPages) as SettingPage[]

/** Returns the page with this name; the first one for any other text. */
export const settingPageNamed = (text: string | null): SettingPage => pageNames.find((name) => name === text) ?? 'site'

/** Returns the page that has a setting. */
export const pageOfSetting = (key: SettingKey): SettingPage =>
  pageNames.find((name) => settingPages[name].some((parts: readonly SettingPart[]) => parts.includes(partOfSetting[key]))) ??
  'site'

/** The part of the page for each setting. */
export const partOfSetting: Readonly<Record<SettingKey, SettingPart>> = {
  site_title: 'site',
  site_tagline: 'site',
  site_address: 'contact',
  social_links: 'contact',
  language: 'site',
  languages: 'languages',
  time_zone: 'site',
  logo: 'pictures',
  logo_dark: 'pictures',
  site_icon: 'pictures',
  social_image: 'pictures',
  home: 'reading',
  posts_page: 'reading',
  posts_per_page: 'reading',
  stage_edits: 'writing',
  comments: 'comments',
  comments_trusted: 'comments',
  newsletter_types: 'newsletter',
  webmentions: 'webmentions',
  webmentions_send: 'webmentions',
  formulas: 'writing',
  image_format: 'media',
  max_file_mib: 'media',
  instructions: 'assistants',
  cache_seconds: 'security',
  statistics: 'statistics',
  statistics_obey_opt_out: 'statistics',
  allowed_sources: 'security',
  mcp_origins: 'security',
}

/** The values of settings with few of them. */
export const settingChoices: Readonly<
  Partial<Record<SettingKey, readonly { readonly value: string; readonly label: MessageKey }[]>>
> = {
  stage_edits: [
    { value: 'false', label: 'operations.stage_edits_off' },
    { value: 'true', label: 'operations.stage_edits_on' },
  ],
  statistics_obey_opt_out: [
    { value: 'true', label: 'operations.statistics_obeyed' },
    { value: 'false', label: 'operations.statistics_not_obeyed' },
  ],
  image_format: [
    { value: 'webp', label: 'operations.image_format_webp' },
    { value: 'avif', label: 'operations.image_format_avif' },
  ],
}
