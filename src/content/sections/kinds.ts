// The kinds of sections, one row each: what a page can be built of. The rows say which attributes a kind takes and which sections
// stand within it; `section-html.ts` makes their HTML.

import type { SectionAttribute, SectionAttributes } from './attributes.ts'

export interface SectionKind {
  /** The name for people. */
  readonly title: string
  /** One sentence. */
  readonly about: string
  readonly attributes: SectionAttributes
  /** The kind of the sections within it. Other kinds have only text within. */
  readonly items?: string
  /** The kinds that it stands within. A kind without them stands by itself. */
  readonly within?: readonly string[]
  /** A whole section in Markdown. */
  readonly example: string
}

const text = (about: string): SectionAttribute => ({ type: 'text', about })
const image: SectionAttribute = { type: 'image', about: 'Path of a picture in the media library.' }
const alt = text('Description of the picture; else that of the media library.')
const button = text('Words on a button.')
const href: SectionAttribute = { type: 'link', about: 'Where the button leads.' }
const columns = (usual: number): SectionAttribute => ({
  type: 'number',
  about: 'Columns on a wide screen.',
  from: 1,
  to: 4,
  usual,
})

export const sectionKinds = {
  hero: {
    title: 'Opening',
    about: 'A large picture or colour with a heading, a sentence and a button, for the top of a page.',
    attributes: {
      image,
      alt,
      button,
      href,
      align: { type: 'choice', about: 'Side of the words.', choices: ['start', 'center'] },
    },
    example:
      '::: hero {image="/media/bread.jpg" button="Order" href="/order"}\n## Bread from the corner\n\nBaked at four, sold at six.\n:::',
  },
  text: {
    title: 'Text with a picture',
    about: 'A text with a picture beside it.',
    attributes: { image, alt, button, href, side: { type: 'choice', about: 'Side of the picture.', choices: ['end', 'start'] } },
    example: '::: text {image="/media/oven.jpg" side="start"}\n## Our oven\n\nIt was built in 1912.\n:::',
  },
  cards: {
    title: 'Cards',
    about: 'Cards side by side, such as products or services.',
    attributes: { columns: columns(3) },
    items: 'card',
    example:
      '::: cards\n::: card {image="/media/rye.jpg" href="/rye" button="More"}\n### Rye\n\nDark and sour.\n:::\n::: card\n### Wheat\n\nLight.\n:::\n:::',
  },
  card: {
    title: 'Card',
    about: 'One of the cards.',
    attributes: { image, alt, button, href },
    within: ['cards', 'columns'],
    example: '::: card {image="/media/rye.jpg"}\n### Rye\n\nDark and sour.\n:::',
  },
  columns: {
    title: 'Columns',
    about: 'Texts side by side.',
    attributes: { columns: columns(2) },
    items: 'column',
    example: '::: columns\n::: column\nOn the left.\n:::\n::: column\nOn the right.\n:::\n:::',
  },
  column: {
    title: 'Column',
    about: 'One of the columns.',
    attributes: {},
    within: ['columns'],
    example: '::: column\nA text.\n:::',
  },
  gallery: {
    title: 'Gallery',
    about: 'Pictures in a grid. Each leads to its full size.',
    attributes: { columns: columns(3) },
    example: '::: gallery\n![The shop](/media/shop.jpg)\n\n![The oven](/media/oven.jpg)\n:::',
  },
  call: {
    title: 'Call to action',
    about: 'A box that asks visitors to do something.',
    attributes: { button, href },
    example: '::: call {button="Write to us" href="/contact"}\n## A cake for your party?\n:::',
  },
  quote: {
    title: 'Quotation',
    about: 'What somebody said, with a name.',
    attributes: { by: text('Who said it.'), role: text('What they are.'), image, alt },
    example: '::: quote {by="Anna Baker" role="Customer"}\nThe best rye in town.\n:::',
  },
  faq: {
    title: 'Questions and answers',
    about: 'Each heading is a question, which opens its answer at a click.',
    attributes: {},
    example: '::: faq\n### Do you deliver?\n\nWithin the town.\n\n### Is there parking?\n\nBehind the house.\n:::',
  },
  steps: {
    title: 'Steps',
    about: 'A numbered list as steps.',
    attributes: {},
    example: '::: steps\n1. Choose a cake.\n2. Call us.\n3. Fetch it on Saturday.\n:::',
  },
  prices: {
    title: 'Prices',
    about: 'A table or a list of prices.',
    attributes: {},
    example: '::: prices\n| Bread | Price |\n| --- | ---: |\n| Rye | 4.20 |\n| Wheat | 3.80 |\n:::',
  },
  hours: {
    title: 'Opening hours',
    about: 'A table or a list of opening hours.',
    attributes: {},
    example: '::: hours\n| Day | Open |\n| --- | --- |\n| Monday to Friday | 6–18 |\n| Saturday | 6–13 |\n:::',
  },
  map: {
    title: 'Map',
    about: 'A map of OpenStreetMap, which loads at a click, and words beside it.',
    attributes: { address: { type: 'link', about: 'Address of the map’s page.', required: true } },
    example:
      '::: map {address="https://www.openstreetmap.org/?mlat=51.752&mlon=-1.257#map=16/51.752/-1.257"}\n12 Mill Lane, Oxford\n:::',
  },
  people: {
    title: 'People',
    about: 'The people of a team.',
    attributes: { columns: columns(3) },
    items: 'person',
    example: '::: people\n::: person {name="Anna" role="Baker" image="/media/anna.jpg"}\nShe gets up at three.\n:::\n:::',
  },
  person: {
    title: 'Person',
    about: 'One of the people.',
    attributes: { name: text('The name.'), role: text('What they do.'), image, alt },
    within: ['people'],
    example: '::: person {name="Anna" role="Baker"}\nShe gets up at three.\n:::',
  },
  logos: {
    title: 'Logos',
    about: 'Small pictures in a row, such as those of partners.',
    attributes: {},
    example: '::: logos\n![Mill](/media/mill.png)\n\n![Market](/media/market.png)\n:::',
  },
  latest: {
    title: 'Entries',
    about: 'The newest entries of a type as cards, or those of a term.',
    attributes: {
      type: text('The type, such as post.'),
      term: text('Only entries of this term, such as category/news.'),
      limit: { type: 'number', about: 'How many.', from: 1, to: 24, usual: 3 },
      sort: text('A field to sort by, with - before it for the last first: -published_at, title, fields.starts.'),
      upcoming: text('A field with a date: entries whose day has passed are left out.'),
      columns: columns(3),
    },
    example: '::: latest {type="post" limit="3"}\n## News\n:::',
  },
  form: {
    title: 'Form',
    about: 'A form that visitors fill in, made under Forms.',
    attributes: { form: { type: 'text', about: 'Slug of the form, such as contact.', required: true } },
    example: '::: form {form="contact"}\n## Write to us\n:::',
  },
  newsletter: {
    title: 'Newsletter',
    about: 'A form with which visitors subscribe to the newsletter.',
    attributes: { agree: text('The sentence that they agree to, in place of the usual one.') },
    example: '::: newsletter\n## News by e-mail\n:::',
  },
  button: {
    title: 'Button',
    about: 'A button by itself. Its words are its text.',
    attributes: { href: { ...href, required: true } },
    example: '::: button {href="/order"}\nOrder\n:::',
  },
  embed: {
    title: 'Video or map',
    about: 'A video or map of another site, which loads at a click.',
    attributes: { address: { type: 'link', about: 'Address of its page.', required: true } },
    example: '::: embed {address="https://vimeo.com/76979871"}\n:::',
  },
} as const satisfies Readonly<Record<string, SectionKind>>

export type SectionName = keyof typeof sectionKinds

/** The row of a kind; undefined for another word. */
export const sectionKind = (name: string): SectionKind | undefined =>
  Object.hasOwn(sectionKinds, name) ? sectionKinds[name as SectionName] : undefined

/** The most sections of a text, and of sections within one. */
export const maxSections = 100
export const maxItems = 50
