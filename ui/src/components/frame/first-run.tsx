import type { FirstStep } from '../../format/places/first-run.ts'
import { Code } from '../elements/code.tsx'
import { Section } from './section.tsx'
import { StatusMark } from '../elements/status-mark.tsx'

/** What is left to do before there is anything to look at, with the next step open. */
export function FirstRun({ steps }: { steps: readonly FirstStep[] }) {
  const next = steps.findIndex(({ isDone }) => isDone !== true)
  return (
    <Section title="First steps">
      <ol className="first-run">
        {steps.map(({ title, isDone, code }, index) => (
          <li key={title}>
            <StatusMark mark={isDone === null ? 'unknown' : isDone ? 'success' : 'pending'} word={`${title}${WORDS[String(isDone)]}`} />
            {index === next &&
              (code === null ? <p className="muted">It is waiting or running now.</p> : <Code label={title} text={code} />)}
          </li>
        ))}
      </ol>
    </Section>
  )
}

const WORDS: Record<string, string> = { true: '', false: ': not yet', null: ': not known' }
