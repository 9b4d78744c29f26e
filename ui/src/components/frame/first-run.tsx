import type { FirstStep } from '../../format/places/first-run.ts'
import { Code } from '../elements/code.tsx'
import { Section } from './section.tsx'
import { StatusMark } from '../elements/status-mark.tsx'
import { frameTexts } from '../../texts/frame.ts'

/** The steps that remain before there is anything to show, with the next step open. */
export function FirstRun({ steps }: { steps: readonly FirstStep[] }) {
  const next = steps.findIndex(({ isDone }) => isDone !== true)
  return (
    <Section title={frameTexts.firstSteps}>
      <ol className="first-run">
        {steps.map(({ title, isDone, code }, index) => (
          <li key={title}>
            <StatusMark mark={isDone === null ? 'unknown' : isDone ? 'success' : 'pending'} word={wordsOf(title, isDone)} />
            {index === next &&
              (code === null ? <p className="muted">{frameTexts.waitingOrRunning}</p> : <Code label={title} text={code} />)}
          </li>
        ))}
      </ol>
    </Section>
  )
}

function wordsOf(step: string, isDone: FirstStep['isDone']): string {
  if (isDone === null) return frameTexts.stepNotKnown(step)
  return isDone ? step : frameTexts.stepNotYet(step)
}
