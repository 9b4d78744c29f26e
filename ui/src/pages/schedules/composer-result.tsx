import { mountUrl } from '../../api/mount-url.ts'
import { CallSnippets } from '../../components/schedules/call-snippets.tsx'
import type { Call } from '../../format/places/snippet.ts'
import type { ScheduleDraft } from '../../format/schedules/schedule-draft.ts'
import { scheduleTexts } from '../../texts/schedules.ts'
import { TimingPreview } from './timing-preview.tsx'
import type { TimingPreviewState } from './use-timing-preview.ts'

interface Props {
  readonly draft: ScheduleDraft
  readonly timing: TimingPreviewState
  /** Null while there is none to run. */
  readonly call: Call | null
  /** Why there is none. */
  readonly none: string
  readonly needsReason: boolean
}

/** What comes of a draft: the next runs, and the call to run elsewhere. */
export function ComposerResult({ draft, timing, call, none, needsReason }: Props) {
  return (
    <div className="composer-result">
      <h3>{scheduleTexts.upcomingRuns}</h3>
      <TimingPreview draft={draft} state={timing} />
      {call
        ? <CallSnippets
          base={mountUrl.href} call={call} needsReason={needsReason} notYet={timing.isChecking ? scheduleTexts.timingUnchecked : undefined}
        />
        : <p className="muted">{none}</p>}
    </div>
  )
}
