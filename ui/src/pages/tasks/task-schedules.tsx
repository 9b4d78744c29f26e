import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { schedulesOfTaskQuery } from '../../api/schedules.ts'
import { ScheduleTable } from '../../components/schedules/schedule-table.tsx'
import { Section } from '../../components/frame/section.tsx'
import { Failed, SkeletonRows, Stale } from '../../components/frame/states.tsx'
import { withParameters } from '../../format/places/address.ts'
import { usePolling } from '../../hooks/use-polling.ts'
import { useSettled } from '../../hooks/use-settled.ts'
import { scheduleTexts } from '../../texts/schedules.ts'
import { taskTexts } from '../../texts/tasks.ts'

const POLLED_EVERY_MS = 15_000
const MAX_SHOWN = 10
const NOBODY: ReadonlySet<string> = new Set()

/** The schedules that start a task. */
export function TaskSchedules({ name }: { name: string }) {
  const { data, failure, updatedAt } = useSettled(useQuery({ ...schedulesOfTaskQuery(name), ...usePolling(POLLED_EVERY_MS) }))
  const shown = data?.schedules.slice(0, MAX_SHOWN) ?? []
  const hidden = (data?.schedules.length ?? 0) - shown.length
  return (
    <Section title={scheduleTexts.title} aside={<Stale failure={failure} updatedAt={updatedAt} />}>
      {data
        ? shown.length === 0
          ? <p className="muted">{taskTexts.noSchedule}</p>
          : <ScheduleTable
            schedules={shown} total={shown.length} openId={null} href={scheduleHref} busyIds={NOBODY} onEnable={null} onDisable={null}
            onDelete={null} isBrief
          />
        : failure
          ? <Failed what={scheduleTexts.title} failure={failure} isBrief />
          : <SkeletonRows count={2} label={scheduleTexts.loading} />}
      {hidden > 0 &&
        <Link className="more" href={`/schedules${withParameters('', { search: name })}`}>
          {data?.isCut ? taskTexts.moreSchedules : taskTexts.countMoreSchedules(hidden)}
        </Link>}
    </Section>
  )
}

function scheduleHref(id: string): string {
  return `/schedules${withParameters('', { schedule: id })}`
}
