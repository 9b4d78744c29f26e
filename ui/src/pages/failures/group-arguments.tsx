import { useQueries, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { executionHeadQuery, executionQuery } from '../../api/executions.ts'
import { ArgumentsTable } from '../../components/executions/arguments-table.tsx'
import { SkeletonRows } from '../../components/frame/states.tsx'
import { compareArguments } from '../../format/executions/compare-arguments.ts'
import type { ExecutionFilter } from '../../format/executions/execution-filter.ts'
import { groupTexts } from '../../texts/failure-groups.ts'

/** Each takes a request. */
const MAX_COMPARED = 10

/** What the arguments of the latest failures have in common. Loaded on demand, because each failure takes a request. */
export function GroupArguments({ filter }: { filter: ExecutionFilter }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details className="more-details" onToggle={event => setOpen(event.currentTarget.open)}>
      <summary>{groupTexts.compare(MAX_COMPARED)}</summary>
      {isOpen && <Compared filter={filter} />}
    </details>
  )
}

function Compared({ filter }: { filter: ExecutionFilter }) {
  const head = useQuery({ ...executionHeadQuery({ ...filter, order: null }, MAX_COMPARED), staleTime: Infinity })
  const details = useQueries({
    queries: (head.data?.items ?? []).map(({ execution_id: id }) => ({ ...executionQuery(id), staleTime: Infinity }))
  })
  if (head.isError) return <p className="muted" role="status">{groupTexts.comparedNotLoaded}</p>
  if (!head.data || details.some(({ status }) => status === 'pending'))
    return <SkeletonRows count={4} label={groupTexts.loadingArguments} />
  const loaded = details.flatMap(({ data }) => (data ? [data] : []))
  const usable = loaded.flatMap(({ args, truncated }) => (args === null || truncated.includes('/args') ? [] : [args]))
  const missing = head.data.items.length - usable.length
  return (
    <>
      <p className="muted" role="status">
        {groupTexts.compared(usable.length)}{missing > 0 && groupTexts.notCompared(missing)}.
      </p>
      {usable.length > 0 && <ArgumentsTable compared={compareArguments(usable)} />}
    </>
  )
}
