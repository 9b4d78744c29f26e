import { useQuery } from '@tanstack/react-query'
import type { ExecutionDetail } from '../../../../schemas/index.ts'
import { executionWhyQuery } from '../../api/executions.ts'
import { Part } from '../../components/elements/part.tsx'
import { WhyFacts } from '../../components/executions/why-facts.tsx'
import { factsToTell } from '../../format/executions/why.ts'
import { usePolling } from '../../hooks/use-polling.ts'
import { useSettled } from '../../hooks/use-settled.ts'
import { useAllowed } from '../use-allowed.ts'
import { whyTexts } from '../../texts/why.ts'

const PENDING_POLLED_EVERY_MS = 5_000
const RUNNING_POLLED_EVERY_MS = 15_000

/** What keeps a pending execution from running, or a running one from continuing; nothing while all is well. */
export function ExecutionWhy({ execution }: { execution: ExecutionDetail }) {
  const { execution_id: executionId, status } = execution
  const { may } = useAllowed()
  const polling = usePolling(status === 'pending' ? PENDING_POLLED_EVERY_MS : RUNNING_POLLED_EVERY_MS)
  const { data, failure } = useSettled(useQuery({ ...executionWhyQuery(executionId), ...polling }))
  const facts = data === undefined ? [] : factsToTell(data, status)
  if (facts.length === 0 && (status !== 'pending' || data !== undefined)) return null
  return (
    <Part title={whyTexts.title}>
      {facts.length > 0
        ? <WhyFacts facts={facts} execution={execution} may={may} />
        : <p className="muted">{failure ? whyTexts.notLoaded(failure.message) : whyTexts.loading}</p>}
    </Part>
  )
}
