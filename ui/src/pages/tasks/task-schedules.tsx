import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { schedulesOfTaskQuery } from '../../api/schedules.ts'
import { ScheduleTable } from '../../components/schedules/schedule-table.tsx'
import { Section } from '../../components/frame/section.tsx'
import { Failed, SkeletonRows, Stale } from '../../components/frame/states.tsx'
import { withParameters } from '../../format/places/address.ts'
import { plural } from '../../format/stats/number.ts'
import { usePolling } from '../../hooks/use-pause.ts'
import { useSettled } from '../../hooks/use-settled.ts'

const POLLED_EVERY_MS = 15_000
const SHOWN = 10
const NOBODY: ReadonlySet<string> = new Set()

/** What starts a task by itself. */
export function TaskSchedules({ name }: { name: string }) {
  const { data, failure, updatedAt } = useSettled(useQuery({ ...schedulesOfTaskQuery(name), ...usePolling(POLLED_EVERY_MS) }))
  const shown = data?.schedules.slice(0, SHOWN) ?? []
  const hidden = (data?.schedules.length ?? 0) - shown.length
  return (
    <Section title="Schedules" aside={<Stale failure={failure} updatedAt={updatedAt} />}>
      {data
        ? shown.length === 0
          ? <p className="muted">No schedule starts it.</p>
          : <ScheduleTable
            schedules={shown} total={shown.length} openId={null} href={scheduleHref} busyIds={NOBODY} onEnable={null} onDisable={null}
            onDelete={null} isBrief
          />
        : failure ? <Failed what="Schedules" failure={failure} isBrief /> : <SkeletonRows count={2} label="Loading schedules" />}
      {hidden > 0 &&
        <Link className="more" href={`/schedules${withParameters('', { search: name })}`}>
          {data?.isCut ? 'More schedules' : `${plural(hidden, 'more schedule')}`}
        </Link>}
    </Section>
  )
}

function scheduleHref(id: string): string {
  return `/schedules${withParameters('', { schedule: id })}`
}
