import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import type { Schedule } from '../../../../schemas/index.ts'
import { scheduleQuery } from '../../api/schedules.ts'
import { SidePanel } from '../../components/frame/side-panel.tsx'
import { Failed, SkeletonRows, Stale } from '../../components/frame/states.tsx'
import { scheduleTitle } from '../../format/schedules/schedule-title.ts'
import { useAddress } from '../../hooks/use-address.ts'
import { usePolling } from '../../hooks/use-polling.ts'
import { useSettled } from '../../hooks/use-settled.ts'
import { EditScheduleDialog } from './edit-schedule-dialog.tsx'
import { allowedFor, useAllowed } from '../use-allowed.ts'
import { scheduleTexts } from '../../texts/schedules.ts'
import { ScheduleBody } from './schedule-body.tsx'

interface Props {
  readonly scheduleId: string
  readonly onClose: () => void
  readonly onDelete: (schedule: Schedule) => void
}

export function SchedulePanel({ scheduleId, onClose, onDelete }: Props) {
  const address = useAddress()
  const { data, failure, updatedAt, retry } = useSettled(useQuery({ ...scheduleQuery(scheduleId), ...usePolling(4_000) }))
  const ofTask = useAllowed(data?.task_name)
  const allowed = data ? allowedFor(data, ofTask) : ofTask
  return (
    <>
      <SidePanel
        label={scheduleTexts.one} onClose={onClose} title={data ? <bdi>{scheduleTitle(data)}</bdi> : scheduleTexts.one}
        actions={data && <>
          {allowed.may('schedules:update') &&
            <Link href={address.href({ edit: '1' })} className="button button-small">{scheduleTexts.edit}</Link>}
          {allowed.may('schedules:delete') &&
            <button type="button" className="button button-small" onClick={() => onDelete(data)}>{scheduleTexts.deleteDialog}</button>}
        </>}
      >
        {data
          ? <ScheduleBody schedule={data} allowed={allowed} stale={<Stale failure={failure} updatedAt={updatedAt} />} />
          : failure
            ? <>
              <Failed what={scheduleTexts.theOne} isOne failure={failure} onRetry={retry} /><p className="muted wrap">{scheduleId}</p>
            </>
            : <SkeletonRows count={8} label={scheduleTexts.loadingOne} />}
      </SidePanel>
      {data && address.get('edit') && allowed.may('schedules:update') &&
        <EditScheduleDialog
          schedule={data} needsReason={allowed.needsReason('schedules:update')} onClose={() => address.go({ edit: null })}
        />}
    </>
  )
}
