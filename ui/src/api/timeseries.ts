import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { Timeseries } from '../../../schemas/index.ts'
import type { Range } from '../format/address.ts'
import { get } from './request.ts'

/** What finished, span by span, with the percentiles of how long it took. */
export function timeseriesQuery(window: Range) {
  return queryOptions({
    queryKey: ['timeseries', window],
    queryFn: ({ signal }) => get<Timeseries>('api/timeseries', { query: { metric: 'duration_ms', window }, signal }),
    placeholderData: keepPreviousData
  })
}
