import { useMemo } from 'react'
import { everyExecution } from '../format/execution-filter.ts'
import { useAddress } from '../hooks/use-address.ts'
import { ExecutionsSection } from './executions-section.tsx'

/** The executions that failed with one error; the oldest first shows how it began. */
export function GroupExecutions({ errorGroup }: { errorGroup: string }) {
  const order = useAddress().get('order') === 'oldest' ? 'oldest' as const : null
  const filter = useMemo(() => ({ ...everyExecution, status: 'failed' as const, errorGroup, order }), [errorGroup, order])
  return <ExecutionsSection filter={filter} what="Its executions" none="None of its executions is kept." />
}
