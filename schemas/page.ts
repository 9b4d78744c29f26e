import { Type, type TProperties, type TSchema } from '@sinclair/typebox'
import { Count, Nullable, StringEnum } from './common.ts'

export const MAX_PAGE_LIMIT = 200
export const DEFAULT_PAGE_LIMIT = 50
/** Cursors are opaque. We never issue longer ones. */
export const MAX_CURSOR_LENGTH = 8192

/** `exact`, or `at_least` if counting stopped at a limit. */
export const COUNT_RELATIONS = ['exact', 'at_least'] as const
export type CountRelation = (typeof COUNT_RELATIONS)[number]

export const Total = Type.Object({
  value: Count,
  relation: StringEnum(COUNT_RELATIONS, { description: 'at_least: counting stopped at this number' })
}, { additionalProperties: false })

/** @param more additional members of the page */
export function PageOf<T extends TSchema, More extends TProperties = Record<never, never>>(item: T, more = {} as More) {
  return Type.Object({
    items: Type.Array(item),
    next_cursor: Nullable(Type.String(), { description: 'Pass it as `cursor` for the next page; null on the last one' }),
    total: Total,
    ...more
  }, { additionalProperties: false })
}

export const PageQuery = {
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_PAGE_LIMIT, default: DEFAULT_PAGE_LIMIT })),
  cursor: Type.Optional(Type.String({ minLength: 1, maxLength: MAX_CURSOR_LENGTH, description: '`next_cursor` of the previous page' }))
}
