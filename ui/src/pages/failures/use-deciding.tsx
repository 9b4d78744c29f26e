import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { FailureGroup } from '../../../../schemas/index.ts'
import { decideFailureGroup, failureGroupQuery, readFailedAgain } from '../../api/failures.ts'
import { isUnconfirmed } from '../../api/intentions.ts'
import { ApiError } from '../../api/request.ts'
import { DecideDialog } from '../../components/failures/decide-dialog.tsx'
import { noteFrom, type Verb, verbsFor } from '../../format/failures/deciding.ts'
import { formatRelative } from '../../format/time/duration.ts'
import { notify } from '../../hooks/use-notices.ts'
import { useNow } from '../../hooks/use-now.ts'
import { usePolling } from '../../hooks/use-polling.ts'
import { groupTexts } from '../../texts/failure-groups.ts'
import { useAllowed } from '../use-allowed.ts'
import { useReason } from '../use-reason.ts'

const POLLED_EVERY_MS = 5_000

interface Asked { readonly group: FailureGroup; readonly verb: Verb }

/** Asks before a failure group is resolved or reopened, and reports the result. */
export function useDeciding() {
  const { may } = useAllowed()
  const [asked, setAsked] = useState<Asked | null>(null)
  return {
    /** What the reader may do with a group, the most likely first. */
    verbsOf: (group: FailureGroup): readonly Verb[] => verbsFor(group).filter(verb => may(`failures:${verb}`)),
    ask: (group: FailureGroup, verb: Verb) => setAsked({ group, verb }),
    dialog: asked && <Deciding key={`${asked.group.error_group} ${asked.verb}`} {...asked} onClose={() => setAsked(null)} />
  }
}

function Deciding({ group: first, verb, onClose }: Asked & { readonly onClose: () => void }) {
  const { field, isReady, reason } = useReason(`failures:${verb}`)
  // After a failure that the reader had not seen, the question is about that failure too.
  const [group, setGroup] = useState(first)
  const { mutate, isPending, error } = useMutation(decideFailureGroup)
  // Someone else may be looking at the same failures.
  const { data: newest } = useQuery({ ...failureGroupQuery(first.error_group, null), ...usePolling(POLLED_EVERY_MS) })
  const decision = newest?.decision ?? null
  const isDecided = decision !== null && decision.at !== first.decision?.at
  const now = useNow()
  const texts = groupTexts[verb]
  return (
    <DecideDialog
      group={group} verb={verb} reason={field} canConfirm={isReady} isBusy={isPending}
      refusal={error && (isUnconfirmed(error) ? texts.inDoubt : texts.refused)(error.message)}
      meanwhile={isDecided && !isPending ? newest! : null}
      change={group === first ? null : groupTexts.resolve.failedAgain(formatRelative(Date.parse(group.last_seen_at), now))}
      onConfirm={note => mutate({ group, verb, note: noteFrom(note), reason }, {
        onSuccess: () => { notify('good', texts.done(group.type)); onClose() },
        onError: refused => {
          if (!(refused instanceof ApiError) || refused.code !== 'FAILED_AGAIN') return
          // If this read fails, the reader confirms once more, and is refused again.
          void readFailedAgain(group).then(found => { if (found !== null) setGroup(found) }, () => {})
        }
      })}
      // The dialog shows the result.
      onClose={() => { if (!isPending) onClose() }}
    />
  )
}
