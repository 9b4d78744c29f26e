import { useEffect } from 'react'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { mountUrl } from '../../api/mount-url.ts'
import { executionPath, executionQuery } from '../../api/executions.ts'
import { ApiError } from '../../api/request.ts'
import { statsQuery } from '../../api/stats.ts'
import { CopyButton } from '../../components/elements/copy-button.tsx'
import { SidePanel } from '../../components/frame/side-panel.tsx'
import { Empty, Failed, SkeletonRows, Stale } from '../../components/frame/states.tsx'
import { retentionWords } from '../../format/executions/history-kept.ts'
import { toCurl } from '../../format/places/snippet.ts'
import { usePolling } from '../../hooks/use-polling.ts'
import { useSettled } from '../../hooks/use-settled.ts'
import { ExecutionBody } from './execution-body.tsx'
import { executionTexts } from '../../texts/executions.ts'

const FAILED_POLLED_EVERY_MS = 15_000
/** The execution was removed, and never comes back. */
const GONE = 410

interface Props {
  readonly executionId: string
  readonly onClose: () => void
}

export function ExecutionPanel({ executionId, onClose }: Props) {
  const polling = usePolling(2_000)
  const result = useQuery({
    ...executionQuery(executionId),
    refetchInterval: query => {
      const every = polling.refetchInterval && polling.refetchInterval(query)
      if (query.state.error instanceof ApiError && query.state.error.status === GONE) return false
      const { data, status } = query.state
      if (!data?.finished_at || status !== 'success' || every === false) return every
      // What has finished does not change any more, but someone may retry a failed one.
      if (data.status === 'success') return false
      return data.retried_by.some(retry => retry.finished_at === null) ? every : Math.max(every, FAILED_POLLED_EVERY_MS)
    }
  })
  const { data, failure, updatedAt, retry } = useSettled(result)
  return (
    <SidePanel
      label={executionTexts.one} onClose={onClose}
      title={data ? <bdi>{data.task_name}</bdi> : executionTexts.one}
      actions={data &&
        <CopyButton label={executionTexts.copyAsCurl} text={toCurl(mountUrl.href, { method: 'GET', path: executionPath(executionId) })} />}
    >
      {data && failure?.status !== GONE
        ? <ExecutionBody execution={data} stale={<Stale failure={failure} updatedAt={updatedAt} />} />
        : failure
          ? <>
            {failure.status === GONE
              ? <Gone message={failure.message} isDeleted={failure.code === 'EXECUTION_DELETED'} />
              : <Failed what={executionTexts.thisOne} isOne failure={failure} onRetry={retry} />}
            <p className="muted wrap">{executionId}</p>
          </>
          : <SkeletonRows count={8} label={executionTexts.loadingOne} />}
    </SidePanel>
  )
}

/** An execution that existed, but was removed by retention or by a person. */
function Gone({ message, isDeleted }: { message: string; isDeleted: boolean }) {
  const history = useQuery({ ...statsQuery, enabled: !isDeleted }).data?.history
  // The button that deleted it is gone too.
  useEffect(() => { if (document.activeElement === document.body) document.querySelector<HTMLElement>('.panel h2')?.focus() }, [])
  return (
    <Empty title={executionTexts.gone}>
      <p>{message}.{!isDeleted && history && <> {retentionWords(history)}</>}</p>
      <p>{executionTexts.stillCounted} <Link href="/executions">{executionTexts.keptOnes}</Link></p>
    </Empty>
  )
}
