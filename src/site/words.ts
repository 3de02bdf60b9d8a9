// The site's own words on its public pages, in one place for translation.

export const words = {
  skip: 'Skip to content',
  menu: 'Main menu',
  more: 'More',
  neighbours: 'Older and newer posts',
  older: 'Older posts',
  newer: 'Newer posts',
  empty: 'Nothing has been published yet.',
  notFoundTitle: 'There is no such page',
  notFound: 'Nothing was found at',
  goneTitle: 'This page is gone',
  gone: 'It was removed for good.',
  toHome: 'Go to the home page',
  closedTitle: 'Back soon',
  closedUntil: 'Until',
  search: 'Search',
  didYouMean: 'Did you mean',
  nothingFound: 'Nothing was found.',
  pagesOfResults: 'Pages of results',
  earlierResults: 'Earlier results',
  moreResults: 'More results',
} as const
