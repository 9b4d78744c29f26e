import type {
  FastifyBaseLogger, FastifyInstance, FastifySchema, FastifyTypeProvider, RawReplyDefaultExpression, RawRequestDefaultExpression,
  RawServerDefault, RouteGenericInterface, RouteOptions
} from 'fastify'
import type { Static, TSchema } from '@sinclair/typebox'
import { isAction, isWrite } from '../../actions.ts'
import { addressFrom, FOLLOWED_BY } from './address.ts'
import { toHostDocument } from './host-document.ts'
import { takeIdempotencyKey } from '../idempotency.ts'
import type { RouteConfig } from './route-config.ts'

interface TypeBoxProvider extends FastifyTypeProvider {
  validator: this['schema'] extends TSchema ? Static<this['schema']> : unknown
  serializer: this['schema'] extends TSchema ? Static<this['schema']> : unknown
}

type ApiRoute<Schema extends FastifySchema> = RouteOptions<
  RawServerDefault, RawRequestDefaultExpression, RawReplyDefaultExpression, RouteGenericInterface, RouteConfig, Schema, TypeBoxProvider,
  FastifyBaseLogger
>

/** What the routes of `resources/` see of Fastify. */
export interface Api {
  /** Declares a route. `url` may end in one parameter, or in one and a word: `/api/tasks/:name/executions`. */
  route<const Schema extends FastifySchema>(options: ApiRoute<Schema>): void
}

/**
 * Registers the routes for requests: see address.ts for what becomes of their parameters.
 * @param tags lists them in the document of the host's own @fastify/swagger; ours is at /api/openapi.json.
 */
export function createApi(app: FastifyInstance, tags: readonly string[] | null = null): Api {
  return {
    route(declared) {
      const options = takeIdempotencyKey(declared)
      const { url, parameter, followedBy } = addressFrom(options.url)
      const route = {
        ...options,
        url,
        exposeHeadRoute: true,
        config: {
          ...options.config, parameter, followedBy,
          ...(tags && { swaggerTransform: toHostDocument(`${app.prefix}${options.url}`, options.schema ?? {}, tags) })
        },
        schema: { ...options.schema, hide: true },
        ...(followedBy === null ? {} : { constraints: { [FOLLOWED_BY]: followedBy } })
      }
      app.route(route as unknown as RouteOptions)
    }
  }
}

/** An `onRoute` hook: a route of the API without its policy and documentation does not start. */
export function refuseIncompleteRoute({ url, method, config, schema }: RouteOptions): void {
  const action = (config as Partial<RouteConfig> | undefined)?.action
  const missing: string[] = []
  if (!isAction(action)) missing.push('config.action (one of actions.ts)')
  else if ([method].flat().some(one => isWrite(action) === SAFE_METHODS.has(one))) missing.push(`a method that fits ${action}`)
  if (!schema?.operationId) missing.push('schema.operationId')
  // A policy sees each parameter once, because a schema refuses it when it is there twice.
  if (!schema?.querystring) missing.push('schema.querystring')
  if (!schema?.tags?.length) missing.push('schema.tags')
  if (Object.keys(schema?.response ?? {}).length === 0) missing.push('schema.response')
  if (missing.length > 0) throw new Error(`The route ${String(method)} ${url} lacks ${missing.join(', ')}`)
}

const SAFE_METHODS = new Set(['GET', 'HEAD'])
