import { RunList } from '../../components/executions/run-list.tsx'
import { SkeletonRows } from '../../components/frame/states.tsx'
import { isEmpty, type ScheduleDraft } from '../../format/schedules/schedule-draft.ts'
import { instantOfInput } from '../../format/time/time.ts'
import { scheduleTexts } from '../../texts/schedules.ts'
import { MAX_PREVIEWED, type TimingPreviewState } from './use-timing-preview.ts'

interface Props {
  readonly draft: Pick<ScheduleDraft, 'endAt' | 'jitterSeconds'>
  readonly state: TimingPreviewState
}

/** When the schedule that is being typed would run. */
export function TimingPreview({ draft: { endAt, jitterSeconds }, state: { isAskable, preview, isStale, failure, refused } }: Props) {
  // The field says what is wrong with it.
  if (!isAskable || !isEmpty(refused)) return <p className="muted">{scheduleTexts.noTimingYet}</p>
  if (failure !== null) return <p className="tone-bad" role="status">{failure}</p>
  if (!preview) return <SkeletonRows count={MAX_PREVIEWED} label={scheduleTexts.loadingNextRuns} />
  return (
    <div className={isStale ? 'is-stale' : undefined}>
      <p><b>{preview.description}</b></p>
      <RunList preview={preview} endAt={endAt === '' ? null : instantOfInput(endAt)} jitterMs={Number(jitterSeconds) * 1000 || 0} />
    </div>
  )
}
