import { keepPreviousData, mutationOptions, queryOptions, type QueryKey } from '@tanstack/react-query'
import type { Schedule, ScheduleAgenda, ScheduleMissPage, SchedulePreview, ScheduleRun } from '../../../schemas/index.ts'
import { carryOut, isUnconfirmed } from './intentions.ts'
import { queryClient, readAgain } from './query-client.ts'
import { ApiError, get, request, segment, type Answer } from './request.ts'

export interface ScheduleFilter {
  readonly enabledOnly: boolean
  readonly search: string
}

export interface ScheduleListing {
  readonly schedules: Schedule[]
  /** The server has more than it sent. */
  readonly isCut: boolean
}

/** The size of a page of the server. */
export const SCHEDULES_PER_PAGE = 1_000
/** Only complete lists are sorted or filtered here. This limits how much is loaded for that. */
export const MAX_PAGES_OF_SCHEDULES = 10

const LIST_KEY = ['schedules', 'list']

/** The first pages, as far as the reader has scrolled. */
export function schedulesQuery({ enabledOnly, search }: ScheduleFilter, pages = 1) {
  return queryOptions({
    queryKey: [...LIST_KEY, enabledOnly, search, pages],
    queryFn: async ({ signal }): Promise<ScheduleListing> => {
      const schedules: Schedule[] = []
      let cursor: string | null = null
      for (let page = 0; page < pages; page++) {
        const { data, next }: Answer<Schedule[]> = await request<Schedule[]>('api/schedules', {
          query: { enabled_only: enabledOnly || null, search: search.slice(0, 200), cursor }, signal
        })
        schedules.push(...data)
        cursor = next
        if (cursor === null) break
      }
      return { schedules, isCut: cursor !== null }
    },
    placeholderData: keepPreviousData
  })
}

/** The schedules that run next, out of all schedules. */
export function upcomingQuery(count: number) {
  return queryOptions({
    queryKey: [...LIST_KEY, 'upcoming', count],
    queryFn: async ({ signal }): Promise<ScheduleListing> => {
      const { data } = await request<Schedule[]>('api/schedules', {
        query: { enabled_only: true, order: 'next_run', limit: count }, signal
      })
      return { schedules: data.filter(schedule => schedule.next_run_at !== null), isCut: true }
    },
    placeholderData: keepPreviousData
  })
}

/** The schedules of one task, at most one page. */
export function schedulesOfTaskQuery(taskName: string) {
  return queryOptions({
    queryKey: [...LIST_KEY, 'of task', taskName],
    queryFn: async ({ signal }): Promise<ScheduleListing> => {
      const { data, next } = await request<Schedule[]>('api/schedules', { query: { task_name: taskName }, signal })
      return { schedules: data, isCut: next !== null }
    }
  })
}

export function scheduleQuery(scheduleId: string) {
  return queryOptions({
    queryKey: ['schedules', 'item', scheduleId],
    queryFn: ({ signal }) => get<Schedule>(`api/schedules/${segment(scheduleId)}`, { signal })
  })
}

export type Timing = { readonly cron: string; readonly timezone: string } | { readonly intervalMs: number; readonly timezone: string }

/** @param from null means now */
export function previewQuery(timing: Timing, count: number, from: string | null) {
  return queryOptions({
    queryKey: ['schedules', 'preview', timing, count, from],
    queryFn: ({ signal }) => get<SchedulePreview>('api/schedules/preview', {
      query: 'cron' in timing
        ? { cron: timing.cron, timezone: timing.timezone, count, from }
        : { interval_ms: timing.intervalMs, timezone: timing.timezone, count, from },
      signal
    }),
    staleTime: 30_000
  })
}

/** Runs that were missed or late, newest first. */
export function missesQuery(scheduleId: string) {
  return queryOptions({
    queryKey: ['schedules', 'misses', scheduleId],
    queryFn: ({ signal }) => get<ScheduleMissPage>(`api/schedules/${segment(scheduleId)}/misses`, { signal })
  })
}

