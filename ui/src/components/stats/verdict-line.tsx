import { PageLink } from '../elements/page-link.tsx'
import { StatusMark } from '../elements/status-mark.tsx'
import type { Mark } from '../../format/executions/status.ts'
import type { Tone, Verdict } from '../../format/health/verdict.ts'
import { statsTexts } from '../../texts/stats.ts'

const MARKS: Record<Tone, Mark> = { good: 'success', warn: 'warning', bad: 'failed', unknown: 'pending' }

export function VerdictLine({ verdict }: { verdict: Verdict }) {
  return (
    <div className={`verdict verdict-${verdict.tone}`} role="status">
      <StatusMark mark={MARKS[verdict.tone]} word={statsTexts.marks[verdict.tone]} isQuiet />
      <div>
        <h1>
          <Part text={verdict.headline} href={verdict.href} />
          {verdict.clauses.map((clause, index) =>
            <span key={index} className="verdict-clause">{' · '}<Part {...clause} /></span>)}
        </h1>
        {verdict.detail && <p>{verdict.detail}</p>}
      </div>
    </div>
  )
}

function Part({ text, href }: { text: string; href?: string | undefined }) {
  return href === undefined ? <bdi>{text}</bdi> : <PageLink href={href} className="verdict-link"><bdi>{text}</bdi></PageLink>
}
