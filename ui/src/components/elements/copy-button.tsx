import { useEffect, useState } from 'react'
import { Icon } from './icon.tsx'
import { elementTexts } from '../../texts/elements.ts'

type Outcome = 'idle' | 'copied' | 'refused' | 'waiting'

interface Props {
  readonly text: string | (() => string)
  readonly label: string
  /** Why it cannot be copied yet. It is shown only after a click, because a button that changed with each key would flicker. */
  readonly notYet?: string | undefined
}

/** The clipboard needs a secure page (HTTPS or localhost). Elsewhere, the button says that the browser refused. */
export function CopyButton({ text, label, notYet }: Props) {
  const [outcome, setOutcome] = useState<Outcome>('idle')
  useEffect(() => {
    if (outcome === 'idle') return
    const timer = setTimeout(() => setOutcome('idle'), 2_000)
    return () => clearTimeout(timer)
  }, [outcome])

  const copy = async (): Promise<void> => {
    if (notYet !== undefined) return setOutcome('waiting')
    try {
      await navigator.clipboard.writeText(typeof text === 'string' ? text : text())
      setOutcome('copied')
    } catch {
      setOutcome('refused')
    }
  }
  const words = { idle: label, copied: elementTexts.copied, refused: elementTexts.copyRefused, waiting: notYet ?? label }
  return (
    <button
      type="button" className="button button-small" aria-disabled={notYet !== undefined}
      onClick={() => { copy().catch(() => setOutcome('refused')) }}
    >
      <Icon name="copy" />
      <span aria-live="polite">{words[outcome]}</span>
    </button>
  )
}
