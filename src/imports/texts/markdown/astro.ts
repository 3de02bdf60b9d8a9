// Astro: imports of `.mdx` are left out, and components are listed.

import type { Dialect } from './dialect.ts'
import { tagValues } from './template-tags.ts'
import { vimeoPage, youtubePage } from './video-pages.ts'

const videos: Readonly<Record<string, (id: string) => string | undefined>> = {
  YouTube: (id) => youtubePage(/(?:v=|youtu\.be\/|embed\/)([\w-]{11})/.exec(id)?.[1] ?? id),
  Vimeo: (id) => vimeoPage(/(\d{1,15})$/.exec(id)?.[1] ?? id),
}

export const astro: Dialect = {
  after: (text, { state }) =>
    text
      .split('\n')
      .filter((line) => !isModuleLine(line.trimEnd()))
      .join('\n')
      .replace(/\{\/\*[^*]{0,5000}\*\/\}/g, '')
      .replace(/<([A-Z][\w.]{0,60})(\s[^<>]{0,2000})?>/g, (whole, name: string, inner = '') => {
        const page = Object.hasOwn(videos, name) ? videos[name]?.(tagValues(String(inner)).get('id') ?? '') : undefined
        if (page === undefined)
          state.lose('component', `<${name}>`, 'A component stays as its source, of which a page shows the text within.')
        return page ?? whole
      }),
}

/** True for a line that imports a component, or exports a value. */
const isModuleLine = (line: string): boolean =>
  (/^import\s/.test(line) && /["'];?$/.test(line)) || /^export\s(?:const|let|default)\s/.test(line)
