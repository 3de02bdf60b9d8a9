// The calls that fill a site as one that is in use is filled, for tests of what carries all of it.

/** Comments and members of an old site, as an export of this site gives them back: of an entry, of none, and below another. */
const keptComment = { site: 'old.example', name: 'Bo', posted_at: '2019-05-05T10:00:00Z', approved: true, html: '<p>Good</p>' }
const keptPeople = {
  comments: [
    { ...keptComment, old: '1', entry: '/boat/white-gull', email: 'bo@example.org', website: 'https://bo.example.org/' },
    { ...keptComment, old: '2', parent: '1', approved: false },
  ],
  members: [
    { site: 'old.example', old: '1', email: 'jo@example.org', name: 'Jo', joined_at: '2020-01-02T03:04:05Z', subscribed: true },
    { site: 'old.example', old: '2', email: 'al@example.org', subscribed: false },
  ],
}

const drawing = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><circle r="4"/></svg>'

/** Calls of which each fills a table that no other fills, as a site that is in use has them. */
export const fullSite: readonly (readonly [call: string, input: Record<string, unknown>])[] = [
  ['SVC_Settings.update', { set: { languages: ['de'], site_title: 'Full' } }],
  ['SVC_Types.create', { slug: 'boat', name: 'Boat', fields: [{ name: 'price', kind: 'number', filter: true }] }],
  ['SVC_Terms.save-taxonomy', { slug: 'region', name: 'Regions' }],
  ['SVC_Terms.create', { taxonomy: 'category', name: 'News' }],
  ['SVC_Terms.create', { taxonomy: 'category', name: 'Local', parent: 'category/news' }],
  ['SVC_Media.upload', { text: drawing, filename: 'old-logo.svg', alt: 'A mark' }],
  ['SVC_Media.update', { id: '/media/old-logo.svg', filename: 'logo.svg' }],
  ['SVC_Media.begin-upload', { filename: 'next.svg', bytes: 100 }],
  [
    'SVC_Content.create',
    {
      type: 'boat',
      title: 'Gull',
      status: 'published',
      body: '![](/media/logo.svg)',
      cover: '/media/logo.svg',
      fields: { price: 2.5 },
      terms: ['category/local'],
    },
  ],
  ['SVC_Content.create', { type: 'boat', title: 'Taube', locale: 'de', translation_of: '/boat/gull', status: 'published' }],
  ['SVC_Content.update', { id: '/boat/gull', slug: 'white-gull' }],
  ['SVC_Content.update', { id: '/boat/white-gull', title: 'Waiting', fields: { price: 3 }, stage: true }],
  ['SVC_Content.preview', { type: 'page', title: 'Only a preview' }],
  ['SVC_Menus.create', { slug: 'main', items: [{ entry: '/boat/white-gull' }, { term: 'category/news' }] }],
  ['SVC_Redirects.create', { from: '/old-boats', to: '/boat/white-gull' }],
  ['SVC_Redirects.put-old', { rows: [{ site: 'https://old.example.org', kind: 'item', old: '12', to: '/boat/white-gull' }] }],
  ['SVC_Import.put-people', keptPeople],
  ['SVC_Forms.create', { slug: 'contact', name: 'Contact', fields: [{ name: 'message', label: 'Message', kind: 'lines' }] }],
  ['SVC_Forms.submit', { id: 'contact', values: { message: 'Do you have rye bread?' } }],
  ['SVC_Themes.create', { slug: 'mine', from: 'default' }],
  ['SVC_Site.put-file', { name: 'ads.txt', text: 'example.com, 1, DIRECT' }],
  ['SVC_Skills.put', { slug: 'style', when: 'Before writing', text: 'Be kind.' }],
  [
    'SVC_Proposals.create',
    { title: 'Later', calls: [{ action: 'SVC_Content.create', arguments: { type: 'page', title: 'Later' } }] },
  ],
  ['SVC_Content.create', { type: 'page', title: 'Once', idempotency_key: 'once' }],
]
