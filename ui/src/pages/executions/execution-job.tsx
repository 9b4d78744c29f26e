import { useQuery } from '@tanstack/react-query'
import type { ExecutionDetail } from '../../../../schemas/index.ts'
import { executionJobQuery } from '../../api/executions.ts'
import { Part } from '../../components/elements/part.tsx'
import { hasJobFacts, JobFacts } from '../../components/executions/job-facts.tsx'
import { useAddress } from '../../hooks/use-address.ts'
import { usePolling } from '../../hooks/use-polling.ts'
import { useSettled } from '../../hooks/use-settled.ts'
import { jobTexts } from '../../texts/jobs.ts'

const POLLED_EVERY_MS = 10_000

/** An execution's place in a flow, its deduplication key and its trace; nothing if it has none of them. */
export function ExecutionJob({ execution }: { execution: ExecutionDetail }) {
  const { href } = useAddress()
  const polling = usePolling(POLLED_EVERY_MS)
  const isFinished = execution.finished_at !== null
  const { data, failure } = useSettled(useQuery({ ...executionJobQuery(execution.execution_id), ...isFinished ? {} : polling }))
  if (data === undefined ? failure === null : data.known && !hasJobFacts(data)) return null
  return (
    <Part title={jobTexts.title}>
      {data?.known
        ? <JobFacts job={data} href={href} />
        : <p className="muted">{data ? jobTexts.notKnown : jobTexts.notLoaded(failure!.message)}</p>}
    </Part>
  )
}
