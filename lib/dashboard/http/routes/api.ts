import type {
  FastifyBaseLogger, FastifyInstance, FastifySchema, FastifyTypeProvider, RawReplyDefaultExpression, RawRequestDefaultExpression,
  RawServerDefault, RouteGenericInterface, RouteOptions
} from 'fastify'
import type { Static, TSchema } from '@sinclair/typebox'
import { isAction, isWrite } from '../../actions.ts'
import { addressFrom, FOLLOWED_BY } from './address.ts'
import { toHostDocument } from './host-document.ts'
import { takeIdempotencyKey } from '../idempotency.ts'
import { auditWrites } from '../../audit/audit-writes.ts'
import type { RouteConfig } from './route-config.ts'

interface TypeBoxProvider extends FastifyTypeProvider {
  validator: this['schema'] extends TSchema ? Static<this['schema']> : unknown
  serializer: this['schema'] extends TSchema ? Static<this['schema']> : unknown
}

type ApiRoute<Schema extends FastifySchema> = RouteOptions<
  RawServerDefault, RawRequestDefaultExpression, RawReplyDefaultExpression, RouteGenericInterface, RouteConfig, Schema, TypeBoxProvider,
  FastifyBaseLogger
>

/** The part of Fastify that the routes in `resources/` use. */
export interface Api {
  /** Declares a route. `url` may end in one parameter, or in one and a word: `/api/tasks/:name/executions`. */
  route<const Schema extends FastifySchema>(options: ApiRoute<Schema>): void
}

/**
 * Registers routes with Fastify; address.ts explains what happens to their parameters.
 * @param tags lists them in the host's own @fastify/swagger document; ours is at /api/openapi.json
 */
export function createApi(app: FastifyInstance, tags: readonly string[] | null = null): Api {
  return {
    route(declared) {
      const options = takeIdempotencyKey(auditWrites(declared))
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

/** An `onRoute` hook: the plugin does not start with an API route that lacks a policy or documentation. */
export function refuseIncompleteRoute({ url, method, config, schema }: RouteOptions): void {
  const action = (config as Partial<RouteConfig> | undefined)?.action
  const missing: string[] = []
  if (!isAction(action)) missing.push('config.action (one of actions.ts)')
  else if ([method].flat().some(one => isWrite(action) === SAFE_METHODS.has(one))) missing.push(`a method that fits ${action}`)
  if (!schema?.operationId) missing.push('schema.operationId')
  // Required so that a repeated parameter is rejected and the policy sees each parameter once.
  if (!schema?.querystring) missing.push('schema.querystring')
  if (!schema?.tags?.length) missing.push('schema.tags')
  if (Object.keys(schema?.response ?? {}).length === 0) missing.push('schema.response')
  if (missing.length > 0) throw new Error(`The route ${String(method)} ${url} lacks ${missing.join(', ')}`)
}

const SAFE_METHODS = new Set(['GET', 'HEAD'])
