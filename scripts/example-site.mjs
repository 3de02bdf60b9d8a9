// Fills an empty site with an example: `node scripts/example-site.mjs BASE TOKEN`. README.md and src/docs/pictures/ have pictures
// of this site.

import sharp from 'sharp'

const [base, token] = process.argv.slice(2)
if (!base || !token) throw new Error('Usage: node scripts/example-site.mjs BASE TOKEN')

async function call(name, input = {}, as = token) {
  const [className, action] = name.split('.')
  const answer = await fetch(`${base}/api/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${as}` },
    body: JSON.stringify({ class: className, action, ...input }),
  })
  const { data, error } = await answer.json()
  if (error) throw new Error(`${name}: ${error.message}`)
  return data
}

/** Hills below a sky, in other colours and forms for each number. */
function landscape(number, width = 1600, height = 1000) {
  const hue = (number * 67 + 195) % 360
  const wave = (top, bend) =>
    `M0 ${height * top} C ${width * 0.25} ${height * (top - bend)}, ${width * 0.4} ${height * (top + bend)}, ${width * 0.6} ${height * (top - bend / 2)} S ${width * 0.9} ${height * (top - bend)}, ${width} ${height * (top + bend / 3)} V ${height} H 0 Z`
  const layers = [0.5, 0.6, 0.7, 0.82].map(
    (top, at) =>
      `<path d="${wave(top, 0.06 + ((number + at) % 4) * 0.03)}" fill="hsl(${hue + at * 9} ${28 + at * 6}% ${64 - at * 14}%)"/>`,
  )
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}"><defs><linearGradient id="sky" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="hsl(${hue + 25} 50% 70%)"/><stop offset="1" stop-color="hsl(${hue + 160} 60% 90%)"/></linearGradient></defs><rect width="100%" height="100%" fill="url(#sky)"/><circle cx="${width * (0.25 + (number % 4) * 0.16)}" cy="${height * 0.28}" r="${height * 0.07}" fill="hsl(45 95% 92%)"/>${layers.join('')}</svg>`
}

async function upload(filename, svg, alt, caption) {
  const jpeg = await sharp(Buffer.from(svg)).jpeg({ quality: 88 }).toBuffer()
  const { item } = await call('SVC_Media.upload', { filename, base64: jpeg.toString('base64'), alt, ...(caption && { caption }) })
  return item.id
}

const logo =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" width="64" height="64"><circle cx="32" cy="32" r="30" fill="#2f6f62"/><path d="M10 42 25 22l9 12 6-7 14 15" fill="none" stroke="#fff" stroke-width="4" stroke-linejoin="round" stroke-linecap="round"/></svg>'

const posts = [
  [
    'The bridge at Alma, one hundred years on',
    'history',
    '2026-11-14',
    'It was meant to last for thirty winters. Nobody told the bridge, and so it has carried hay carts, two armies and a circus, and now the school bus.',
  ],
  [
    'How we mapped every spring in the valley',
    'walks',
    '2026-11-06',
    'Two summers, four pairs of boots and one notebook that fell into the water. The map is done, and the springs turned out to be older than the road.',
  ],
  [
    'A quiet winter at the weather station',
    'weather',
    '2026-10-28',
    'We counted eleven days of snow where there used to be forty. The numbers are small, and the story that they tell is not.',
  ],
  [
    'Bees, the second year',
    'garden',
    '2026-10-12',
    'Last year we lost both hives. This year there are five, a freezer full of honey, and a neighbour who no longer crosses the road.',
  ],
  [
    'What the mill taught us about patience',
    'history',
    '2026-09-30',
    'The wheel turns four times a minute. Everything in the mill, and everybody who works there, keeps to that.',
  ],
  [
    'The long way round: a walk along the ridge',
    'walks',
    '2026-09-19',
    'Seventeen kilometres, three climbs and the best cheese sandwich in the district. Take the early bus and do not trust the blue signs.',
  ],
]
const text = (lead) => `${lead}

The river had risen in the night, and by the time we reached the old mill the lower path was gone. So we took the ridge, which nobody had walked since the summer, and followed the [stone markers](/walks) as far as they went.

## What we found

The first thing was the silence. The second was a wall, waist-high and perfectly straight, that appears on no map we know. It runs for about **four hundred metres** and ends in a heap of stones.

> [!TIP]
> Bring a torch. The tunnel below the saddle is dry but longer than it looks.

| Stretch | Distance | Time |
|-|-:|-:|
| Mill to the saddle | 4.2 km | 1 h 20 min |
| Saddle to the chapel | 6.1 km | 1 h 50 min |
| Chapel to the station | 3.4 km | 45 min |

### How to get there

1. Take the first bus to *Alma, bridge*.
2. Follow the river upstream as far as the weir.
3. Turn left at the chapel, and left again at the oak.

## What comes next

We will go back in spring with better boots and somebody who knows about walls. If that is you, [write to us](/contact).
`

