import type { Action } from '../../actions.ts'

/** What every route says about itself. */
export interface RouteConfig {
  /** What the access hook asks for. */
  readonly action: Action
  /** Set for what browsers poll: an unchanged answer is a 304. */
  readonly polled?: boolean
}

/** Kept by `createApi` beside the route's own config. */
export interface RegisteredConfig extends RouteConfig {
  /** Set where a person opens a page: what is refused there is told in one, with the way to the sign-in. */
  readonly page?: { readonly signInUrl: string | null }
  readonly parameter?: string | null
  readonly followedBy?: string | null
}
