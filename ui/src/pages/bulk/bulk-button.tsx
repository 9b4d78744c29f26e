import { useState } from 'react'
import type { BulkFilter } from '../../../../schemas/index.ts'
import { Dialog } from '../../components/elements/dialog.tsx'
import { Later } from '../../components/elements/later.tsx'
import type { BulkAction } from '../../format/bulk/bulk-filter.ts'
import { frameTexts } from '../../texts/frame.ts'

const loadDialog = async () => (await import('./start-bulk.tsx')).StartBulk

interface Props {
  readonly label: string
  readonly className: string
  readonly title?: string
  /** The title of the dialog. */
  readonly question: string
  /** What it is about, once it is asked. */
  readonly filter: () => BulkFilter
  /** What the reader may do. Nothing is offered if there is none. */
  readonly actions: readonly BulkAction[]
  readonly onStarted?: () => void
}

/** Opens the dialog of a bulk operation. */
export function BulkButton({ label, className, title, question, filter, actions, onStarted }: Props) {
  const [asked, setAsked] = useState<Pick<Props, 'actions'> & { readonly filter: BulkFilter } | null>(null)
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
