import { toStackParts, type StackPart } from '../../format/executions/stack.ts'
import { LongText } from '../elements/long-text.tsx'
import { executionTexts } from '../../texts/executions.ts'

/** Longer text is shown on demand. */
const MAX_SHOWN_CHARACTERS = 4_000

interface Props {
  readonly text: string
  readonly label: string
  /** The beginning of the stack, which is shown above and left out here. */
  readonly head?: string
}

/** A stack with the frames of the application highlighted, and those of dependencies folded. */
export function StackView({ text, label, head }: Props) {
  const parts = toStackParts(head !== undefined && text.startsWith(`${head}\n`) ? text.slice(head.length + 1) : text)
  const hasOwn = parts.some(({ kind }) => kind === 'own')
  return (
    <div className="frames" tabIndex={0} role="region" aria-label={label}>
      {parts.map((part, index) => <Part key={index} part={part} label={label} isOpen={!hasOwn} />)}
    </div>
  )
}

function Part({ part: { kind, lines }, label, isOpen }: { part: StackPart; label: string; isOpen: boolean }) {
  const text = lines.join('\n')
  if (text.length > MAX_SHOWN_CHARACTERS && kind !== 'dependency') return <LongText text={text} label={executionTexts.partOf(label)} />
  if (kind !== 'dependency') return <pre className={`frames-${kind}`}>{text}</pre>
  return (
    <details className="frames-folded" open={isOpen}>
      <summary>{executionTexts.framesOfDependencies(lines.length)}</summary>
      <pre>{text}</pre>
    </details>
  )
}
