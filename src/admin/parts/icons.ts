// The icons of the navigation and of buttons: lines of 20 by 20 in the colour of the text. Screen readers skip them, so each icon
// is next to a text, or in a button with a label.

import { type Html, raw } from '../../doors/shared/html.ts'

const paths = {
  home: 'M3 9.5 10 4l7 5.5V16a1 1 0 0 1-1 1h-3.5v-5h-5v5H4a1 1 0 0 1-1-1z',
  content: 'M5 3h7l4 4v10H5zM12 3v4h4M8 11h5M8 14h5',
  media: 'M3 4h14v12H3zM3 13l4-4 4 4 2-2 4 4M13 8h.01',
  appearance:
    'M10 3a7 7 0 1 0 0 14c1.5 0 2-1 1.5-2-.6-1.3 0-2.5 1.5-2.5h2A2 2 0 0 0 17 10.5C17 6 14 3 10 3zM6.5 9h.01M9 6.5h.01M13 7h.01',
  activity: 'M2.5 10H6l2-6 4 12 2-6h3.5',
  statistics: 'M4 17v-6M10 17V3M16 17V8',
  connections: 'M8 12 12 8M9 6l1.5-1.5a3.5 3.5 0 0 1 5 5L14 11M11 14l-1.5 1.5a3.5 3.5 0 0 1-5-5L6 9',
  settings: 'M3 6h8M15 6h2M3 14h2M9 14h8M13 4v4M7 12v4',
  account: 'M10 10a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM4 17c.5-3.5 3-5 6-5s5.5 1.5 6 5',
  search: 'M9 15A6 6 0 1 0 9 3a6 6 0 0 0 0 12zM13.5 13.5 17 17',
  menu: 'M3 5h14M3 10h14M3 15h14',
  view: 'M8 4H4v12h12v-4M11 3h6v6M17 3l-8 8',
  signOut: 'M8 4H4v12h4M12 6l4 4-4 4M16 10H8',
  up: 'M10 16V4M5 9l5-5 5 5',
  down: 'M10 4v12M5 11l5 5 5-5',
  left: 'M16 10H4M9 5l-5 5 5 5',
  right: 'M4 10h12M11 5l5 5-5 5',
} as const satisfies Readonly<Record<string, string>>

export type IconName = keyof typeof paths

export const icon = (name: IconName): Html =>
  raw(
    `<svg class="icon" viewBox="0 0 20 20" width="20" height="20" fill="none" stroke="currentColor" stroke-width="1.5" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true" focusable="false"><path d="${paths[name]}"/></svg>`,
  )
