import { useEffect, useRef, useState } from 'react'

export interface Typed {
  readonly text: string
  readonly type: (text: string) => void
  /** Puts a text into effect. */
  readonly send: (text: string) => void
}

/**
 * The text of a field that takes effect later. A value from elsewhere replaces the text. A value that the field itself sent does not,
 * because more may have been typed since.
 */
export function useTyped(value: string, onSend: (text: string) => void): Typed {
  const [text, type] = useState(value)
  const sent = useRef(value)
  // The address may have changed since the text was typed.
  const latest = useRef(onSend)
  latest.current = onSend
  useEffect(() => {
    if (value === sent.current) return
    sent.current = value
    type(value)
  }, [value])
  const send = (next: string): void => {
    sent.current = next
    latest.current(next)
  }
  return { text, type, send }
}