/** Milliseconds since the epoch, at most seven days apart. */
export function agendaQuery(from: number, to: number) {
  return queryOptions({
    queryKey: ['schedules', 'agenda', from, to],
    queryFn: ({ signal }) =>
      get<ScheduleAgenda>('api/schedules/agenda', { query: { from: new Date(from).toISOString(), to: new Date(to).toISOString() }, signal })
  })
}

interface ScheduleWrite {
  readonly scheduleId: string
  readonly reason?: string | undefined
}

/** Names what `carryOut` sends. */
export function runIntention({ scheduleId }: ScheduleWrite): string {
  return `run ${scheduleId}`
}

export const runSchedule = mutationOptions({
  mutationFn: (run: ScheduleWrite) => carryOut(runIntention(run), run.reason, async sent =>
    (await request<ScheduleRun>(`api/schedules/${segment(run.scheduleId)}/run`, { method: 'POST', ...sent })).data),
  onSettled: () => readAgain({ queryKey: ['executions'] })
})

/** Shown at once, reverted if the server refuses. */
export const enableSchedule = mutationOptions({
  mutationFn: async ({ scheduleId, enabled, reason }: ScheduleWrite & { readonly enabled: boolean }) =>
    (await request<Schedule>(`api/schedules/${segment(scheduleId)}/${enabled ? 'enable' : 'disable'}`, { method: 'PUT', reason })).data,
  onMutate: async ({ scheduleId, enabled }) => {
    await queryClient.cancelQueries({ queryKey: ['schedules'] })
    const before = queryClient.getQueriesData<ScheduleListing>({ queryKey: LIST_KEY })
    const item = queryClient.getQueryData<Schedule>(scheduleQuery(scheduleId).queryKey)
    // The next run is not known before the response.
    replaceEverywhere(scheduleId, schedule => ({ ...schedule, enabled, next_run_at: null }))
    return { before, item }
  },
  onError: (_error, { scheduleId }, context) => {
    for (const [key, data] of context?.before ?? []) restore(key, data)
    restore(scheduleQuery(scheduleId).queryKey, context?.item)
  },
  onSuccess: schedule => replaceEverywhere(schedule.schedule_id, () => schedule),
  onSettled: () => readAgain({ queryKey: ['schedules'] })
})

/** Schedules whose deletion was not confirmed. */
const doubtful = new Set<string>()

export const deleteSchedule = mutationOptions({
  mutationFn: async ({ scheduleId, reason }: ScheduleWrite) => {
    try {
      await request(`api/schedules/${segment(scheduleId)}`, { method: 'DELETE', reason })
      doubtful.delete(scheduleId)
    } catch (error) {
      if (isUnconfirmed(error)) doubtful.add(scheduleId)
      // The previous attempt succeeded after all.
      else if (error instanceof ApiError && error.status === 404 && doubtful.delete(scheduleId)) return
      throw error
    }
  },
  onSuccess: (_nothing, { scheduleId }) => {
    queryClient.setQueriesData<ScheduleListing>({ queryKey: LIST_KEY }, listing =>
      listing && { ...listing, schedules: listing.schedules.filter(schedule => schedule.schedule_id !== scheduleId) })
  },
  onSettled: () => readAgain({ queryKey: LIST_KEY })
})

function replaceEverywhere(scheduleId: string, change: (schedule: Schedule) => Schedule): void {
  queryClient.setQueriesData<ScheduleListing>({ queryKey: LIST_KEY }, listing =>
    listing &&
      { ...listing, schedules: listing.schedules.map(schedule => (schedule.schedule_id === scheduleId ? change(schedule) : schedule)) })
  queryClient.setQueryData<Schedule>(scheduleQuery(scheduleId).queryKey, schedule => schedule && change(schedule))
}

function restore(key: QueryKey, data: unknown): void {
  if (data !== undefined) queryClient.setQueryData(key, data)
}
