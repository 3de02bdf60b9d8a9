// An export of an old site as WordPress writes it, of any size.

const cdata = (text: string) => `<![CDATA[${text}]]>`

export interface OldItem {
  readonly id: number
  readonly type?: string
  readonly status?: string
  readonly title: string
  readonly slug: string
  readonly link?: string
  readonly body?: string
  readonly date?: string
  readonly parent?: number
  readonly password?: string
  readonly terms?: string
  readonly more?: string
}

export const oldUrl = 'https://old.example'

/** A post, a page or a file of the old site. */
export function oldItem({
  id,
  type = 'post',
  status = 'publish',
  title,
  slug,
  body = 'Text.',
  date = '2019-05-04 10:00:00',
  ...more
}: OldItem): string {
  return `<item><title>${title}</title><link>${oldUrl}${more.link ?? `/2019/05/${slug}/`}</link><dc:creator>anna</dc:creator>
<content:encoded>${cdata(body)}</content:encoded><excerpt:encoded>${cdata('')}</excerpt:encoded><wp:post_id>${id}</wp:post_id>
<wp:post_date>${date}</wp:post_date><wp:post_date_gmt>${date}</wp:post_date_gmt><wp:post_modified_gmt>2020-01-01 00:00:00</wp:post_modified_gmt>
<wp:post_name>${slug}</wp:post_name><wp:status>${status}</wp:status><wp:post_parent>${more.parent ?? 0}</wp:post_parent><wp:menu_order>0</wp:menu_order>
<wp:post_type>${type}</wp:post_type><wp:post_password>${more.password ?? ''}</wp:post_password>${more.terms ?? ''}${more.more ?? ''}</item>`
}

export const oldFile = (id: number, path: string): string =>
  oldItem({
    id,
    type: 'attachment',
    status: 'inherit',
    title: path,
    slug: `file-${id}`,
    more: `<wp:attachment_url>${oldUrl}/wp-content/uploads/${path}</wp:attachment_url>
<wp:postmeta><wp:meta_key>_wp_attached_file</wp:meta_key><wp:meta_value>${path}</wp:meta_value></wp:postmeta>`,
  })

/** A point of the main menu, which leads to an entry or to an address elsewhere. */
export const oldPoint = (id: number, order: number, target: number | string): string => {
  const meta = (name: string, value: string | number) =>
    `<wp:postmeta><wp:meta_key>_menu_item_${name}</wp:meta_key><wp:meta_value>${value}</wp:meta_value></wp:postmeta>`
  const leads =
    typeof target === 'number'
      ? meta('type', 'post_type') + meta('object_id', target)
      : meta('type', 'custom') + meta('url', target)
  return `<item><title>${typeof target === 'number' ? '' : 'Elsewhere'}</title><wp:post_id>${id}</wp:post_id><wp:menu_order>${order}</wp:menu_order>
<wp:post_type>nav_menu_item</wp:post_type><wp:status>publish</wp:status><category domain="nav_menu" nicename="main">Main</category>${meta('menu_item_parent', 0)}${leads}</item>`
}

/** The whole file. */
export const oldSite = (items: string, head = ''): string =>
  `<?xml version="1.0" encoding="UTF-8" ?>
<rss version="2.0" xmlns:excerpt="http://wordpress.org/export/1.2/excerpt/" xmlns:content="http://purl.org/rss/1.0/modules/content/"
 xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:wp="http://wordpress.org/export/1.2/"><channel><title>Old site</title>
<link>${oldUrl}</link><description>Fresh every day</description><language>en-US</language><wp:wxr_version>1.2</wp:wxr_version><wp:base_blog_url>${oldUrl}</wp:base_blog_url>
<wp:author><wp:author_id>3</wp:author_id><wp:author_login>anna</wp:author_login><wp:author_email>anna@old.example</wp:author_email>
<wp:author_display_name>Anna</wp:author_display_name></wp:author>
<wp:category><wp:term_id>5</wp:term_id><wp:category_nicename>bread</wp:category_nicename><wp:category_parent></wp:category_parent>
<wp:cat_name>Bread</wp:cat_name></wp:category>${head}${items}</channel></rss>`