await call('SVC_Settings.update', {
  set: {
    site_title: 'Notes from the Valley',
    site_tagline: 'Walking, weather and small machines, by a family of four.',
    posts_per_page: 6,
    site_address: 'The Old Mill\nMill Lane 4\n12345 Alma',
    social_links: ['https://mastodon.social/@valley', 'https://pixelfed.social/valley', 'https://youtube.com/@valley'],
  },
})
const [me] = (await call('SVC_Accounts.list')).items
await call('SVC_Accounts.update', {
  id: me.id,
  name: 'Ada Marlowe',
  slug: 'ada',
  public: true,
  bio: 'Ada keeps the weather station and the bees, and writes about both.',
})
const { item: mark } = await call('SVC_Media.upload', {
  filename: 'logo.svg',
  base64: Buffer.from(logo).toString('base64'),
  alt: '',
})
for (const name of ['History', 'Walks', 'Weather', 'Garden'])
  await call('SVC_Terms.create', { taxonomy: 'category', name, text: `All that we wrote about ${name.toLowerCase()}.` })
for (const [at, [title, category, date, lead]] of posts.entries()) {
  const cover = await upload(
    `valley-${at + 1}.jpg`,
    landscape(at),
    'Hills in the evening light',
    'The valley, seen from the ridge.',
  )
  await call('SVC_Content.create', {
    type: 'post',
    title,
    status: 'published',
    published_at: `${date}T08:00`,
    author: me.id,
    terms: [`category/${category}`],
    cover,
    excerpt: lead,
    body: text(lead),
  })
}
const page = (title, body, more = {}) => call('SVC_Content.create', { type: 'page', title, status: 'published', body, ...more })
await page('Walks', text('Twelve walks from our door, from half an hour to a whole day.'), { position: 1 })
for (const title of ['The mill path', 'The ridge', 'Round the lake'])
  await page(title, text(`${title}: a walk for an afternoon.`), { parent: '/walks' })
await page(
  'Services',
  'We repair small machines: clocks, pumps and weather stations.\n\n## Repairs\n\nBring it, or let us fetch it.',
  { position: 2 },
)
await page('About', 'We are four people, one dog and, lately, five hives. We moved here in 2011.', {
  position: 3,
  cover: await upload('family.jpg', landscape(9), 'The house below the hill'),
})
const kitchen = await upload('kitchen.jpg', landscape(5), 'The mill by the river')
const { path: kitchenPath } = (await call('SVC_Media.get', { id: kitchen })).item
await page(
  'Mill kitchen',
  `::: hero {image="${kitchenPath}" button="Reserve a table" href="/contact"}
## Slow food by the fast river

Twelve seats, one stove, and whatever the market had this morning.
:::

::: prices
## Menu of the day

| Saturday | |
| --- | ---: |
| Beetroot soup with horseradish | 6.50 |
| Trout from the weir, brown butter, potatoes | 18.90 |
| Plum dumplings with poppy seed | 7.80 |
:::

::: hours
## Open

| Day | Open |
| --- | --- |
| Friday | 17–22 |
| Saturday | 12–22 |
| Sunday | 12–18 |
:::
`,
  { position: 5 },
)
await page('Contact', 'Write to **post@valley.example**, or come by on a Saturday.', { position: 4 })
await call('SVC_Settings.update', { set: { logo: mark.id } })

// An assistant whose changes need approval: three proposals.
const { token: asking } = await call('SVC_Tokens.create', {
  name: 'Assistant',
  scope: 'content',
  limits: { ask: ['SVC_Content.edit', 'SVC_Content.update', 'SVC_Content.create'] },
})
await call('SVC_Content.edit', { id: '/services', edits: [{ find: 'clocks, pumps', replace: 'clocks, radios, pumps' }] }, asking)
await call('SVC_Content.update', { id: '/about', excerpt: 'Four people, one dog and five hives.' }, asking)
await call('SVC_Content.create', { type: 'post', title: 'Opening hours in winter', body: 'Saturdays from ten to two.' }, asking)
