import { useState } from 'react'
import type { BulkFilter } from '../../../../schemas/index.ts'
import { Dialog } from '../../components/elements/dialog.tsx'
import { Later } from '../../components/elements/later.tsx'
import { ITEM_ACTIONS, type BulkAction } from '../../format/bulk/bulk-filter.ts'
import { useAllowed } from '../use-allowed.ts'
import { frameTexts } from '../../texts/frame.ts'

const loadDialog = async () => (await import('./start-bulk.tsx')).StartBulk

interface Props {
  readonly label: string
  readonly className: string
  readonly title?: string
  /** The title of the dialog. */
  readonly question: string
  /** Called when the dialog opens: what the operation is about. */
  readonly filter: () => BulkFilter
  /** The task of the executions, if they are all of one task. */
  readonly taskName?: string | undefined
  /** The possible actions. Nothing is offered if the reader may take none of them. */
  readonly actions: readonly BulkAction[]
  readonly onStarted?: () => void
}

/** Opens the dialog of a bulk operation, if the reader may start one. */
export function BulkButton({ label, className, title, question, filter, taskName, actions: possible, onStarted }: Props) {
  const { may } = useAllowed(taskName)
  const [asked, setAsked] = useState<Pick<Props, 'actions'> & { readonly filter: BulkFilter } | null>(null)
  const actions = may('bulk:create') ? possible.filter(action => may(ITEM_ACTIONS[action])) : []
  if (asked === null && actions.length === 0) return null
  const onClose = (): void => setAsked(null)
  return (
    <>
      <button type="button" className={className} title={title} onClick={() => setAsked({ actions, filter: filter() })}>{label}</button>
      {asked && <Later
        load={loadDialog} given={{ ...asked, question, onClose, onStarted }}
        failed={<Dialog title={frameTexts.notLoaded} className="dialog-narrow" onClose={onClose}>
          <p>{frameTexts.dialogNotLoaded}</p>
        </Dialog>}
      />}
    </>
  )
}
