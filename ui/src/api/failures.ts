import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { FailureGroupPage } from '../../../schemas/index.ts'
import { rangeStart } from '../format/address.ts'
import { currentTime } from '../format/clock.ts'
import { get } from './request.ts'

const GROUPS_ASKED = 50

/** The groups of the failures of the last 24 hours. */
export const failureGroupsQuery = queryOptions({
  queryKey: ['failures', '24h'],
  queryFn: ({ signal }) => get<FailureGroupPage>('api/failures', { query: { from: rangeStart('24h', currentTime()), limit: GROUPS_ASKED }, signal }),
  placeholderData: keepPreviousData
})
