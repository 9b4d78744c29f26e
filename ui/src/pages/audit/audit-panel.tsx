import { useQuery } from '@tanstack/react-query'
import type { AuditEntry } from '../../../../schemas/index.ts'
import { auditEntryQuery } from '../../api/audit.ts'
import { EntryChanges } from '../../components/audit/entry-changes.tsx'
import { EntryFacts } from '../../components/audit/entry-facts.tsx'
import { CopyButton } from '../../components/elements/copy-button.tsx'
import { Moment } from '../../components/elements/moment.tsx'
import { StatusMark } from '../../components/elements/status-mark.tsx'
import { Part } from '../../components/elements/part.tsx'
import { SidePanel } from '../../components/frame/side-panel.tsx'
import { Empty, Failed, SkeletonRows } from '../../components/frame/states.tsx'
import { actionWord, outcomeMark } from '../../format/audit/audit-words.ts'
import { usePolling } from '../../hooks/use-polling.ts'
import { useSettled } from '../../hooks/use-settled.ts'
import { auditTexts } from '../../texts/audit.ts'

const POLLED_EVERY_MS = 5_000

interface Props {
  readonly entryId: string
  /** From the list; undefined if it is not loaded there. */
  readonly listed: AuditEntry | undefined
  readonly onClose: () => void
}

/** One entry beside the list. */
export function AuditPanel({ entryId, listed, onClose }: Props) {
  const polling = usePolling(POLLED_EVERY_MS)
  const { data, failure, retry } = useSettled(useQuery({
    ...auditEntryQuery(entryId), enabled: listed === undefined,
    refetchInterval: query => {
      const every = polling.refetchInterval && polling.refetchInterval(query)
      // Nothing changes in an entry once it has its outcome.
      return query.state.status === 'error' || query.state.data?.outcome === 'in_progress' ? every : false
    }
  }))
  const entry = listed ?? data
  return (
    <SidePanel
      label={auditTexts.one} onClose={onClose} title={entry ? actionWord(entry.action) : auditTexts.one}
      actions={entry && <CopyButton label={auditTexts.copyEntry} text={() => JSON.stringify(entry, null, 2)} />}
    >
      {entry
        ? <Entry entry={entry} />
        : entry === null
          ? <Empty title={auditTexts.missing}><p>{auditTexts.missingDetail}</p></Empty>
          : failure
            ? <Failed what={auditTexts.thisOne} failure={failure} onRetry={retry} />
            : <SkeletonRows count={8} label={auditTexts.loadingOne} />}
    </SidePanel>
  )
}

function Entry({ entry }: { entry: AuditEntry }) {
  return (
    <>
      <p className="panel-lead"><StatusMark {...outcomeMark(entry.outcome)} /><Moment at={entry.at} as="both" /></p>
      <p className="muted">{auditTexts.outcomeNotes[entry.outcome]}</p>
      {entry.not_listed !== null && entry.not_listed > 0 && <p className="tone-warn">{auditTexts.notListed(entry.not_listed)}.</p>}
      <Part title={auditTexts.reason}>
        {entry.reason === null
          ? <p className="muted">{auditTexts.noReason}</p>
          : <p className="wrap audit-reason"><bdi>{entry.reason}</bdi></p>}
      </Part>
      <EntryChanges entry={entry} />
      <EntryFacts entry={entry} />
    </>
  )
}
