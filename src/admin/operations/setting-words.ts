// What the settings are called on their page, and the part of the page that each stands in. Programs get the help of the table of settings.

import type { SettingKey } from '../../settings/definitions.ts'
import type { Choice } from '../parts/fields.ts'

/** The parts of the page, in order. */
export const settingParts = ['The site', 'Languages', 'Reading', 'Writing', 'Media', 'Assistants', 'Security'] as const
export type SettingPart = (typeof settingParts)[number]

interface SettingWords {
  readonly part: SettingPart
  readonly label: string
  readonly help: string
  /** The values to choose from, where these are few. */
  readonly choices?: readonly Choice[]
}

export const settingWords: Readonly<Record<SettingKey, SettingWords>> = {
  site_title: { part: 'The site', label: 'Name', help: 'Shown at the top of every page.' },
  site_tagline: { part: 'The site', label: 'Tagline', help: 'What the site is about, in a few words.' },
  language: { part: 'Languages', label: 'Language', help: 'The language you write in, such as en, de or pt-BR.' },
  languages: {
    part: 'Languages',
    label: 'Further languages',
    help: 'Such as de or pt-BR, one per line. Pages and posts of each are below its path, such as /de.',
  },
  time_zone: {
    part: 'The site',
    label: 'Time Zone',
    help: 'Dates are shown in this time zone. A date without a zone is read in it.',
  },
  logo: {
    part: 'The site',
    label: 'Logo',
    help: 'An image such as /media/logo.png, or its id. The icon of the site is made from it.',
  },
  home: {
    part: 'Reading',
    label: 'Home page',
    help: 'A page such as /about, or its id. Leave the field empty to show the latest posts.',
  },
  posts_page: {
    part: 'Reading',
    label: 'Page of all posts',
    help: 'A page such as /blog, or its id, at which all posts are listed. Leave the field empty to list them at /posts.',
  },
  posts_per_page: { part: 'Reading', label: 'Posts per page', help: 'In the list of posts.' },
  stage_edits: {
    part: 'Writing',
    label: 'Edits of published entries',
    help: 'Whether they are public at once, or wait until somebody publishes them.',
    choices: [
      { value: 'false', label: 'Public at once' },
      { value: 'true', label: 'Wait for publish' },
    ],
  },
  image_format: {
    part: 'Media',
    label: 'Image format',
    help: 'AVIF is about a sixth smaller, and takes twice the work.',
    choices: [
      { value: 'webp', label: 'WebP' },
      { value: 'avif', label: 'AVIF, with WebP beside it' },
    ],
  },
  max_file_mib: {
    part: 'Media',
    label: 'Largest upload in MiB',
    help: 'For video, sound and documents. Images have at most 64 MiB.',
  },
  instructions: {
    part: 'Assistants',
    label: 'Instructions to assistants',
    help: 'Given to every app that connects: tone, habits, what not to change.',
  },
  cache_seconds: {
    part: 'Reading',
    label: 'Keep pages in front for (seconds)',
    help: 'How long nginx may answer with a page that it keeps. 0 keeps no page.',
  },
  allowed_sources: {
    part: 'Security',
    label: 'Origins that pages may load from',
    help: 'One per line, such as https://maps.example.org. Scripts from there run in the pages of your site.',
  },
  mcp_origins: {
    part: 'Security',
    label: 'Web origins that may call /mcp/',
    help: 'One per line, such as https://claude.ai. Leave the field empty to allow all https origins.',
  },
}
