// The words of pages that need no theme, in one place for translation.

export const words = {
  notFoundTitle: 'There is no such page',
  notFound: 'Nothing was found at',
  goneTitle: 'This page is gone',
  gone: 'It was removed for good.',
  toHome: 'Go to the home page',
  closedTitle: 'Back soon',
  closedUntil: 'Until',
} as const
