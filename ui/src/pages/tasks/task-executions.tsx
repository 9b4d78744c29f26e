import { useMemo } from 'react'
import { PageLink } from '../../components/elements/page-link.tsx'
import { withParameters } from '../../format/places/address.ts'
import { everyExecution } from '../../format/executions/execution-filter.ts'
import { useAddress } from '../../hooks/use-address.ts'
import { ExecutionsSection } from '../executions/executions-section.tsx'
import { executionTexts } from '../../texts/executions.ts'
import { taskTexts } from '../../texts/tasks.ts'

/** The last executions of a task. */
export function TaskExecutions({ name }: { name: string }) {
  const order = useAddress().get('order') === 'oldest' ? 'oldest' as const : null
  const filter = useMemo(() => ({ ...everyExecution, taskName: name, order }), [name, order])
  const failed = `/executions${withParameters('', { task: name, status: 'failed' })}`
  return <ExecutionsSection
    filter={filter} what={executionTexts.its} none={taskTexts.hasNotRun}
    aside={<PageLink href={failed} isWay className="quiet-link">{taskTexts.thatFailed}</PageLink>}
  />
}
