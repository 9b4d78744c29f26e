import type { ExecutionDetail } from '../../../../schemas/index.ts'
import { formatSpan } from '../../format/time/duration.ts'
import { progressPercent } from '../../format/executions/progress.ts'
import { useTick } from '../../hooks/use-now.ts'
import { Part } from '../elements/part.tsx'
import { JsonView } from '../elements/json-view.tsx'
import { executionTexts } from '../../texts/executions.ts'

/** How long an execution has been running, and the progress that it reports. */
export function ExecutionProgress({ execution: { started_at: startedAt, progress, status } }: { execution: ExecutionDetail }) {
  const elapsed = useTick(now => (startedAt === null ? '' : formatSpan(Math.max(0, now - Date.parse(startedAt)))))
  const percent = progressPercent(progress)
  if (status !== 'running' && progress === null) return null
  return (
    <Part title={status === 'running' ? executionTexts.running : executionTexts.progress}>
      {status === 'running' && startedAt !== null &&
        <p>{executionTexts.soFar(<b>{elapsed}</b>)}{percent !== null && executionTexts.percentDone(Math.floor(percent))}</p>}
      {percent !== null
        ? <progress className="progress" max={100} value={percent} aria-label={executionTexts.progress}>{Math.floor(percent)} %</progress>
        : progress !== null && <JsonView value={progress} label={executionTexts.progress} />}
    </Part>
  )
}
