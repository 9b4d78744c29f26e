import { useState } from 'react'
import { isReasonReady, reasonFrom } from '../format/actions/reason.ts'
import { useAllowed } from './use-allowed.ts'

/** The reason for an action, as typed so far. */
export function useReason(action: string) {
  const isRequired = useAllowed().needsReason(action)
  const [text, setText] = useState('')
  return {
    isRequired,
    /** For the field. */
    field: { text, onChange: setText, isRequired },
    isReady: isReasonReady(text, isRequired),
    reason: reasonFrom(text),
    /** The next action needs a new reason. */
    clear: () => setText('')
  }
}
