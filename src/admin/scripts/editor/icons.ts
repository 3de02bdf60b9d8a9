// The icons of the editor's tools, in the style of the other pages: lines of 20 by 20 in the colour of the text.

const icons: ReadonlyMap<string, string> = new Map([
  ['list', 'M8 5h9M8 10h9M8 15h9M4 5h.01M4 10h.01M4 15h.01'],
  ['numbered', 'M9 5h8M9 10h8M9 15h8M3 4l1.5-1v5M3 12c0-1.5 2.5-1.5 2.5 0 0 1-2.5 2.5-2.5 4h2.5'],
  ['link', 'M8 12 12 8M9 6l1.5-1.5a3.5 3.5 0 0 1 5 5L14 11M11 14l-1.5 1.5a3.5 3.5 0 0 1-5-5L6 9'],
  ['undo', 'M7 5 3 9l4 4M3 9h8a5 5 0 0 1 0 10H9'],
  ['redo', 'M13 5l4 4-4 4M17 9H9a5 5 0 0 0 0 10h2'],
  ['table', 'M3 4h14v12H3zM3 8h14M3 12h14M8 4v12M13 4v12'],
  ['code', 'M7 6 3 10l4 4M13 6l4 4-4 4'],
  ['video', 'M3 5h14v10H3zM8.5 8v4l3.5-2z'],
  ['note', 'M4 8l7 8M11 8l-7 8M14 4.5l1.5-1.5v5'],
  ['section', 'M3 4h14v5H3zM3 12h6v4H3zM11.5 12H17v4h-5.5z'],
  ['find', 'M9 15A6 6 0 1 0 9 3a6 6 0 0 0 0 12zM13.5 13.5 17 17'],
  ['source', 'M6 3h8v14H6zM8.5 7h3M8.5 10h3M8.5 13h3'],
  ['screen', 'M3 7V3h4M13 3h4v4M17 13v4h-4M7 17H3v-4'],
  ['camera', 'M2.5 6h3.5l1.5-2h5L14 6h3.5v10h-15zM10 13.5a3 3 0 1 0 0-6 3 3 0 0 0 0 6z'],
  ['gallery', 'M3 3h6v6H3zM11 3h6v6h-6zM3 11h6v6H3zM11 11h6v6h-6z'],
  ['edit', 'M4 16l1-4 8.5-8.5 3 3L8 15zM12 5l3 3'],
  ['copy', 'M7 7h10v10H7zM4 13H3V3h10v1'],
  ['bin', 'M3 6h14M8 6V3h4v3M5 6l1 11h8l1-11'],
  ['image', 'M3 4h14v12H3zM3 13l4-4 4 4 2-2 4 4M13 8h.01'],
])

/** The icon of this name. Any other sign is shown as a letter. */
export function drawn(sign: string): string | SVGSVGElement {
  const path = icons.get(sign)
  if (path === undefined) return sign
  const space = 'http://www.w3.org/2000/svg'
  const made = document.createElementNS(space, 'svg')
  const line = document.createElementNS(space, 'path')
  line.setAttribute('d', path)
  made.append(line)
  const attributes = { class: 'icon', viewBox: '0 0 20 20', width: '18', height: '18', fill: 'none', stroke: 'currentColor' }
  for (const [name, value] of Object.entries({ ...attributes, 'stroke-width': '1.5', 'aria-hidden': 'true' }))
    made.setAttribute(name, value)
  made.setAttribute('stroke-linecap', 'round')
  return made
}
