import { useEffect, useState } from 'react'
import { Icon } from './icon.tsx'
import { elementTexts } from '../../texts/elements.ts'

type Outcome = 'idle' | 'copied' | 'refused'

/** The clipboard needs a secure page (HTTPS or localhost); where there is none it says so. */
export function CopyButton({ text, label }: { text: string | (() => string); label: string }) {
  const [outcome, setOutcome] = useState<Outcome>('idle')
  useEffect(() => {
    if (outcome === 'idle') return
    const timer = setTimeout(() => setOutcome('idle'), 2_000)
    return () => clearTimeout(timer)
  }, [outcome])

  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(typeof text === 'string' ? text : text())
      setOutcome('copied')
    } catch {
      setOutcome('refused')
    }
  }
  const words = { idle: label, copied: elementTexts.copied, refused: elementTexts.copyRefused }
  return (
    <button type="button" className="button button-small" onClick={() => { copy().catch(() => setOutcome('refused')) }}>
      <Icon name="copy" />
      <span aria-live="polite">{words[outcome]}</span>
    </button>
  )
}
