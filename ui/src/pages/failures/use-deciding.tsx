import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { FailureGroup } from '../../../../schemas/index.ts'
import { decideFailureGroup } from '../../api/failures.ts'
import { isUnconfirmed } from '../../api/intentions.ts'
import { DecideDialog } from '../../components/failures/decide-dialog.tsx'
import { noteFrom, type Verb, verbsFor } from '../../format/failures/deciding.ts'
import { notify } from '../../hooks/use-notices.ts'
import { groupTexts } from '../../texts/failure-groups.ts'
import { useAllowed } from '../use-allowed.ts'
import { useReason } from '../use-reason.ts'

interface Asked { readonly group: FailureGroup; readonly verb: Verb }

/** Asks before a failure group is resolved or reopened, and reports the result. */
export function useDeciding() {
  const { may } = useAllowed()
  const [asked, setAsked] = useState<Asked | null>(null)
  return {
    /** What the reader may do with a group, the likely one first. */
    verbsOf: (group: FailureGroup): readonly Verb[] => verbsFor(group).filter(verb => may(`failures:${verb}`)),
    ask: (group: FailureGroup, verb: Verb) => setAsked({ group, verb }),
    dialog: asked && <Deciding key={`${asked.group.error_group} ${asked.verb}`} {...asked} onClose={() => setAsked(null)} />
  }
}

function Deciding({ group, verb, onClose }: Asked & { readonly onClose: () => void }) {
  const { field, isReady, reason } = useReason(`failures:${verb}`)
  const { mutate, isPending, error } = useMutation(decideFailureGroup)
  const texts = groupTexts[verb]
  return (
    <DecideDialog
      group={group} verb={verb} reason={field} canConfirm={isReady} isBusy={isPending}
      refusal={error && (isUnconfirmed(error) ? texts.inDoubt : texts.refused)(error.message)}
      onConfirm={note => mutate({ group, verb, note: noteFrom(note), reason }, {
        onSuccess: () => { notify('good', texts.done(group.type)); onClose() }
      })}
      // The dialog shows the result.
      onClose={() => { if (!isPending) onClose() }}
    />
  )
}
