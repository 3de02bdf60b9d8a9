// The basis of every public page: the site, the requested address, and the theme if it is not the active one.

import type { Services } from '../../actions/call/services.ts'
import type { Request } from '../../http/request.ts'
import type { FormState } from './page-data/forms.ts'
import type { SignUpState } from './page-data/newsletter.ts'
import type { PostedComment } from '../comments/comments-data.ts'
import type { Theme } from '../../themes/theme.ts'

export interface Frame {
  readonly site: Services
  /** Origin and base path, without a slash at the end. All links within the site begin with it. */
  readonly origin: string
  /** The theme of a preview. A previewed page has no canonical address and is not cached. */
  readonly preview?: Theme | undefined
  /** The outcome of a visitor's post, on the page that answers it. */
  readonly posted?: PostedComment | undefined
  /** True to render in the thread for previews and checks, so that visitors don't wait. A preview of a theme always does. */
  readonly aside?: boolean
  /** The form that the page answers. Such a page is not kept. */
  readonly form?: FormState | undefined
  /** The outcome of a sign-up for the newsletter, in the same way. */
  readonly signUp?: SignUpState | undefined
  /** True in a frame of the admin, which says itself that this is a preview. */
  readonly framed?: boolean
}

export function frameOf(site: Services, request: Request | undefined): Frame {
  return { site, origin: request ? `${request.scheme}://${request.host}${request.basePath}` : 'http://localhost' }
}

/** The path of the site's root: `/`, or `/blog/` below a base path. */
export const rootPathOf = (origin: string): string => `${new URL(origin).pathname.replace(/\/$/, '')}/`
