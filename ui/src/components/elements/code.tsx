import { CopyButton } from './copy-button.tsx'
import { elementTexts } from '../../texts/elements.ts'

interface Props {
  readonly text: string
  readonly label: string
  readonly copyLabel?: string
  /** Why it cannot be copied yet. */
  readonly notYet?: string | undefined
}

export function Code({ text, label, copyLabel = elementTexts.copy, notYet }: Props) {
  return (
    <div className="code">
      <pre tabIndex={0} role="region" aria-label={label}><code>{text}</code></pre>
      <CopyButton text={text} label={copyLabel} notYet={notYet} />
    </div>
  )
}
