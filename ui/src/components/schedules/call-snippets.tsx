import { useState } from 'react'
import { toCurl, toFetch, toTypedClient, type Call } from '../../format/places/snippet.ts'
import { isReasonReady, reasonFrom } from '../../format/actions/reason.ts'
import { ReasonField } from '../actions/reason-field.tsx'
import { Code } from '../elements/code.tsx'
import { scheduleTexts } from '../../texts/schedules.ts'

const SNIPPETS = { curl: toCurl, fetch: toFetch, client: toTypedClient } as const
type Snippet = keyof typeof SNIPPETS

interface Props {
  /** Address of the mount, with a slash at the end. */
  readonly base: string
  readonly call: Call
  readonly label?: string
  /** The call is refused without a reason. */
  readonly needsReason?: boolean
  /** Why it cannot be copied yet. */
  readonly notYet?: string | undefined
}

/** One call, to copy in the form that the reader chooses. */
export function CallSnippets({ base, call, label = scheduleTexts.theCall, needsReason = false, notYet }: Props) {
  const [snippet, setSnippet] = useState<Snippet>('curl')
  const [text, setText] = useState('')
  const reason = reasonFrom(text)
  return (
    <div className="snippets">
      {needsReason && <ReasonField text={text} onChange={setText} isRequired />}
      <div className="segments" role="group" aria-label={scheduleTexts.formOfCall}>
        {(Object.keys(SNIPPETS) as Snippet[]).map(name => (
          <button key={name} type="button" className="segment" aria-pressed={name === snippet} onClick={() => setSnippet(name)}>
            {scheduleTexts.snippets[name]}
          </button>
        ))}
      </div>
      {isReasonReady(text, needsReason)
        ? <Code
          label={label} text={SNIPPETS[snippet](base, { ...call, ...reason !== undefined && { reason } })}
          copyLabel={scheduleTexts.copySnippet(scheduleTexts.snippets[snippet])} notYet={notYet}
        />
        : <p className="muted">{scheduleTexts.callOnceValid}</p>}
    </div>
  )
}
