import { useState } from 'react'
import { toCurl, toFetch, toTypedClient, type Call } from '../../format/places/snippet.ts'
import { Code } from '../elements/code.tsx'
import { scheduleTexts } from '../../texts/schedules.ts'

const SNIPPETS = { curl: toCurl, fetch: toFetch, client: toTypedClient } as const
type Snippet = keyof typeof SNIPPETS

interface Props {
  /** Address of the mount, with a slash at the end. */
  readonly base: string
  readonly call: Call
  readonly label?: string
}

/** One call, to copy in the form that the reader wants. */
export function CallSnippets({ base, call, label = scheduleTexts.theCall }: Props) {
  const [snippet, setSnippet] = useState<Snippet>('curl')
  return (
    <div className="snippets">
      <div className="segments" role="group" aria-label={scheduleTexts.formOfCall}>
        {(Object.keys(SNIPPETS) as Snippet[]).map(name => (
          <button key={name} type="button" className="segment" aria-pressed={name === snippet} onClick={() => setSnippet(name)}>
            {scheduleTexts.snippets[name]}
          </button>
        ))}
      </div>
      <Code label={label} text={SNIPPETS[snippet](base, call)} copyLabel={scheduleTexts.copySnippet(scheduleTexts.snippets[snippet])} />
    </div>
  )
}
