import type { FastifyRequest } from 'fastify'
import type { Action } from '../../actions.ts'

/** What every route declares. */
export interface RouteConfig {
  /** The action that the access hook checks. */
  readonly action: Action
  /** Set for polled responses: an unchanged one is answered with 304. */
  readonly polled?: boolean
  /** Whether a request changes anything: a dry run is not recorded and needs no reason. The body may not have been validated. */
  readonly changes?: (request: FastifyRequest) => boolean
  /** The route says what is allowed with `task_name`, so anyone who may call it may name any task. */
  readonly tellsAboutTask?: boolean
  /** What a write is about to change, for the audit log; null if there is nothing. If it rejects, nothing is changed. */
  readonly before?: (request: FastifyRequest) => Promise<object | null>
}

/** Added by `createApi` to the route's own config. */
export interface RegisteredConfig extends RouteConfig {
  /** Set for pages that a person opens: a refusal is shown as a page, with a link to sign in. */
  readonly page?: { readonly signInUrl: string | null }
  readonly parameter?: string | null
  readonly followedBy?: string | null
}
